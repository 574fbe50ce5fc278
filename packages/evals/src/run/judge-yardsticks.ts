import { quoted } from '@skillpack/core';
import type { EvalPlan } from '../plan/eval-job.js';
import type { EvalResult } from '../results/eval-result.js';
import { scoreResults } from '../score/score-results.js';
import type { Rate } from '../statistics/rate.js';
import type { SelfTestFinding } from './self-test-report.js';
import { yardstickName, yardsticks, type Yardstick } from './yardstick-models.js';

/** Whether each model came to what it has to come to. */
export function judgeYardsticks(plan: EvalPlan, results: readonly EvalResult[]): readonly SelfTestFinding[] {
  return yardsticks.flatMap((yardstick) => {
    const model = yardstickName(yardstick);
    const jobs = plan.jobs.filter((job) => job.model === model);
    const own = results.filter((result) => result.model === model);
    const lost = jobs.filter(({ key }) => own.filter((result) => result.key === key).length !== 1);
    if (lost.length > 0 || own.length !== jobs.length) {
      return [{ kind: 'lost' as const, message: `Of ${jobs.length} trials of ${model}, ${own.length} have a result.` }];
    }
    return yardstick === 'dead' ? judgeDead(own) : judgeLiving(yardstick, own);
  });
}

function judgeDead(results: readonly EvalResult[]): readonly SelfTestFinding[] {
  const scored = results.filter(({ outcome }) => outcome !== 'error');
  const { verdict, triggers } = scoreResults(results, { title: 'self-test' });
  const rates = triggers.flatMap(({ precision, recall, specificity }) => [precision, recall, specificity]);
  if (scored.length === 0 && verdict.kind === 'invalid' && rates.every(({ value }) => value === undefined)) return [];
  const message =
    scored.length === 0
      ? `A model that never answers makes the verdict ${quoted(verdict.kind)}; it has to be “invalid”.`
      : `A model that never answers is scored in ${listOf(scored)}.`;
  return [{ kind: 'dead_scored', message }];
}

function judgeLiving(
  yardstick: Exclude<Yardstick, 'dead'>,
  results: readonly EvalResult[],
): readonly SelfTestFinding[] {
  const [recall, specificity] = yardstick === 'always' ? [1, 0] : [0, 1];
  const unscored = results.filter(({ outcome }) => outcome !== 'passed' && outcome !== 'failed');
  const [first] = unscored;
  const who = `A model that ${yardstick} chooses`;
  if (first !== undefined) {
    const why = first.reason === undefined ? '' : ` ${first.reason.message}`;
    return [{ kind: 'recall', message: `${who} is not scored in ${listOf(unscored)}.${why}` }];
  }
  const [score] = scoreResults(results, { title: 'self-test' }).triggers;
  const findings: SelfTestFinding[] = [];
  const hold = (kind: 'recall' | 'specificity', rate: Rate | undefined, wanted: number): void => {
    // Without a case that wants a skill, or one that forbids some, there is nothing to count.
    const counts = kind === 'recall' ? results.some(wants) : results.some(forbids);
    if (rate?.value === (counts ? wanted : undefined)) return;
    const came = rate?.value === undefined ? 'none' : String(Number(rate.value.toFixed(3)));
    findings.push({ kind, message: `${who} comes to a ${kind} of ${came}; it has to be ${counts ? wanted : 'none'}.` });
  };
  hold('recall', score?.recall, recall);
  hold('specificity', score?.specificity, specificity);
  return findings;
}

function wants({ wanted }: EvalResult): boolean {
  return wanted !== undefined && wanted.skills.length > 0;
}

function forbids({ wanted }: EvalResult): boolean {
  return wanted !== undefined && (wanted.not.length > 0 || wanted.skills.length === 0);
}

const mostNamed = 3;

function listOf(results: readonly EvalResult[]): string {
  const names = results.slice(0, mostNamed).map((result) => quoted(`${result.suite}/${result.case}`));
  const more = results.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
