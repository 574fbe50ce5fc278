import {
  importSuite,
  workspaceFiles,
  type CheckResult,
  type EvalArm,
  type EvalResult,
  type EvalSuite,
  type TrialOutcome,
  type WorkspaceOptions,
} from '@skillpack/evals';
import { SkillsError, type Digest } from '@skillpack/core';
import { expect, test } from 'vitest';

const suite = await suiteOf([
  { id: 1, prompt: 'Merge a.pdf and b.pdf', assertions: ['It is one file', 'It has five pages'] },
  { id: 2, prompt: 'Rotate page 3', assertions: ['The page is turned'] },
]);

async function suiteOf(evals: readonly object[]): Promise<EvalSuite> {
  const imported = await importSuite(JSON.stringify({ skill_name: 'pdf', evals }), { fileName: 'evals.json' });
  return imported.suite;
}

interface Trial {
  readonly case?: string;
  readonly arm?: EvalArm;
  readonly trial?: number;
  readonly outcome?: TrialOutcome;
  /** Which of its checks passed; `null`: nobody judged it. */
  readonly passed?: readonly (boolean | null)[];
  readonly tokens?: number;
  readonly seconds?: number;
  readonly more?: Partial<EvalResult>;
}

function result({
  case: id = '1',
  arm = 'with_skill',
  trial = 1,
  outcome,
  passed = [true, true],
  tokens = 3800,
  seconds = 45,
  more = {},
}: Trial): EvalResult {
  const checks = passed.map((verdict, index): CheckResult => ({
    kind: 'rubric',
    text: `Statement ${index + 1}`,
    verdict: verdict === null ? 'not_judged' : verdict ? 'passed' : 'failed',
    evidence: 'Seen in the file',
  }));
  return {
    formatVersion: 1,
    key: `sha256:${[id, arm, trial].join('-')}` as Digest,
    suite: 'pdf',
    case: id,
    arm,
    model: 'scripted',
    trial,
    kind: 'task',
    tags: [],
    input: 'Merge a.pdf and b.pdf',
    outcome: outcome ?? (passed.every((each) => each === true) ? 'passed' : 'failed'),
    fired: ['pdf'],
    checks,
    answer: 'Done.',
    steps: [
      {
        seq: 1,
        kind: 'action',
        label: 'run_script pdf scripts/merge.mjs',
        start: 0,
        duration: 5,
        ok: true,
        detail: 'merged',
      },
      { seq: 2, kind: 'action', label: 'call_tool read_file', start: 5, duration: 5, ok: false },
      { seq: 3, kind: 'action', label: 'final_answer', start: 10, duration: 0, ok: true },
    ],
    spent: {
      turns: 2,
      toolCalls: 1,
      scripts: 1,
      inputTokens: tokens - 800,
      outputTokens: 800,
      duration: seconds * 1000,
    },
    at: `2026-11-22T10:00:0${trial}.000Z`,
    attempts: 1,
    files: [{ path: 'out.pdf', size: 10 }],
    ...more,
  };
}

/** The files by path, JSON read. */
function written(
  results: readonly EvalResult[],
  options: Partial<WorkspaceOptions> = {},
): ReadonlyMap<string, unknown> {
  const files = workspaceFiles(results, { dialect: 'skill-creator', iteration: 1, suites: [suite], ...options });
  return new Map(files.map(({ path, text }) => [path, path.endsWith('.json') ? (JSON.parse(text) as unknown) : text]));
}

const place = 'pdf-workspace/iteration-1';

test('SPEC-11: a trial in the layout of agentskills.io has outputs, timing.json and grading.json, without a folder for the run', () => {
  const files = written([result({ passed: [true, false] }), result({ arm: 'without_skill' })], {
    dialect: 'agentskills',
  });
  expect([...files.keys()]).toEqual([
    `${place}/eval-1/with_skill/outputs/answer.md`,
    `${place}/eval-1/with_skill/timing.json`,
    `${place}/eval-1/with_skill/grading.json`,
    `${place}/eval-1/without_skill/outputs/answer.md`,
    `${place}/eval-1/without_skill/timing.json`,
    `${place}/eval-1/without_skill/grading.json`,
    `${place}/benchmark.json`,
  ]);
  expect(files.get(`${place}/eval-1/with_skill/timing.json`)).toEqual({ total_tokens: 3800, duration_ms: 45_000 });
  expect(files.get(`${place}/eval-1/with_skill/grading.json`)).toEqual({
    assertion_results: [
      { text: 'Statement 1', passed: true, evidence: 'Seen in the file' },
      { text: 'Statement 2', passed: false, evidence: 'Seen in the file' },
    ],
    summary: { passed: 1, failed: 1, total: 2, pass_rate: 0.5 },
  });
});

