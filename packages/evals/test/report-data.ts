import { createHash } from 'node:crypto';
import type { Digest } from '@skillpack/core';
import type {
  CheckResult,
  EvalArm,
  EvalResult,
  RankComparison,
  RankReport,
  RunStep,
  TrialOutcome,
} from '../src/index.js';

/** How many results are made, and of what. */
export interface MadeResultsOptions {
  readonly cases: number;
  readonly trials: number;
  readonly models?: readonly string[];
  readonly arms?: readonly EvalArm[];
  readonly seed?: number;
  /** How often a trial goes wrong, 0 to 1. */
  readonly wrong?: number;
}

const skills = ['pdf', 'docx', 'table', 'release-notes', 'slides'];
const asked = [
  'Read report.pdf and tell me the total of the second table.',
  'Turn notes.docx into a page that I can print.',
  'Which of these rows have no date? The file is data.csv.',
  'What changed since version 2.3? Write it for the people who use it.',
  'Make six slides of this text.',
  'How warm will it be tomorrow?',
];

/** Numbers from 0 to 1 that are the same for the same seed. */
function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function digestOf(text: string): Digest {
  return `sha256:${createHash('sha256').update(text).digest('hex')}` as Digest; // it is one
}

/** Results as a run leaves them: triggers and tasks by turns, with transcripts, failures of each kind, errors and stops. */
export function makeResults(options: MadeResultsOptions): readonly EvalResult[] {
  const { models = ['anthropic:claude-sonnet-4-5'], arms = ['with_skill', 'without_skill'] } = options;
  const next = chance(options.seed ?? 1);
  return Array.from({ length: options.cases }, (_unused, index) => index).flatMap((index) =>
    Array.from({ length: options.trials }, (_unused, trial) => trial + 1).flatMap((trial) =>
      models.flatMap((model) =>
        arms.map((arm) => makeResult({ index, trial, model, arm, wrong: options.wrong ?? 0.2 }, next)),
      ),
    ),
  );
}

interface Wanted {
  readonly index: number;
  readonly trial: number;
  readonly model: string;
  readonly arm: EvalArm;
  readonly wrong: number;
}

function makeResult({ index, trial, model, arm, wrong }: Wanted, next: () => number): EvalResult {
  const kind = index % 2 === 0 ? 'trigger' : 'task';
  const near = index % 6 === 4;
  const skill = near ? undefined : (skills[index % skills.length] ?? 'pdf');
  const outcome = drawOutcome(next, arm === 'without_skill' ? Math.min(1, wrong * 3) : wrong);
  const went = outcome === 'passed';
  const other = skills[(index + 1 + Math.floor(next() * 3)) % skills.length] ?? 'docx';
  const fired = arm === 'without_skill' ? [] : went ? (skill === undefined ? [] : [skill]) : [[other], []][trial % 2]!;
  const steps = makeSteps({ kind, skill: fired[0], outcome }, next);
  const name = `${kind === 'trigger' ? 'asks-for' : 'works-with'}-${skill ?? 'nothing'}-${String(index + 1).padStart(4, '0')}`;
  const tokens = steps.reduce((sum, step) => sum + (step.tokens?.[0] ?? 0), 0);
  return {
    formatVersion: 1,
    key: digestOf(`${index} ${trial} ${model} ${arm}`),
    suite: ['documents', 'writing'][index % 2] ?? 'documents',
    case: name,
    arm,
    model,
    trial,
    kind,
    tags: [...(near ? ['near-miss'] : []), ...(index % 4 === 0 ? ['smoke'] : []), skill ?? 'none'],
    input: asked[index % asked.length] ?? '',
    outcome,
    fired,
    wanted: { skills: skill === undefined ? [] : [skill], all: false, not: near ? ['pdf'] : [] },
    checks: makeChecks({ kind, outcome, skill, fired, steps }),
    answer:
      kind === 'trigger'
        ? ''
        : `The second table of \`report.pdf\` has ${Math.floor(next() * 40)} rows. Their total is **${(next() * 9000).toFixed(2)}**.\n\n| month | total |\n| --- | ---: |\n| May | 1,204.50 |\n| June | 988.00 |\n`,
    steps,
    spent: {
      turns: steps.filter((step) => step.kind === 'model').length,
      toolCalls: steps.filter((step) => step.kind === 'action').length,
      scripts: steps.filter((step) => step.label.startsWith('run_script')).length,
      inputTokens: tokens,
      outputTokens: Math.floor(tokens / 18),
      cost: Number((tokens * 0.000_003_4).toFixed(6)),
      duration: Math.max(...steps.map((step) => step.start + step.duration), 0),
    },
    ...(outcome === 'error'
      ? {
          reason: {
            code: 'NETWORK_ERROR',
            message: 'The server of the model does not answer: HTTP 529 (overloaded).',
          } as const,
        }
      : {}),
    ...(outcome === 'stopped'
      ? { reason: { code: 'BUDGET_EXHAUSTED', message: 'The budget of $2.00 is spent.' } as const }
      : {}),
    ...(outcome === 'inconclusive'
      ? { reason: { code: 'INCONCLUSIVE', message: 'The agent asked which of two files is meant.' } as const }
      : {}),
    at: new Date(Date.UTC(2026, 10, 22, 8, 0, index)).toISOString(),
    attempts: outcome === 'error' ? 3 : 1,
    files:
      kind === 'task' && went
        ? [
            { path: 'out/total.csv', size: 1_204 },
            { path: 'out/report.html', size: 48_112 },
          ]
        : [],
  };
}

