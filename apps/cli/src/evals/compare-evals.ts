import { resolve } from 'node:path';
import { SkillsError } from '@skillpack/core';
import {
  compareRanks,
  compareResults,
  type EvalComparison,
  type GateVerdict,
  type RankComparison,
} from '@skillpack/evals';
import { readKeptEvals } from './eval-files.js';
import { compareOptionsOf, rankOptionsOf } from './gate-options-of.js';

/** What a command line says of two runs. */
export interface CompareFlags {
  readonly baseline: string;
  readonly dir: string;
  /** Percent. */
  readonly margin?: number | undefined;
  /** Percent. */
  readonly maxLost?: number | undefined;
}

/** Two runs held against each other. */
export interface ComparedEvals {
  /** The worst of both. */
  readonly verdict: GateVerdict;
  /** `null` where one of them ran nothing. */
  readonly comparison: EvalComparison | null;
  /** `null` where one of them ranked nothing. */
  readonly rankComparison: RankComparison | null;
}

/** Says whether results are better or worse than others. @throws as `readKeptEvals`; `USAGE` for runs that have nothing in common. */
export function compareEvals(flags: CompareFlags, cwd: string): ComparedEvals {
  const { baseline, dir } = flags;
  const before = readKeptEvals(resolve(cwd, baseline));
  const after = readKeptEvals(resolve(cwd, dir));
  const ran = before.results.length > 0 && after.results.length > 0;
  const comparison = ran ? compareResults(before.results, after.results, compareOptionsOf(flags)) : null;
  const ranked = before.ranks !== undefined && after.ranks !== undefined;
  const rankComparison = ranked ? compareRanks(before.ranks, after.ranks, rankOptionsOf(flags)) : null;
  const verdicts = [comparison?.verdict, rankComparison?.verdict];
  const verdict = order.find((one) => verdicts.includes(one));
  if (verdict !== undefined) return { verdict, comparison, rankComparison };
  throw new SkillsError('USAGE', `${baseline} and ${dir} have nothing that could be compared.`, {
    hint: 'Both need results, or both need ranks: skills eval writes them by --out.',
  });
}

const order: readonly GateVerdict[] = ['worse', 'underpowered', 'better', 'no_change'];