test('SPEC-11: several trials in the layout of agentskills.io lie in a folder each, as in that of skill-creator', () => {
  const results = [result({}), result({ trial: 2 }), result({ case: '2' })];
  expect(
    [...written(results, { dialect: 'agentskills' }).keys()].filter((path) => path.endsWith('grading.json')),
  ).toEqual([
    `${place}/eval-1/with_skill/run-1/grading.json`,
    `${place}/eval-1/with_skill/run-2/grading.json`,
    `${place}/eval-2/with_skill/run-1/grading.json`,
  ]);
  expect([...written([result({})]).keys()].filter((path) => path.endsWith('grading.json'))).toEqual([
    `${place}/eval-1/with_skill/run-1/grading.json`,
  ]);
});

test('SPEC-11: benchmark.json of agentskills.io has mean and stddev of each arm, and the delta as numbers', () => {
  const files = written(
    [
      result({ passed: [true, true], tokens: 3800, seconds: 45 }),
      result({ case: '2', passed: [true, false], tokens: 4000, seconds: 49 }),
      result({ arm: 'without_skill', passed: [true, false], tokens: 2100, seconds: 32 }),
      result({ case: '2', arm: 'without_skill', passed: [false, false], tokens: 2300, seconds: 36 }),
    ],
    { dialect: 'agentskills' },
  );
  expect(files.get(`${place}/benchmark.json`)).toEqual({
    run_summary: {
      with_skill: {
        pass_rate: { mean: 0.75, stddev: 0.3536 },
        time_seconds: { mean: 47, stddev: 2.8284 },
        tokens: { mean: 3900, stddev: 141.4214 },
      },
      without_skill: {
        pass_rate: { mean: 0.25, stddev: 0.3536 },
        time_seconds: { mean: 34, stddev: 2.8284 },
        tokens: { mean: 2200, stddev: 141.4214 },
      },
      delta: { pass_rate: 0.5, time_seconds: 13, tokens: 1700 },
    },
    notes: ['The delta is with_skill less without_skill.'],
  });
});

test('SPEC-11: benchmark.json of skill-creator has every run, least and most, and the delta as texts with a sign', () => {
  const files = written(
    [result({}), result({ arm: 'without_skill', passed: [true, false], tokens: 2100, seconds: 32 })],
    {
      skillPath: 'skills/pdf',
    },
  );
  expect(files.get(`${place}/benchmark.json`)).toEqual({
    metadata: {
      skill_name: 'pdf',
      skill_path: 'skills/pdf',
      executor_model: 'scripted',
      analyzer_model: '',
      timestamp: '2026-11-22T10:00:01.000Z',
      evals_run: [1],
      runs_per_configuration: 1,
    },
    runs: [
      {
        eval_id: 1,
        eval_name: '1',
        configuration: 'with_skill',
        run_number: 1,
        result: {
          pass_rate: 1,
          passed: 2,
          failed: 0,
          total: 2,
          time_seconds: 45,
          tokens: 3800,
          tool_calls: 2,
          errors: 1,
        },
        expectations: [
          { text: 'Statement 1', passed: true, evidence: 'Seen in the file' },
          { text: 'Statement 2', passed: true, evidence: 'Seen in the file' },
        ],
        notes: [],
      },
      expect.objectContaining({ configuration: 'without_skill', run_number: 1 }),
    ],
    run_summary: {
      with_skill: {
        pass_rate: { mean: 1, stddev: 0, min: 1, max: 1 },
        time_seconds: { mean: 45, stddev: 0, min: 45, max: 45 },
        tokens: { mean: 3800, stddev: 0, min: 3800, max: 3800 },
      },
      without_skill: {
        pass_rate: { mean: 0.5, stddev: 0, min: 0.5, max: 0.5 },
        time_seconds: { mean: 32, stddev: 0, min: 32, max: 32 },
        tokens: { mean: 2100, stddev: 0, min: 2100, max: 2100 },
      },
      delta: { pass_rate: '+0.50', time_seconds: '+13.0', tokens: '+1700' },
    },
    notes: ['The delta is with_skill less without_skill.'],
  });
});

