import { visibleText } from '@skillpack/core';
import { counted } from '../gate/describe-measure.js';
import type { EvalComparison } from '../gate/eval-comparison.js';
import type { EvalResult } from '../results/eval-result.js';
import { percent } from '../statistics/percent.js';
import { distinct, groupBy, isScored } from './case-trials.js';
import { describeCodes } from './describe-codes.js';
import type { EvalVerdict, OutcomeCounts, TriggerScore } from './eval-report.js';
import type { EvalThresholds } from './eval-thresholds.js';
import { gatingArms } from './gating-arms.js';

/** What a verdict is made of. */
export interface JudgedReport {
  readonly results: readonly EvalResult[];
  readonly counts: OutcomeCounts;
  readonly triggers: readonly TriggerScore[];
  readonly comparison: EvalComparison | undefined;
  /** Of the results, those of cases that are compared; `undefined` without a baseline. */
  readonly compared: ReadonlySet<EvalResult> | undefined;
  readonly thresholds: EvalThresholds;
}

const mostNames = 5;

/**
 * The verdict: `invalid` where too little could be scored; else `incomplete` where trials are missing; else `invalid` where
 * there is a baseline of which nothing can be compared; else `failed` where a threshold is not held or something got worse;
 * else `passed`.
 */
export function judgeReport(judged: JudgedReport): EvalVerdict {
  const ended = judged.results.filter(({ outcome }) => outcome !== 'stopped');
  const invalid = findInvalid(ended, judged);
  if (invalid.length > 0) return { kind: 'invalid', reasons: invalid };
  const arms = gatingArms(judged.results.map(({ arm }) => arm));
  const gating = ended.filter(({ arm }) => arms.includes(arm));
  const failures = [...findFailures(gating, judged), ...findMissed(gating, judged), ...findWorse(judged.comparison)];
  const missing = describeMissing(judged);
  const notes = [...describeUnscored(ended), ...describeComparison(judged.comparison)];
  if (missing !== undefined) return { kind: 'incomplete', reasons: [missing, ...failures, ...notes] };
  if (judged.comparison?.compared === 0)
    return { kind: 'invalid', reasons: [...judged.comparison.reasons, ...failures, ...describeUnscored(ended)] };
  if (failures.length > 0) return { kind: 'failed', reasons: [...failures, ...notes] };
  return { kind: 'passed', reasons: [describePassed(gating, ended), ...notes] };
}

/** A model that is dead, or that much of nothing is known of, makes all of it invalid. */
function findInvalid(ended: readonly EvalResult[], { counts, thresholds }: JudgedReport): readonly string[] {
  const { minScored = 0.5, maxErrors = 0.2 } = thresholds;
  if (counts.planned === 0) return ['There is nothing to score: no trial was run.'];
  return groupBy(ended, ({ model, arm }) => JSON.stringify([model, arm])).flatMap((group) => {
    const scored = group.filter(isScored).length;
    const errors = group.filter(({ outcome }) => outcome === 'error');
    const where = describePlace(group);
    if (errors.length > maxErrors * group.length)
      return [
        `${errors.length} of ${counted(group.length, 'trial')} ${where} ${errors.length === 1 ? 'is an error' : 'are errors'}${describeCodes(errors)}: nothing is said of the skills by that.`,
      ];
    if (scored === 0 || scored < minScored * group.length)
      return [
        `Only ${scored} of ${counted(group.length, 'trial')} ${where} could be scored${describeCodes(group)}: that is too few to say anything.`,
      ];
    return [];
  });
}

/** Cases that are compared may be held to another threshold; the others have no partner that could excuse them. */
function findFailures(gating: readonly EvalResult[], { compared, thresholds }: JudgedReport): readonly string[] {
  const { minPassRate = 1, minPassRateCompared, minPrecision, minRecall, minSpecificity, minF1 } = thresholds;
  const triggersApart = [minPrecision, minRecall, minSpecificity, minF1].some((least) => least !== undefined);
  const held = gating.filter((result) => isScored(result) && !(triggersApart && result.kind === 'trigger'));
  if (compared === undefined || minPassRateCompared === undefined) return describeFailures(held, minPassRate);
  return [
    ...describeFailures(
      held.filter((result) => !compared.has(result)),
      minPassRate,
      ' of cases that the baseline says nothing of',
    ),
    ...describeFailures(
      held.filter((result) => compared.has(result)),
      minPassRateCompared,
    ),
  ];
}

function describeFailures(held: readonly EvalResult[], least: number, which = ''): readonly string[] {
  return groupBy(held, ({ model, arm }) => JSON.stringify([model, arm])).flatMap((group) => {
    const failed = group.filter(({ outcome }) => outcome === 'failed');
    const rate = (group.length - failed.length) / group.length;
    if (rate >= least) return [];
    const every = group.length === 1 ? 'it was to pass' : 'all were to pass';
    const wish = least === 1 ? every : `at least ${percent(least)} were to pass`;
    const all = group.length === 1 ? 'The one trial' : `${failed.length} of ${counted(group.length, 'trial')}`;
    const fell = `${all}${which} ${describePlace(group)} failed`;
    return [`${fell}; ${wish}: ${nameCases(failed)}.`];
  });
}

