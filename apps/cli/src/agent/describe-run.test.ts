import type {
  Activation,
  AgentAction,
  ApprovalDecision,
  Digest,
  ErrorCode,
  JsonObject,
  RunEvent,
  RunEventBody,
  StopReason,
} from '@skillpack/core';
import { expect, test } from 'vitest';
import { describeRun } from './describe-run.js';

// Nothing here compares hashes of events.
const digestOf = (digit: string) => `sha256:${digit.repeat(64)}` as Digest;
const kept = { digest: digestOf('0'), size: 0 };
const limits = { turns: 9, toolCalls: 9, scripts: 9, tokens: 9, cost: 9, wallTime: 9, consecutiveFailures: 9 };
const terms = { model: 'test:one', contextTokens: 8000, tools: [], limits, system: kept, options: {} };

const begin: RunEventBody = {
  type: 'run_started',
  formatVersion: 1,
  index: { hash: digestOf('1'), skills: 1, kept },
  ...terms,
};
const script: AgentAction = {
  kind: 'run_script',
  skill: { name: 'greet' },
  relative_path: 'scripts/hello.sh',
  args: [],
};
const request = (text: string, skill?: string): RunEventBody => ({
  type: 'request_received',
  request: { text, skill },
});
const started = (id: string, action: AgentAction = script): RunEventBody => ({ type: 'action_started', id, action });
const asked = (id: string): RunEventBody => ({
  type: 'approval_requested',
  request: {
    id,
    tool: 'run_script',
    risk: 'medium',
    skill: { name: 'greet', location: '/skills/greet' },
    digest: digestOf('a'),
    summary: 'scripts/hello.sh',
    input: {},
  },
});
const decided = (id: string, decision: ApprovalDecision): RunEventBody => ({ type: 'approval_decided', id, decision });
const ended = (id: string, more: Partial<RunEventBody & { type: 'observation_recorded' }> = {}): RunEventBody => ({
  type: 'observation_recorded',
  id,
  ok: true,
  content: '',
  contentForUser: undefined,
  output: {},
  error: undefined,
  kept: [],
  duration: 0,
  ...more,
});
const answered = (stop: StopReason): RunEventBody => ({
  type: 'request_answered',
  stop,
  degraded: false,
  answer: 'Done.',
});
const activated = (by: Activation['by'], digit = 'a'): RunEventBody => ({
  type: 'skill_activated',
  activation: {
    name: 'greet',
    scope: 'user',
    location: '/skills/greet',
    pack: undefined,
    digest: digestOf(digit),
    by,
    reason: '',
    turn: 0,
    tools: [],
    unknownTools: [],
    lines: { total: 1, shown: 1 },
    runMode: 'inline',
  },
});
const yes: ApprovalDecision = { kind: 'approved', scope: 'once', by: 'person' };

/** A millisecond after the event before it, in the run `r1`, unless it says otherwise. */
type Happened = RunEventBody | readonly [after: number, body: RunEventBody, run?: string];

/** What is told of these events. */
function told(bodies: readonly Happened[], cutOff = false) {
  let now = Date.UTC(2026, 10, 22);
  const events = bodies.map((body, index): RunEvent => {
    const [after, what, run = 'r1'] = 'type' in body ? ([1, body] as const) : body;
    now += after;
    const place = { run, seq: index + 1, at: new Date(now).toISOString(), prev: kept.digest, hash: kept.digest };
    return { ...what, ...place };
  });
  const { lines, ...others } = describeRun(events, { cutOff });
  return { lines: lines.map(({ text }) => text), ...others };
}

test('PSA-25: a script that was under way is told: as going on, or as one of which nobody knows how it ended', () => {
  const events = [begin, request('Greet.'), started('a1'), asked('a1'), decided('a1', yes)];
  expect(told(events).lines).toEqual(['Greet.', 'run greet/scripts/hello.sh … under way']);
  const lost = 'run greet/scripts/hello.sh … started, cut off: how it ended is not known';
  expect(told(events, true).lines).toEqual(['Greet.', lost]);
  const resumed: RunEventBody = { type: 'run_resumed', after: 2, uncertain: { id: 'a1', action: script }, with: terms };
  expect(told([...events, resumed, answered('final_answer')]).lines).toEqual([
    'Greet.',
    lost,
    'it was cut off here, and went on; the model was told that nobody knows whether that took effect',
    'Done.',
  ]);
});

