import { visibleText } from '@skillpack/core';
import { counted, namedFew, probability } from '../gate/describe-measure.js';
import { describeNeeded } from '../gate/describe-needed.js';
import type { GateSettings } from '../gate/judge-difference.js';
import { percent } from '../statistics/percent.js';
import { isRight, type PairedQueries, type QueryPair } from './pair-queries.js';
import type { RankComparison, SkillLoss } from './rank-report.js';

const mostNames = 5;

/** What ranks are told by. */
export interface ToldRanks {
  readonly comparison: Omit<RankComparison, 'reasons'>;
  /** What the test over all queries says, without the rule by skill. */
  readonly tested: RankComparison['verdict'];
  /** Shares of the queries that are ranked right. */
  readonly before: number;
  readonly after: number;
  readonly paired: PairedQueries;
  /** Pairs that do not count in the verdict. */
  readonly beside: readonly QueryPair[];
}

/** Why ranks are better or worse, each a sentence with its numbers: what decides first. */
export function describeRanks(told: ToldRanks, settings: GateSettings): readonly string[] {
  const { comparison, paired, beside } = told;
  const { losses = [] } = comparison;
  return [
    ...losses.filter(({ tooMany }) => tooMany).map(describeLoss),
    describeTest(told, settings),
    ...describeChanged(comparison),
    ...describeThefts(comparison.thefts),
    ...describeUnpaired(paired),
    ...describeBeside(beside),
  ];
}

function describeTest({ comparison, tested, before, after, beside }: ToldRanks, { margin }: GateSettings): string {
  const { pairs = 0, lost = 0, won = 0, pValue } = comparison;
  if (pairs === 0) return 'No query is in both: nothing can be compared.';
  const enough = describeNeeded(comparison, after - before);
  const numbers = `(lost ${lost}, won ${won}, p = ${probability(pValue)})`;
  const wanting = beside.length > 0 ? ' that want a skill' : '';
  const says = {
    worse: 'worse.',
    better: 'better.',
    no_change: `less than the ${(margin * 100).toFixed(1)} points that matter.`,
    underpowered: `too few queries to tell${enough === undefined ? '' : `; ${enough}`}.`,
  } as const;
  const moved = `${percent(before)} were ranked right before and ${percent(after)} are now`;
  return `Of ${pairs} queries${wanting}, ${moved} ${numbers}: ${says[tested]}`;
}

function describeLoss({ skill, requests, lost, won, takers }: SkillLoss): string {
  const found = `found it first and ${lost.length === 1 ? 'does' : 'do'} not any more`;
  const gained = won.length === 0 ? '' : ` (${won.length} the other way round)`;
  const named = takers.flatMap((taker) =>
    taker.skill === undefined ? [] : [`${visibleText(taker.skill)} (${taker.requests})`],
  );
  const more = named.length - mostNames;
  const by = `${named.slice(0, mostNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const none = takers.find((taker) => taker.skill === undefined)?.requests ?? 0;
  const parts = [
    namedFew(lost),
    ...(named.length === 0 ? [] : [`taken by ${by}`]),
    ...(none === 0 ? [] : [`${none} ${none === 1 ? 'finds' : 'find'} nothing`]),
  ];
  const of = `${lost.length} of ${counted(requests, 'request')} that want${requests === 1 ? 's' : ''} it`;
  return `${visibleText(skill)}: ${of} ${found}${gained}: ${parts.join('; ')}.`;
}

function describeChanged({ changed, added = [], gone = [] }: ToldRanks['comparison']): readonly string[] {
  const described = changed.filter((skill) => !added.includes(skill) && !gone.includes(skill));
  if (changed.length === 0) return ['No skill is described otherwise.'];
  return [
    ...(described.length === 0 ? [] : [`Described otherwise: ${namedFew(described)}.`]),
    ...(added.length === 0 ? [] : [`New: ${namedFew(added)}.`]),
    ...(gone.length === 0 ? [] : [`Gone: ${namedFew(gone)}.`]),
  ];
}

function describeThefts(thefts: RankComparison['thefts']): readonly string[] {
  return thefts.slice(0, mostNames).map(({ thief, victim, queries }) => {
    const took = queries.length === 1 ? '1 query' : `${queries.length} queries`;
    return `${visibleText(thief)} took ${took} from ${visibleText(victim)}: ${namedFew(queries)}.`;
  });
}

function describeUnpaired({ gone, added, asksOtherwise }: PairedQueries): readonly string[] {
  const told = (names: readonly string[], why: readonly [one: string, several: string]): readonly string[] => {
    if (names.length === 0) return [];
    const queries = names.length === 1 ? '1 query' : `${names.length} queries`;
    return [`Not compared: ${queries} ${why[names.length === 1 ? 0 : 1]}: ${namedFew(names)}.`];
  };
  return [
    ...told(asksOtherwise, [
      'that asks or wants something else than in the baseline',
      'that ask or want something else than in the baseline',
    ]),
    ...told(gone, ['of the baseline that is gone', 'of the baseline that are gone']),
    ...told(added, ['that is new', 'that are new']),
  ];
}

/** Of queries that want no skill: those that another one, or none, is first for now. */
function describeBeside(pairs: readonly QueryPair[]): readonly string[] {
  const lost = pairs.filter(({ before, after }) => isRight(before) && !isRight(after)).length;
  const won = pairs.filter(({ before, after }) => !isRight(before) && isRight(after)).length;
  if (lost === 0 && won === 0) return [];
  return [
    `Beside the verdict: of ${pairs.length} queries that want none, ${lost} are found now and were not, ${won} the other way round.`,
  ];
}