test('SPEC-11: grading.json of skill-creator has the fields of its viewer, and leaves the whole duration to timing.json', () => {
  const files = written([result({ passed: [true, null, false] })]);
  const run = `${place}/eval-1/with_skill/run-1`;
  const metrics = {
    tool_calls: { run_script: 1, read_file: 1 },
    total_tool_calls: 2,
    total_steps: 3,
    errors_encountered: 1,
    output_chars: 5,
    transcript_chars: String(files.get(`${run}/transcript.md`)).length,
  };
  expect(files.get(`${run}/grading.json`)).toEqual({
    expectations: [
      { text: 'Statement 1', passed: true, evidence: 'Seen in the file' },
      { text: 'Statement 3', passed: false, evidence: 'Seen in the file' },
    ],
    summary: { passed: 1, failed: 1, total: 2, pass_rate: 0.5 },
    execution_metrics: metrics,
    timing: { executor_duration_seconds: 45 },
    claims: [],
    user_notes_summary: { uncertainties: [], needs_review: [], workarounds: [] },
    eval_feedback: {
      suggestions: [{ assertion: 'Statement 2', reason: 'Nobody judged it.' }],
      overall: '1 of 3 statements were not judged, and do not count.',
    },
  });
  expect(files.get(`${run}/timing.json`)).toMatchObject({
    total_tokens: 3800,
    duration_ms: 45_000,
    total_duration_seconds: 45,
  });
  expect(files.get(`${run}/outputs/metrics.json`)).toEqual({ ...metrics, files_created: ['out.pdf'] });
  expect(files.get(`${place}/eval-1/eval_metadata.json`)).toEqual({
    eval_id: 1,
    eval_name: '1',
    prompt: 'Merge a.pdf and b.pdf',
    assertions: ['Statement 1', 'Statement 2', 'Statement 3'],
  });
});

test('SPEC-11: the delta against an old version is what the new one adds, with that sign', () => {
  const results = [
    result({ arm: 'old_skill', passed: [false, false, false, true] }),
    result({ arm: 'with_skill', passed: [true, true, true, true] }),
  ];
  const creator = written(results).get(`${place}/benchmark.json`) as { run_summary: { delta: object } };
  expect(Object.keys(creator.run_summary)).toEqual(['with_skill', 'old_skill', 'delta']);
  expect(creator.run_summary.delta).toMatchObject({ pass_rate: '+0.75' });
  const plain = written(results, { dialect: 'agentskills' }).get(`${place}/benchmark.json`);
  expect(plain).toMatchObject({
    run_summary: { delta: { pass_rate: 0.75 } },
    notes: ['The delta is with_skill less old_skill.'],
  });
  const worse = written([
    result({ passed: [false], tokens: 1000, seconds: 1 }),
    result({ arm: 'old_skill', passed: [true], tokens: 1200.6, seconds: 3.26 }),
  ]).get(`${place}/benchmark.json`);
  expect(worse).toMatchObject({ run_summary: { delta: { pass_rate: '-1.00', time_seconds: '-2.3', tokens: '-201' } } });
});

test('SPEC-11: one arm alone has no delta', () => {
  const { run_summary } = written([result({})]).get(`${place}/benchmark.json`) as { run_summary: object };
  expect(Object.keys(run_summary)).toEqual(['with_skill']);
});

test('SPEC-11: runs_per_configuration is how often each was run, and a difference is told of', () => {
  const results = [result({}), result({ trial: 2 }), result({ arm: 'without_skill' })];
  expect(written(results).get(`${place}/benchmark.json`)).toMatchObject({
    metadata: { runs_per_configuration: 2 },
    notes: ['The delta is with_skill less without_skill.', 'Not every case and arm has as many scored trials: 1, 2.'],
  });
});