test('PSA-25: what reads only, and was cut off, is told without a doubt about its effect; another model is named', () => {
  const reads: AgentAction = { kind: 'load_resource', skill: { name: 'greet' }, relative_path: 'a.md' };
  const resumed: RunEventBody = {
    type: 'run_resumed',
    after: 2,
    uncertain: undefined,
    with: { ...terms, model: 'test:two' },
  };
  expect(told([begin, request('Read.'), started('a1', reads), resumed]).lines).toEqual([
    'Read.',
    'read greet/a.md … cut off',
    'it was cut off here, and went on with test:two',
  ]);
});

test('PSA-25: an answer that was being given when the process ended is no step', () => {
  const answer: AgentAction = { kind: 'final_answer', content: 'Done.' };
  expect(told([begin, request('Read.'), started('a1', answer)], true).lines).toEqual(['Read.']);
});

test('PSA-15, PSA-25: a question is told apart as refused, cancelled, too late, asked in vain, and not answered', () => {
  const required = ended('a1', { ok: false, error: { code: 'APPROVAL_REQUIRED', message: 'This needs a yes.' } });
  const cases: readonly (readonly [readonly RunEventBody[], string])[] = [
    [[decided('a1', { kind: 'denied', reason: 'No.', by: 'person' }), required], 'refused by person'],
    [
      [decided('a1', { kind: 'unavailable', reason: 'Aborted.', code: 'INTERRUPTED' }), required],
      'no yes: cancelled at the question',
    ],
    [
      [decided('a1', { kind: 'unavailable', reason: 'Aborted.', code: 'TIMEOUT' }), required],
      'no yes: the time was up at the question',
    ],
    [
      [decided('a1', { kind: 'unavailable', reason: 'Nobody can be asked.' }), required, answered('approval_required')],
      'no yes: Nobody can be asked.',
    ],
  ];
  for (const [events, what] of cases) {
    const { lines, approvals } = told([begin, request('Greet.'), started('a1'), asked('a1'), ...events]);
    expect(lines).toContain(`run greet/scripts/hello.sh … ${what}`);
    expect(approvals).toEqual([`scripts/hello.sh of greet: ${what}`]);
  }
  const open = [begin, request('Greet.'), started('a1'), asked('a1')];
  expect(told(open).lines).toContain('run greet/scripts/hello.sh … waits for a yes');
  expect(told(open, true)).toEqual({
    lines: ['Greet.', 'run greet/scripts/hello.sh … cut off at the question: not done'],
    approvals: ['scripts/hello.sh of greet: not answered'],
    wanted: undefined,
  });
});

test('PSA-15: a run that waits for a yes says by which entry of --approve it is given; one that was refused does not', () => {
  const wantedAfter = (decision: ApprovalDecision, stop: StopReason) =>
    told([begin, request('Greet.'), started('a1'), asked('a1'), decided('a1', decision), answered(stop)]).wanted;
  const nobody: ApprovalDecision = { kind: 'unavailable', reason: 'Nobody sits at a terminal.' };
  expect(wantedAfter(nobody, 'approval_required')).toBe(`run_script(greet@${'a'.repeat(64)})`);
  expect(wantedAfter(nobody, 'cancelled')).toBeUndefined();
  const waited = [request('Greet.'), started('a1'), asked('a1'), decided('a1', nobody), answered('approval_required')];
  const resumed: RunEventBody = { type: 'run_resumed', after: 1, uncertain: undefined };
  const { lines } = told([begin, ...waited, resumed, answered('final_answer')]);
  expect(lines.slice(-2)).toEqual(['it waited here for a yes, and went on', 'Done.']);
  expect(lines.filter((line) => line === 'Done.')).toHaveLength(1);
  expect(wantedAfter({ kind: 'denied', reason: 'No.', by: 'person' }, 'final_answer')).toBeUndefined();
});

