import { clusteredRate, type Cluster } from '../statistics/clustered-rate.js';
import { f1Of, type ChoiceCounts } from '../statistics/f1-of.js';
import { percentileBootstrap } from '../statistics/percentile-bootstrap.js';
import type { Interval } from '../statistics/rate.js';
import { groupBy, type CaseTrials } from './case-trials.js';
import type { TriggerScore } from './eval-report.js';
import { confusionOf, countWhether, scoreSkills } from './score-skills.js';
import { skillChoice, type SkillChoice } from './skill-choice.js';

/** How well skills are chosen, for each model and arm that has cases which say what skills they want. */
export function scoreTriggers(cases: readonly CaseTrials[], seed: number): readonly TriggerScore[] {
  const asking = cases.filter(
    ({ arm, trials }) => arm !== 'without_skill' && trials.some(({ wanted }) => wanted !== undefined),
  );
  return groupBy(asking, ({ model, arm }) => JSON.stringify([model, arm])).flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [scoreGroup(first, group, seed)];
  });
}

function scoreGroup({ model, arm }: CaseTrials, group: readonly CaseTrials[], seed: number): TriggerScore {
  const choices = group.map(({ trials }) => trials.flatMap((trial) => skillChoice(trial) ?? []));
  const counts = choices.map(countChoices);
  const sum = addCounts(counts);
  const trials = group.flatMap((one) => one.trials).filter(({ wanted }) => wanted !== undefined);
  return {
    model,
    arm,
    ...sum,
    inconclusive: trials.filter(({ outcome }) => outcome === 'inconclusive').length,
    errors: trials.filter(({ outcome }) => outcome === 'error').length,
    precision: clusteredRate(counts.map((count) => share(count.truePositives, count.falsePositives))),
    recall: clusteredRate(counts.map((count) => share(count.truePositives, count.falseNegatives))),
    specificity: clusteredRate(counts.map((count) => share(count.trueNegatives, count.falsePositives))),
    f1: scoreF1(counts, sum, seed),
    skills: scoreSkills(choices),
    confusion: confusionOf(choices.flat()),
  };
}

interface CaseCounts extends ChoiceCounts {
  readonly trueNegatives: number;
}

function countChoices(choices: readonly SkillChoice[]): CaseCounts {
  const wanting = countWhether(choices.map(({ hit }) => hit));
  const forbidding = countWhether(choices.map(({ intruded }) => intruded));
  return {
    truePositives: wanting.successes,
    falseNegatives: wanting.total - wanting.successes,
    falsePositives: forbidding.successes,
    trueNegatives: forbidding.total - forbidding.successes,
  };
}

function addCounts(counts: readonly CaseCounts[]): CaseCounts {
  const total = (name: keyof CaseCounts): number => counts.reduce((sum, count) => sum + count[name], 0);
  return {
    truePositives: total('truePositives'),
    falseNegatives: total('falseNegatives'),
    falsePositives: total('falsePositives'),
    trueNegatives: total('trueNegatives'),
  };
}

function share(successes: number, failures: number): Cluster {
  return { successes, total: successes + failures };
}

function scoreF1(counts: readonly CaseCounts[], sum: CaseCounts, seed: number): TriggerScore['f1'] {
  const value = f1Of(sum);
  if (value === undefined) return undefined;
  // Where nothing is wrong, or nothing right, every resample says the same.
  const uniform = sum.truePositives === 0 || sum.falsePositives + sum.falseNegatives === 0;
  return { value, interval: uniform ? overlapInterval(counts) : bootstrapF1(counts, seed) };
}

function bootstrapF1(counts: readonly CaseCounts[], seed: number): Interval | undefined {
  return percentileBootstrap(
    counts.length,
    (drawn) => {
      const sum = { truePositives: 0, falsePositives: 0, falseNegatives: 0 };
      for (const at of drawn) {
        const count = counts[at];
        sum.truePositives += count?.truePositives ?? 0;
        sum.falsePositives += count?.falsePositives ?? 0;
        sum.falseNegatives += count?.falseNegatives ?? 0;
      }
      return f1Of(sum);
    },
    { seed },
  );
}

/** By TP / (TP + FP + FN), which is a share, and from which F1 follows: 2 J / (1 + J). */
function overlapInterval(counts: readonly CaseCounts[]): Interval | undefined {
  const { interval } = clusteredRate(
    counts.map((count) => share(count.truePositives, count.falsePositives + count.falseNegatives)),
  );
  if (interval === undefined) return undefined;
  const asF1 = (overlap: number): number => (2 * overlap) / (1 + overlap);
  return { low: asF1(interval.low), high: asF1(interval.high) };
}