function drawOutcome(next: () => number, wrong: number): TrialOutcome {
  const drawn = next();
  if (drawn >= wrong) return 'passed';
  const rest = drawn / wrong;
  if (rest < 0.72) return 'failed';
  if (rest < 0.86) return 'inconclusive';
  return rest < 0.95 ? 'error' : 'stopped';
}

function makeSteps(
  { kind, skill, outcome }: { kind: string; skill: string | undefined; outcome: TrialOutcome },
  next: () => number,
): readonly RunStep[] {
  const steps: RunStep[] = [];
  let clock = 0;
  let seq = 2;
  const add = (step: Omit<RunStep, 'seq' | 'start' | 'duration'>, duration: number): void => {
    steps.push({ seq, start: clock, duration, ...step });
    clock += duration;
    seq += 3;
  };
  const think = (label: string): void => {
    const input = 2_000 + Math.floor(next() * 3_000) + steps.length * 400;
    const output = 60 + Math.floor(next() * 200);
    add(
      { kind: 'model', label, tokens: [input, output], cost: input * 0.000_003 + output * 0.000_015 },
      600 + Math.floor(next() * 2_600),
    );
  };
  add(
    {
      kind: 'request',
      label: 'Read report.pdf and tell me the total.',
      detail: 'Read report.pdf and tell me the total of the second table.',
    },
    0,
  );
  if (outcome === 'error') {
    add(
      {
        kind: 'problem',
        label: 'model_failed NETWORK_ERROR',
        ok: false,
        detail: 'HTTP 529 (overloaded), three times.',
      },
      4_100,
    );
    return steps;
  }
  think('decides: select_skills');
  if (skill !== undefined)
    add({ kind: 'skill', label: `activates ${skill}`, ok: true, detail: 'Its text has 3,120 tokens.' }, 12);
  if (kind === 'task') {
    const violates = outcome === 'failed';
    if (!violates) {
      think('decides: load_resource');
      add(
        {
          kind: 'action',
          label: `load_resource ${skill ?? 'pdf'} references/tables.md`,
          ok: true,
          detail: '# Tables\n\nA table is read with `pdf.mjs tables`.',
        },
        8,
      );
    }
    think('decides: run_script');
    add({ kind: 'approval', label: 'approved: run_script by the configuration', ok: true }, 2);
    add(
      {
        kind: 'action',
        label: `run_script ${skill ?? 'pdf'} scripts/pdf.mjs tables report.pdf`,
        ok: true,
        detail: '{"tables":[{"page":2,"rows":31}]}',
      },
      900 + Math.floor(next() * 1_500),
    );
    if (next() < 0.4) {
      think('decides: call_tool');
      add(
        {
          kind: 'action',
          label: 'call_tool write_file out/total.csv',
          ok: next() > 0.3,
          detail: 'The folder out is made.',
        },
        5,
      );
    }
    think('decides: final_answer');
  }
  add({ kind: 'answer', label: 'answers', detail: 'Their total is 4,120.50.' }, 0);
  return steps;
}