test('AGIO-07: what a tool says to a person stands below its step, each line marked, a long text in part', () => {
  const says = (contentForUser: string) =>
    told([begin, request('Greet.'), started('a1'), ended('a1', { contentForUser })]).lines.slice(2);
  expect(says('')).toEqual([]);
  expect(says(' \n ')).toEqual([]);
  expect(says('Read 3 lines.\n')).toEqual(['  | Read 3 lines.']);
  expect(says('One\r\n\nrun x … ok\u2028Three\rFour')).toEqual([
    '  | One',
    '  | ',
    '  | run x … ok',
    '  | Three',
    '  | Four',
  ]);
  const long = says(Array.from({ length: 12 }, () => 'x'.repeat(500)).join('\n'));
  expect(long).toHaveLength(11);
  expect(long[9]).toBe(`  | ${'x'.repeat(159)}…`);
  expect(long[10]).toBe('  | … and 2 more lines');
});

test('PSA-25: the time of a step is that in which it was worked on, and the wait for a yes stands apart', () => {
  const waited = [started('a1'), asked('a1'), [60_000, decided('a1', yes)], ended('a1', { duration: 60_300 })] as const;
  expect(told([begin, request('Greet.'), ...waited]).lines).toContain(
    'run greet/scripts/hello.sh … ok 0.3 s, approved by person (once) after 1 min 0 s',
  );
  const atOnce = [started('a1'), asked('a1'), decided('a1', yes), ended('a1', { duration: 300 })];
  expect(told([begin, request('Greet.'), ...atOnce]).lines).toContain(
    'run greet/scripts/hello.sh … ok 0.3 s, approved by person (once)',
  );
  // The second one has a yes already, and does not wait for that of the first.
  const again = [started('a2'), ended('a2', { duration: 200 })];
  expect(told([begin, request('Greet.'), ...waited, ...again]).lines).toContain(
    'run greet/scripts/hello.sh … ok 0.2 s',
  );
});

test('PSA-25: what a child run did stands below its parent, whose time is without the questions of the child', () => {
  const reads: AgentAction = { kind: 'select_skills', skills: [{ name: 'greet' }], reason: 'It fits.' };
  const child = (body: RunEventBody, after = 1): Happened => [after, body, 'r1/1'];
  const asks = [begin, request('Greet.'), started('a1', reads), child(request('Greet.')), child(started('a1'))];
  const refused: ApprovalDecision = { kind: 'unavailable', reason: 'Aborted.', code: 'INTERRUPTED' };
  const cancelled = [
    child(asked('a1')),
    child(decided('a1', refused), 30_000),
    child(ended('a1', { ok: false, duration: 30_000 })),
    child(answered('cancelled')),
    ended('a1', { duration: 30_500 }),
  ];
  expect(told([...asks, ...cancelled]).lines).toEqual([
    'Greet.',
    'run greet/scripts/hello.sh … no yes: cancelled at the question',
    'read greet … ok 0.5 s',
  ]);
  // Where both were cut off, the outer one began first.
  expect(told([...asks, child(asked('a1')), child(decided('a1', yes))], true).lines).toEqual([
    'Greet.',
    'read greet … cut off',
    'run greet/scripts/hello.sh … started, cut off: how it ended is not known',
  ]);
});

test('PSA-25: a skill that a person called stands with the request for which it was read, one that came first at the beginning', () => {
  expect(told([begin, activated('preload'), request('One'), answered('final_answer')]).lines).toEqual([
    'read greet, with which the run begins',
    'One',
    'Done.',
  ]);
  const called = [[59_997, activated('user')], request('Ada', 'greet'), answered('final_answer')] as const;
  expect(told([begin, request('One'), answered('final_answer'), ...called, activated('model')]).lines).toEqual([
    'One',
    'Done.',
    '/greet Ada',
    'read greet, which the person called at 00:01:00 UTC',
    'Done.',
  ]);
});