/** Thresholds of triggers that are not held; a measure that is undefined, or that no case is for, holds none. */
function findMissed(gating: readonly EvalResult[], { triggers, thresholds }: JudgedReport): readonly string[] {
  const arms = gatingArms(triggers.map(({ arm }) => arm));
  return distinct(gating.map(({ model }) => model)).flatMap((model) => {
    const own = triggers.filter((score) => score.model === model && arms.includes(score.arm));
    const scores: readonly (TriggerScore | undefined)[] = own.length === 0 ? [undefined] : own;
    return scores.flatMap((score) => describeMissed(model, score, thresholds));
  });
}

function describeMissed(model: string, score: TriggerScore | undefined, thresholds: EvalThresholds): readonly string[] {
  const measures: readonly (readonly [name: string, value: number | undefined, least: number | undefined])[] = [
    ['Precision', score?.precision.value, thresholds.minPrecision],
    ['Recall', score?.recall.value, thresholds.minRecall],
    ['Specificity', score?.specificity.value, thresholds.minSpecificity],
    ['F1', score?.f1?.value, thresholds.minF1],
  ];
  return measures.flatMap(([name, value, least]) => {
    if (least === undefined || (value !== undefined && value >= least)) return [];
    const [is, wish] = value === undefined ? [undefined, percent(least)] : apart(value, least);
    const told = is === undefined ? 'is undefined, since there was nothing to count' : `is ${is}`;
    return [`${name} with ${visibleText(model)} ${told}; at least ${wish} was to be.`];
  });
}

/** Two shares that differ, with as many places as show it. */
function apart(value: number, least: number): readonly [string, string] {
  const told = (places: number): readonly [string, string] => [
    `${(value * 100).toFixed(places)} %`,
    `${(least * 100).toFixed(places)} %`,
  ];
  const places = [1, 2, 3, 4, 5].find((number) => told(number)[0] !== told(number)[1]);
  return told(places ?? 6);
}

function findWorse(comparison: EvalComparison | undefined): readonly string[] {
  if (comparison?.verdict !== 'worse') return [];
  return ['It got worse than the baseline.', ...comparison.reasons];
}

function describeComparison(comparison: EvalComparison | undefined): readonly string[] {
  if (comparison === undefined || comparison.verdict === 'worse') return [];
  const words = { better: 'better', no_change: 'no change', underpowered: 'too few cases to tell' } as const;
  const word = comparison.compared === 0 ? 'nothing to compare' : words[comparison.verdict];
  return [`Against the baseline: ${word}.`, ...comparison.reasons];
}

function describeMissing({ results, counts }: JudgedReport): string | undefined {
  const stopped = results.filter(({ outcome }) => outcome === 'stopped');
  const never = counts.planned - results.length;
  if (stopped.length === 0 && never <= 0) return undefined;
  const parts = [
    ...(stopped.length === 0
      ? []
      : [`${stopped.length} ${stopped.length === 1 ? 'was' : 'were'} stopped${describeCodes(stopped)}`]),
    ...(never <= 0 ? [] : [`${never} ${never === 1 ? 'has' : 'have'} no result`]),
  ];
  return `Of ${counted(counts.planned, 'trial')} that were planned, ${parts.join(' and ')}.`;
}

function describeUnscored(ended: readonly EvalResult[]): readonly string[] {
  const errors = ended.filter(({ outcome }) => outcome === 'error');
  const open = ended.filter(({ outcome }) => outcome === 'inconclusive');
  return [
    ...(errors.length === 0 ? [] : [`Not scored: ${counted(errors.length, 'error')}${describeCodes(errors)}.`]),
    ...(open.length === 0 ? [] : [`Not scored: ${counted(open.length, 'trial')} that came to no conclusion.`]),
  ];
}

/** Where other arms were run that are not judged, it says of which it speaks. */
function describePassed(gating: readonly EvalResult[], ended: readonly EvalResult[]): string {
  const scored = gating.filter(isScored);
  const passed = scored.filter(({ outcome }) => outcome === 'passed').length;
  const others = ended.some((result) => !gating.some(({ arm }) => arm === result.arm));
  const where = others ? ` in the arm ${distinct(gating.map(({ arm }) => arm)).join(', ')}` : '';
  const trials = counted(scored.length, 'trial');
  if (passed < scored.length)
    return `${passed} of ${trials}${where} that ${scored.length === 1 ? 'was' : 'were'} scored passed; everything is within what is allowed.`;
  return scored.length === 1
    ? `The one trial${where} that was scored passed.`
    : `All ${trials}${where} that were scored passed.`;
}

function describePlace(group: readonly EvalResult[]): string {
  const [first] = group;
  if (first === undefined) return '';
  return `with ${visibleText(first.model)}${first.arm === 'with_skill' ? '' : ` in the arm ${first.arm}`}`;
}

function nameCases(results: readonly EvalResult[]): string {
  const names = [...new Set(results.map(({ suite, case: name }) => visibleText(`${suite}/${name}`)))];
  const more = names.length - mostNames;
  return `${names.slice(0, mostNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