function makeChecks(made: {
  kind: string;
  outcome: TrialOutcome;
  skill: string | undefined;
  fired: readonly string[];
  steps: readonly RunStep[];
}): readonly CheckResult[] {
  const { kind, outcome, skill, fired, steps } = made;
  if (outcome === 'error' || outcome === 'stopped') return [];
  const failed = outcome === 'failed';
  const wanted: CheckResult = {
    kind: 'skills',
    text: skill === undefined ? 'no skill is chosen' : `the skill ${skill} is chosen`,
    verdict: failed && kind === 'trigger' ? 'failed' : 'passed',
    evidence: fired.length === 0 ? 'no skill was chosen' : `${fired.join(', ')} was chosen`,
    seq: steps.find((step) => step.kind === 'skill')?.seq,
  };
  if (kind === 'trigger') return [wanted];
  const script = steps.find((step) => step.label.startsWith('run_script'));
  return [
    wanted,
    {
      kind: 'actions',
      text: 'load_resource of $skill comes before run_script of $skill',
      verdict: failed ? 'failed' : 'passed',
      evidence: failed
        ? 'run_script pdf was done, and no load_resource pdf had been before it'
        : 'load_resource pdf, then run_script pdf',
      seq: script?.seq,
    },
    {
      kind: 'output',
      text: 'the answer contains "total"',
      verdict: 'passed',
      evidence: 'Their total is **4,120.50**.',
    },
    outcome === 'inconclusive'
      ? {
          kind: 'rubric',
          text: 'The answer names the table it was read from.',
          verdict: 'not_judged',
          evidence: 'There is no judge.',
        }
      : {
          kind: 'disclosure',
          text: 'no file of a skill is read before the skill',
          verdict: 'passed',
          evidence: '2 files were read, both of skills in use',
        },
  ];
}

/** What a ranking of made queries says, with a thief. */
export function makeRanks(queries: number): { readonly ranks: RankReport; readonly comparison: RankComparison } {
  const asQuery = (index: number) => ({
    suite: 'documents',
    case: `asks-for-${String(index + 1).padStart(4, '0')}`,
    query: asked[index % 5] ?? '',
    wanted: [skills[index % 5] ?? 'pdf'],
    not: [],
    found: [skills[(index + (index % 7 === 0 ? 1 : 0)) % 5] ?? 'pdf', 'docx', 'pdf'],
    rank: index % 7 === 0 ? 3 : index % 31 === 30 ? undefined : 1,
  });
  return {
    ranks: {
      formatVersion: 1,
      catalogue: skills.map((skill) => ({ skill, digest: digestOf(skill) })),
      queries: Array.from({ length: queries }, (_unused, index) => asQuery(index)),
      first: { successes: 52, total: 60, value: 52 / 60, interval: { low: 0.758, high: 0.931 } },
      amongFive: { successes: 58, total: 60, value: 58 / 60, interval: { low: 0.886, high: 0.991 } },
      keptAway: { successes: 0, total: 0, value: undefined, interval: undefined },
    },
    comparison: {
      verdict: 'worse',
      reasons: ['9 queries lost the skill they want, 1 won it (p = 0.021).'],
      changed: ['docx'],
      moves: [
        {
          suite: 'documents',
          case: 'asks-for-0001',
          query: asked[0] ?? '',
          before: 'pdf',
          after: 'docx',
          rankBefore: 1,
          rankAfter: 3,
          lost: true,
          won: false,
        },
        {
          suite: 'documents',
          case: 'asks-for-0004',
          query: asked[3] ?? '',
          before: 'table',
          after: 'release-notes',
          rankBefore: 2,
          rankAfter: 1,
          lost: false,
          won: true,
        },
      ],
      thefts: [{ thief: 'docx', victim: 'pdf', queries: [asked[0] ?? '', 'Fill in this form.'] }],
      pValue: 0.021,
    },
  };
}