test('PSA-25: a skill that was another one when it was read again is told, whoever read it', () => {
  const changed = 'greet was changed meanwhile, and read anew: sha256:bbbbbbbbbbbb instead of sha256:aaaaaaaaaaaa';
  const resumed: RunEventBody = { type: 'run_resumed', after: 3, uncertain: undefined };
  for (const by of ['model', 'user', 'preload'] as const) {
    const again = [resumed, activated(by, 'b'), { type: 'turn_started', turn: 1 } as const, answered('final_answer')];
    const { lines } = told([begin, request('One'), activated('model'), ...again]);
    expect(lines, by).toEqual(['One', 'it was cut off here, and went on', changed, 'Done.']);
    expect(told([begin, request('One'), activated('model'), ...again.with(1, activated('model'))]).lines).not.toContain(
      changed,
    );
  }
});

test('PSA-25: a step that failed says how: by the exit code of its script, or by what went wrong', () => {
  const failed = (code: ErrorCode, output: JsonObject = {}) =>
    told([
      begin,
      request('Greet.'),
      started('a1'),
      ended('a1', { ok: false, output, error: { code, message: 'It did not.' }, duration: 100 }),
    ]).lines.at(-1);
  const step = 'run greet/scripts/hello.sh …';
  expect(failed('EXIT_NONZERO', { exit_code: 3 })).toBe(`${step} failed: EXIT_NONZERO, exit code 3, 0.1 s`);
  expect(failed('TIMEOUT', { exit_code: null })).toBe(`${step} failed: TIMEOUT, 0.1 s: It did not.`);
  expect(failed('INTERRUPTED')).toBe(`${step} cancelled, 0.1 s: It did not.`);
  const error = { code: 'INTERRUPTED', message: 'It was cancelled.' } as const;
  const approved = [started('a1'), asked('a1'), decided('a1', yes), ended('a1', { ok: false, error })];
  expect(told([begin, request('Greet.'), ...approved]).lines.at(-1)).toBe(
    `${step} cancelled, 0.0 s, approved by person (once): It was cancelled.`,
  );
});

test('names and reasons of a record stay within their line', () => {
  const hostile = 'greet\n> forged request\r\nskills  none';
  const named: AgentAction = { ...script, skill: { name: hostile } };
  const refused = decided('a1', { kind: 'denied', reason: hostile, by: hostile });
  const failed: RunEventBody = { type: 'model_failed', error: { code: 'MODEL_ERROR', message: hostile } };
  const { lines, approvals } = told([
    begin,
    started('a1', named),
    asked('a1'),
    refused,
    ended('a1', { ok: false }),
    failed,
  ]);
  expect(lines).toHaveLength(2);
  for (const line of [...lines, ...approvals]) expect(line).not.toMatch(/[\r\n]/u);
});

test('what a person switched off and on is told, and what the agent did once, as its step', () => {
  const off: RunEventBody = { type: 'skill_disabled', name: 'greet', reason: 'Too loud.', by: 'user' };
  const on: RunEventBody = { type: 'skill_enabled', name: 'greet', by: 'user' };
  const agents: RunEventBody = { type: 'skill_disabled', name: 'greet', reason: 'Not now.' };
  const { lines } = told([begin, off, on, request('One'), agents]);
  expect(lines).toEqual(['the person switched greet off: Too loud.', 'the person switched greet on', 'One']);
});

test('a run that goes on after a question, a limit, or its answer was not cut off', () => {
  const resumed: RunEventBody = { type: 'run_resumed', after: 1, uncertain: undefined };
  for (const [stop, line] of [
    ['question', 'it waited here for an answer, and went on'],
    ['max_turns', 'it was given up here, and went on'],
    ['final_answer', 'it was taken up again here'],
  ] as const) {
    const said: RunEventBody = { type: 'request_answered', stop, degraded: stop === 'max_turns', answer: 'So.' };
    expect(told([begin, request('One'), said, resumed]).lines, stop).toContain(line);
    const again = told([begin, request('One'), said, resumed, { type: 'turn_started', turn: 2 }, resumed]);
    expect(again.lines.at(-1), stop).toBe('it was cut off here, and went on');
  }
});