test('SPEC-11: errors and what a budget stopped count nowhere, and are told of; what nobody judged is written without grading.json', () => {
  const reason = { code: 'NETWORK_ERROR', message: 'Nobody answered.' } as const;
  const files = written([
    result({}),
    result({ trial: 2, outcome: 'error', passed: [], more: { reason } }),
    result({ trial: 3, outcome: 'stopped', passed: [] }),
    result({ trial: 4, outcome: 'inconclusive', passed: [null] }),
  ]);
  const paths = [...files.keys()];
  expect(paths.filter((path) => path.endsWith('grading.json'))).toEqual([
    `${place}/eval-1/with_skill/run-1/grading.json`,
  ]);
  expect(paths.some((path) => path.includes('run-2') || path.includes('run-3'))).toBe(false);
  expect(paths).toContain(`${place}/eval-1/with_skill/run-4/outputs/answer.md`);
  expect(files.get(`${place}/benchmark.json`)).toMatchObject({
    runs: [{ run_number: 1 }],
    run_summary: { with_skill: { pass_rate: { mean: 1 } } },
    notes: [
      '1 of with_skill not counted: error, the first one as Nobody answered.',
      '1 of with_skill not counted: stopped.',
      '1 of with_skill not counted: inconclusive.',
    ],
  });
});

test('SPEC-11: where nothing was scored the benchmark has no numbers', () => {
  const files = written([result({ outcome: 'error', passed: [] })]);
  expect(files.get(`${place}/benchmark.json`)).toMatchObject({
    runs: [],
    run_summary: {},
    metadata: { runs_per_configuration: 0 },
  });
});

test('SPEC-11: feedback is written in the form of each dialect, and only where there is any', () => {
  const results = [result({}), result({ arm: 'without_skill' })];
  const feedback = [
    { suite: 'pdf', case: '1', text: 'Too terse' },
    {
      suite: 'pdf',
      case: '1',
      key: result({ arm: 'without_skill' }).key,
      text: 'Wrong order',
      at: '2026-11-23T00:00:00.000Z',
    },
    { suite: 'other', case: '1', text: 'Not here' },
  ];
  expect(written(results).has(`${place}/feedback.json`)).toBe(false);
  expect(written(results, { feedback }).get(`${place}/feedback.json`)).toEqual({
    reviews: [
      { run_id: 'eval-1-with_skill-run-1', feedback: 'Too terse', timestamp: '2026-11-22T10:00:01.000Z' },
      { run_id: 'eval-1-without_skill-run-1', feedback: 'Wrong order', timestamp: '2026-11-23T00:00:00.000Z' },
    ],
    status: 'complete',
  });
  expect(written(results, { feedback, dialect: 'agentskills' }).get(`${place}/feedback.json`)).toEqual({
    'eval-1': 'Too terse\n\nWrong order',
  });
});

test('SPEC-11: queries come to a rate for the skill; a query that could not be scored neither passes nor fails', async () => {
  const text = JSON.stringify([
    { id: 'a', query: 'Rotate it', should_trigger: true },
    { id: 'b', query: 'Read a poem', should_trigger: false },
    { id: 'c', query: 'Merge it', should_trigger: true },
  ]);
  const { suite: triggers } = await importSuite(text, { fileName: 'x.json', skill: 'pdf', name: 'pdf' });
  const trigger = (id: string, trial: number, fired: readonly string[], more: Partial<EvalResult> = {}) => {
    const wanted = id === 'b' ? { skills: [], all: true, not: ['pdf'] } : { skills: ['pdf'], all: true, not: [] };
    return result({ case: id, trial, more: { kind: 'trigger', fired, wanted, ...more } });
  };
  const results = [
    trigger('a', 1, ['pdf']),
    trigger('a', 2, [], { outcome: 'failed' }),
    trigger('a', 3, [], { outcome: 'error' }),
    trigger('b', 1, ['pdf'], { outcome: 'failed' }),
    trigger('b', 2, []),
    trigger('c', 1, [], { outcome: 'error', reason: { code: 'TIMEOUT', message: 'It took too long.' } }),
  ];
  const files = written(results, { suites: [triggers], description: 'Works on PDFs' });
  expect([...files.keys()]).toEqual([`${place}/trigger-results.json`]);
  expect(files.get(`${place}/trigger-results.json`)).toEqual({
    skill_name: 'pdf',
    description: 'Works on PDFs',
    results: [
      { query: 'Rotate it', should_trigger: true, trigger_rate: 0.5, triggers: 1, runs: 2, pass: true },
      { query: 'Read a poem', should_trigger: false, trigger_rate: 0.5, triggers: 1, runs: 2, pass: false },
    ],
    summary: { total: 2, passed: 1, failed: 1 },
    not_scored: [{ query: 'Merge it', outcome: 'error', reason: 'It took too long.' }],
  });
});

