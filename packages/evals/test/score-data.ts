import { createHash } from 'node:crypto';
import type { Digest } from '@skillpack/core';
import type { CheckResult, EvalPlan, EvalResult, TrialOutcome } from '../src/index.js';
import { MersenneTwister } from '../src/statistics/mersenne-twister.js';

/** A real digest of a text. */
export function digestOf(text: string): Digest {
  // The form of a digest is what this line builds.
  return `sha256:${createHash('sha256').update(text).digest('hex')}` as Digest;
}

/** A result of a trial, as a run leaves it, with what a test says of it. */
export function makeResult(given: Partial<EvalResult> = {}): EvalResult {
  const { suite = 'documents', arm = 'with_skill', model = 'scripted:a', trial = 1 } = given;
  const name = given.case ?? 'one';
  return {
    formatVersion: 1,
    key: digestOf(JSON.stringify([suite, name, arm, model, trial])),
    suite,
    case: name,
    arm,
    model,
    trial,
    kind: 'task',
    tags: [],
    input: `Do ${name}.`,
    outcome: 'passed',
    fired: [],
    checks: [],
    answer: 'Done.',
    steps: [],
    spent: { turns: 2, toolCalls: 1, scripts: 0, inputTokens: 100, outputTokens: 10, cost: 0.25, duration: 1_000 },
    at: '2026-11-22T08:00:00.000Z',
    attempts: 1,
    files: [],
    ...given,
  };
}

/** The trials of a task: so many that passed, then so many that failed. */
export function makeTask(name: string, passed: number, failed: number, given: Partial<EvalResult> = {}): EvalResult[] {
  return Array.from({ length: passed + failed }, (_unused, index) => {
    const outcome: TrialOutcome = index < passed ? 'passed' : 'failed';
    const check: CheckResult = {
      kind: 'output',
      text: 'the answer contains "total"',
      verdict: outcome === 'passed' ? 'passed' : 'failed',
      evidence: 'Done.',
    };
    return makeResult({ case: name, trial: index + 1, outcome, checks: [check], ...given });
  });
}

/** A trial of the kind `trigger`. */
export function makeTrigger(
  name: string,
  wanted: { readonly skills?: readonly string[]; readonly all?: boolean; readonly not?: readonly string[] },
  fired: readonly string[],
  given: Partial<EvalResult> = {},
): EvalResult {
  const { skills = [], all = false, not = [] } = wanted;
  const chosen = (skill: string): boolean => fired.includes(skill);
  const hit = skills.length === 0 || (all ? skills.every(chosen) : skills.some(chosen));
  const kept = skills.length === 0 && not.length === 0 ? fired.length === 0 : !not.some(chosen);
  const outcome = hit && kept ? 'passed' : 'failed';
  return makeResult({ case: name, kind: 'trigger', wanted: { skills, all, not }, fired, outcome, ...given });
}

/** The plan of results that are all there. */
export function planOf(results: readonly EvalResult[]): EvalPlan {
  return {
    formatVersion: 1,
    digest: digestOf('plan'),
    jobs: results.map(({ key, suite, case: name, arm, model, trial }) => ({
      key,
      suite,
      case: name,
      arm,
      model,
      trial,
    })),
  };
}

/** So many of something, from 1. */
export function times<Made>(count: number, make: (number: number) => Made): Made[] {
  return Array.from({ length: count }, (_unused, index) => make(index + 1));
}

/** Results of all kinds, with two arms and three trials: triggers and tasks by turns, each outcome now and then. */
export function makeMixed(cases: number, seed: number): EvalResult[] {
  const random = new MersenneTwister(seed);
  const skills = ['pdf', 'docx', 'table'];
  const outcomes: readonly TrialOutcome[] = [
    'passed',
    'passed',
    'passed',
    'failed',
    'inconclusive',
    'error',
    'stopped',
  ];
  return times(cases, (number) =>
    times(3, (trial) =>
      (['with_skill', 'without_skill'] as const).map((arm) => {
        const outcome = outcomes[random.below(outcomes.length)] ?? 'passed';
        const wanted = { skills: skills.slice(0, random.below(3)), all: number % 4 === 0, not: skills.slice(2) };
        return makeResult({
          case: `case-${number}`,
          kind: number % 2 === 0 ? 'task' : 'trigger',
          arm,
          trial,
          outcome,
          wanted,
          fired: skills.slice(random.below(3)),
        });
      }),
    ).flat(),
  ).flat();
}
