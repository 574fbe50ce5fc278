import type { Digest } from '@skillpack/core';
import type { Rate } from '../statistics/rate.js';

/**
 * What a search without a model makes of every query over the whole catalogue. It costs nothing and is no measure of
 * triggering: a change of it says that a model should be asked again.
 */
export interface RankReport {
  readonly formatVersion: 1;
  /** Of each skill of the catalogue, what is searched: name and description. */
  readonly catalogue: readonly { readonly skill: string; readonly digest: Digest }[];
  readonly queries: readonly RankedQuery[];
  /** Of queries that want a skill: it, or one of them, is first; among the first 5. */
  readonly first: Rate;
  readonly amongFive: Rate;
  /** Of queries that want none of the skills of their suite: none of them is first. */
  readonly keptAway: Rate;
}

/** One query, and what was found for it. */
export interface RankedQuery {
  readonly suite: string;
  readonly case: string;
  readonly query: string;
  readonly wanted: readonly string[];
  readonly not: readonly string[];
  /** Names, best first; at most 10. */
  readonly found: readonly string[];
  /** Of the best skill that is wanted, from 1; `undefined` where none is found, or none is wanted. */
  readonly rank: number | undefined;
}

/** How a catalogue ranks queries otherwise than an older one. */
export interface RankComparison {
  readonly verdict: 'better' | 'worse' | 'no_change' | 'underpowered';
  readonly reasons: readonly string[];
  /** Skills that are described otherwise, are new, or are gone. */
  readonly changed: readonly string[];
  /** Of these, the ones that are new. @default it is not known */
  readonly added?: readonly string[] | undefined;
  /** Of these, the ones that are gone. @default it is not known */
  readonly gone?: readonly string[] | undefined;
  /** Queries whose first skill is another one, those that lost a wanted one first. */
  readonly moves: readonly RankMove[];
  /** Who took queries from whom that wanted the other, most first; queries as `suite/case`. */
  readonly thefts: readonly { readonly thief: string; readonly victim: string; readonly queries: readonly string[] }[];
  /** Skills that lost some of the requests that want them, most first. @default it is not known */
  readonly losses?: readonly SkillLoss[] | undefined;
  /** Of the exact test of McNemar over the queries that are judged; two-sided. */
  readonly pValue: number;
  /** Queries that both have and the verdict goes by: those that want a skill, or all where none does. */
  readonly pairs?: number | undefined;
  /** Of these, those that were right before and are not now, and the other way round. */
  readonly lost?: number | undefined;
  readonly won?: number | undefined;
  /** Where the test has too few: how many queries would show which difference, as of a `MeasureComparison`. */
  readonly needed?: number | undefined;
  readonly neededFor?: number | undefined;
  readonly neededSeen?: number | undefined;
  /** Queries that only one of both has, or that ask or want something else now: `suite/case`. @default it is not known */
  readonly onlyInBaseline?: readonly string[] | undefined;
  readonly onlyHere?: readonly string[] | undefined;
}

/** What a skill lost of the requests that want it. */
export interface SkillLoss {
  readonly skill: string;
  /** Requests of both that want it. */
  readonly requests: number;
  /** Those that found it first, and now nothing that they want: `suite/case`. */
  readonly lost: readonly string[];
  /** Those that find it first now, and found nothing that they want. */
  readonly won: readonly string[];
  /** What those that are lost find first now, most first; `undefined`: nothing. */
  readonly takers: readonly { readonly skill: string | undefined; readonly requests: number }[];
  /** It lost more than `maxLost` says, those that it won taken off: the verdict is `worse`. */
  readonly tooMany: boolean;
}

/** A query whose first skill is another one. */
export interface RankMove {
  readonly suite: string;
  readonly case: string;
  readonly query: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly rankBefore: number | undefined;
  readonly rankAfter: number | undefined;
  /** It was right before, and is not now: a wanted skill is no longer first, or one that must not be is. */
  readonly lost: boolean;
  /** The other way round. */
  readonly won: boolean;
}