test('SPEC-11: a trial that there are several results of counts once, by the last', () => {
  const files = written([result({ outcome: 'error', passed: [] }), result({ passed: [true] })]);
  expect(files.get(`${place}/benchmark.json`)).toMatchObject({ runs: [{ result: { total: 1 } }], notes: [] });
});

test('SPEC-11: cases whose ids are no numbers are counted from 1, and named by their ids', async () => {
  const named = await suiteOf([
    { id: 'merge', prompt: 'Merge', assertions: ['x'] },
    { id: 'rotate', prompt: 'Rotate', assertions: ['x'] },
  ]);
  const files = written([result({ case: 'rotate' })], { suites: [named] });
  expect(files.get(`${place}/eval-rotate/eval_metadata.json`)).toMatchObject({ eval_id: 2, eval_name: 'rotate' });
  expect(files.get(`${place}/benchmark.json`)).toMatchObject({ metadata: { evals_run: [2] } });
});

test('SPEC-11: results of several models are refused until one is named', () => {
  const results = [result({}), result({ more: { model: 'other', key: 'sha256:other' as Digest } })];
  expect(() => written(results)).toThrow(expect.objectContaining({ code: 'USAGE' }));
  expect([...written(results, { model: 'other' }).keys()]).toContain(`${place}/benchmark.json`);
});

test('SPEC-11: no name of a case or skill leads out of a workspace', () => {
  const odd: EvalSuite = { ...suite, skills: ['../../etc/pdf:x'], cases: [] };
  const files = written([result({ case: '../../../x' })], { suites: [odd] });
  for (const path of files.keys()) expect(path).toMatch(/^etc-pdf-x-workspace\/iteration-1\/(?:eval-x\/|benchmark)/u);
});

test('SPEC-11: an iteration or a dialect that there is not, and an option with a slip, are refused', () => {
  const options: readonly object[] = [{ iteration: 0 }, { dialect: 'other' }, { skillpath: 'x' }];
  for (const each of options) {
    expect(() => written([result({})], each)).toThrow(expect.objectContaining({ code: 'USAGE' }));
    try {
      written([result({})], each);
    } catch (error) {
      expect(SkillsError.is(error, 'USAGE')).toBe(true);
    }
  }
});

test('SPEC-11: what is looked at in every trial dilutes no pass rate, and is told where it does not hold', () => {
  const always = (verdict: CheckResult['verdict']): readonly CheckResult[] => [
    { kind: 'disclosure', text: 'no file of a skill is read before the skill is', verdict, evidence: '' },
    {
      kind: 'approvals',
      text: 'nothing is done that was neither allowed nor approved',
      verdict: 'passed',
      evidence: '',
    },
    { kind: 'output', text: 'what is told piece by piece is the answer', verdict: 'passed', evidence: '' },
  ];
  const trial = (arm: EvalArm, passed: readonly boolean[], verdict: CheckResult['verdict'] = 'passed'): EvalResult => {
    const made = result({ arm, passed });
    const outcome = verdict === 'passed' ? made.outcome : 'failed';
    return { ...made, outcome, checks: [...made.checks, ...always(verdict)] };
  };
  const benchmark = (results: readonly EvalResult[]) => written(results).get(`${place}/benchmark.json`);
  expect(benchmark([trial('with_skill', [true]), trial('without_skill', [false])])).toMatchObject({
    run_summary: {
      with_skill: { pass_rate: { mean: 1 } },
      without_skill: { pass_rate: { mean: 0 } },
      delta: { pass_rate: '+1.00' },
    },
  });
  expect(benchmark([trial('with_skill', [true], 'failed')])).toMatchObject({
    run_summary: { with_skill: { pass_rate: { mean: 0.5 } } },
  });
  const files = written([trial('with_skill', [true])]);
  const grading = files.get(`${place}/eval-1/with_skill/run-1/grading.json`);
  expect(grading).toMatchObject({ expectations: [{ text: 'Statement 1' }], summary: { total: 1, pass_rate: 1 } });
  expect(files.get(`${place}/eval-1/eval_metadata.json`)).toMatchObject({ assertions: ['Statement 1'] });
  // A case that expects nothing of its own goes by its outcome.
  expect(benchmark([trial('with_skill', [])])).toMatchObject({
    run_summary: { with_skill: { pass_rate: { mean: 1 } } },
  });
});
