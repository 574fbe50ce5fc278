import type { EvalArm } from '../plan/eval-job.js';
import type { EvalResult } from '../results/eval-result.js';
import { adjustedBootstrap } from '../statistics/paired-bootstrap.js';
import { distinct, isScored, type CaseTrials } from './case-trials.js';
import type { Lift } from './eval-report.js';

const comparisons: readonly (readonly [arm: EvalArm, against: EvalArm])[] = [
  ['with_skill', 'without_skill'],
  ['with_skill', 'old_skill'],
  ['old_skill', 'without_skill'],
];

/** How much better each model is with the skills than without them, and than with older ones. */
export function scoreLifts(cases: readonly CaseTrials[], seed: number): readonly Lift[] {
  return distinct(cases.map(({ model }) => model)).flatMap((model) => {
    const own = cases.filter((one) => one.model === model);
    const arms = new Set(own.map(({ arm }) => arm));
    return comparisons
      .filter(([arm, against]) => arms.has(arm) && arms.has(against))
      .map(([arm, against]) => scoreLift(own, { model, arm, against, seed }));
  });
}

interface LiftOf {
  readonly model: string;
  readonly arm: EvalArm;
  readonly against: EvalArm;
  readonly seed: number;
}

function scoreLift(cases: readonly CaseTrials[], { model, arm, against, seed }: LiftOf): Lift {
  const rate = against === 'without_skill' ? outcomeRate : passRate;
  const others = new Map(cases.filter((one) => one.arm === against).map((one) => [placeOf(one), one]));
  const differences = cases
    .filter((one) => one.arm === arm)
    .flatMap((one) => {
      const other = others.get(placeOf(one));
      const [here, there] = [rate(one), other === undefined ? undefined : rate(other)];
      return here === undefined || there === undefined ? [] : [here - there];
    });
  const value =
    differences.length === 0
      ? undefined
      : differences.reduce((sum, difference) => sum + difference, 0) / differences.length;
  return { model, arm, against, pairs: differences.length, value, interval: adjustedBootstrap(differences, { seed }) };
}

function placeOf({ suite, case: name }: CaseTrials): string {
  return JSON.stringify([suite, name]);
}

function passRate({ trials }: CaseTrials): number | undefined {
  return shareOf(trials.filter(isScored).map(({ outcome }) => outcome === 'passed'));
}

/** As `passRate`, by what came out alone: that a skill was used, and how, nobody can do who does not have it. */
function outcomeRate({ trials }: CaseTrials): number | undefined {
  return shareOf(trials.filter(isScored).flatMap((trial) => cameOut(trial) ?? []));
}

function cameOut({ checks }: EvalResult): boolean | undefined {
  if (!checks.some(({ kind }) => kind === 'output' || kind === 'rubric')) return undefined;
  return checks.every(
    ({ kind, verdict }) => kind === 'skills' || kind === 'actions' || kind === 'disclosure' || verdict === 'passed',
  );
}

function shareOf(answers: readonly boolean[]): number | undefined {
  return answers.length === 0 ? undefined : answers.filter(Boolean).length / answers.length;
}
