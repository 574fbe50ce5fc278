import type { EvalResult } from '../results/eval-result.js';
import { distinct, groupBy } from '../score/case-trials.js';
import { expectResults } from '../score/expect-results.js';
import { gatingArms } from '../score/gating-arms.js';
import { adjustHolm } from '../statistics/adjust-holm.js';
import { caseChanges } from './case-changes.js';
import type { CompareOptions } from './compare-options.js';
import { counted, describeMeasure, describePlace, namedFew } from './describe-measure.js';
import { describeNothing } from './describe-nothing.js';
import { describeUnpaired } from './describe-unpaired.js';
import type { EvalComparison, GateVerdict, MeasureComparison } from './eval-comparison.js';
import { gateSettings } from './gate-settings.js';
import { judgeDifference, measureDifference, neededSizes, type GateSettings } from './judge-difference.js';
import { measurePairs, type MeasuredPairs } from './measure-pairs.js';
import { pairResults } from './pair-results.js';

/**
 * Compares results with those of a baseline: pass rate, recall and specificity of each model and arm, paired by case. Trials
 * that were not scored count in nothing. The verdict is that of the arm `with_skill`, or of all where that was not run now:
 * `worse` where a measure is; else `better` where one is; else `underpowered` where one is, or nothing can be compared
 * (`compared` is 0).
 *
 * Over the measures of these arms together, a change is seen where there is none no more often than `alpha` says (Holm).
 *
 * @throws `USAGE` for options that cannot be, and for what is no list of results.
 */
export function compareResults(
  baseline: readonly EvalResult[],
  current: readonly EvalResult[],
  options: CompareOptions = {},
): EvalComparison {
  const settings = gateSettings(options, 'compareResults');
  expectResults(baseline, { of: 'compareResults', name: 'baseline' });
  expectResults(current, { of: 'compareResults' });
  const paired = pairResults(baseline, current);
  const measured = measurePairs(paired.pairs);
  const arms = gatingArms(current.map(({ arm }) => arm));
  const { deterministic = () => false } = options;
  const certain = measured.map((one) => certainOf(one, deterministic(one.model)));
  const gating = judgeMeasures(
    certain.filter(({ arm }) => arms.includes(arm)),
    settings,
  );
  const beside = judgeMeasures(
    certain.filter(({ arm }) => !arms.includes(arm)),
    settings,
  );
  return {
    verdict: verdictOf(gating),
    reasons: [
      ...(gating.length === 0 ? [describeNothing(baseline, current)] : describeGating(gating, settings)),
      ...describeBeside(beside, settings),
      ...describeUnpaired(paired),
    ],
    measures: [...gating, ...beside],
    compared: gating.reduce((most, { pairs }) => Math.max(most, pairs), 0),
    changes: caseChanges(paired.pairs),
    onlyInBaseline: paired.onlyInBaseline,
    onlyHere: paired.onlyHere,
  };
}

/** Measures with what no chance is in. */
interface CertainPairs extends MeasuredPairs {
  readonly unchanged: boolean;
}

/** What a model answers the same each time says for certain; of another one, nothing is. */
function certainOf(measured: MeasuredPairs, deterministic: boolean): CertainPairs {
  if (!deterministic) return { ...measured, broken: [], unchanged: false };
  return { ...measured, unchanged: measured.values.every(({ before, after }) => before === after) };
}

function judgeMeasures(measured: readonly CertainPairs[], settings: GateSettings): readonly MeasureComparison[] {
  const differences = measured.map(({ values }) => measureDifference(values, settings));
  const signatures = distinct(measured.map(({ signature }) => signature));
  const firsts = signatures.map((signature) => measured.findIndex((one) => one.signature === signature));
  const adjusted = adjustHolm(firsts.map((at) => differences[at]?.pValue ?? 1));
  return measured.flatMap(({ name, model, arm, values, broken, unchanged, signature }, at) => {
    const difference = differences[at];
    if (difference === undefined) return [];
    const adjustedPValue = adjusted[signatures.indexOf(signature)] ?? 1;
    const same = unchanged && broken.length === 0;
    const certain = broken.length > 0 ? 'worse' : same ? 'no_change' : undefined;
    const verdict = certain ?? judgeDifference(difference, adjustedPValue, settings);
    const needed = verdict === 'underpowered' ? neededSizes(values, signatures.length, settings) : {};
    return [
      {
        name,
        model,
        arm,
        verdict,
        ...difference,
        adjustedPValue,
        ...(broken.length === 0 ? {} : { regressions: broken }),
        ...(same ? { unchanged: true } : {}),
        ...needed,
      },
    ];
  });
}

function verdictOf(measures: readonly MeasureComparison[]): GateVerdict {
  const order: readonly GateVerdict[] = ['worse', 'better', 'underpowered'];
  if (measures.length === 0) return 'underpowered';
  return order.find((verdict) => measures.some((measure) => measure.verdict === verdict)) ?? 'no_change';
}

function describeGating(measures: readonly MeasureComparison[], { margin }: GateSettings): readonly string[] {
  const order: readonly GateVerdict[] = ['worse', 'better', 'underpowered', 'no_change'];
  return [
    ...describeRegressions(measures),
    ...measures
      .toSorted((left, right) => order.indexOf(left.verdict) - order.indexOf(right.verdict))
      .map((measure) => describeMeasure(measure, margin)),
  ];
}

/** What no chance is in, once for each model and arm: whatever chooses another skill fails, too. */
function describeRegressions(measures: readonly MeasureComparison[]): readonly string[] {
  return groupBy(measures, ({ model, arm }) => JSON.stringify([model, arm])).flatMap((group) => {
    const [first] = group;
    const broken = distinct(group.flatMap(({ regressions }) => regressions ?? []));
    if (first === undefined || broken.length === 0) return [];
    const fail = `${counted(broken.length, 'case')} that passed in the baseline ${broken.length === 1 ? 'fails' : 'fail'} now`;
    return [`${fail} ${describePlace(first)}, which answers the same each time: ${namedFew(broken)}.`];
  });
}

/** An arm without the skills as they are tells of what else has changed, such as the model. */
function describeBeside(measures: readonly MeasureComparison[], { margin }: GateSettings): readonly string[] {
  const changed = measures.filter(({ verdict }) => verdict === 'worse' || verdict === 'better');
  return [...describeRegressions(measures), ...changed.map((measure) => describeMeasure(measure, margin))].map(
    (reason) => `Beside the verdict: ${reason}`,
  );
}
