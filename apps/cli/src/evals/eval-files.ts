import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { quoted, SkillsError } from '@skillpack/core';
import {
  parsePlan,
  parseRankReport,
  parseResults,
  selectResults,
  type EvalPlan,
  type EvalResult,
  type RankReport,
} from '@skillpack/evals';
import { readRegularFile } from '../files/read-regular-file.js';

/** What lies in a folder of results, by its name. */
export const evalFileNames = {
  results: 'results.jsonl',
  plan: 'plan.json',
  shard: 'shard.json',
  ranks: 'ranks.json',
  report: 'report.json',
  junit: 'junit.xml',
  markdown: 'summary.md',
  html: 'report.html',
} as const;

/** Results that a run left. */
export interface KeptEvals {
  /** @default the folder has none, or it is a file of results */
  readonly plan: EvalPlan | undefined;
  /** Those of the plan, in its order, where there is one; else of each trial the last. */
  readonly results: readonly EvalResult[];
  readonly ranks: RankReport | undefined;
}

const maxResultsBytes = 512 * 1024 * 1024;
const maxPlanBytes = 256 * 1024 * 1024;

/**
 * Reads what a run left: a folder, or a file of results.
 *
 * @param path absolute.
 * @throws `FILE_NOT_FOUND` where there is nothing of a run; `INVALID_RESULTS`, `UNSUPPORTED_FORMAT`, `FILE_TOO_LARGE`, `IO_ERROR`.
 */
export function readKeptEvals(path: string): KeptEvals {
  if (!existsSync(path)) throw nothingThere(path, 'does not exist');
  if (!statSync(path).isDirectory()) {
    return {
      plan: undefined,
      results: lastOnes(parseResults(textOf(path, maxResultsBytes) ?? '', { what: path })),
      ranks: undefined,
    };
  }
  const log = join(path, evalFileNames.results);
  const results = textOf(log, maxResultsBytes);
  const plan = readPlan(path);
  const ranks = readRanks(path);
  if (results === undefined && ranks === undefined) throw nothingThere(path, 'holds no results');
  const all = results === undefined ? [] : parseResults(results, { what: log });
  return { plan, results: plan === undefined ? lastOnes(all) : selectResults(plan, all), ranks };
}

function readPlan(folder: string): EvalPlan | undefined {
  const text = textOf(join(folder, evalFileNames.plan), maxPlanBytes);
  return text === undefined ? undefined : parsePlan(text);
}

/** The ranks in a folder of results, where there are some. @throws as {@link readKeptEvals}. */
export function readRanks(folder: string): RankReport | undefined {
  const path = join(folder, evalFileNames.ranks);
  const text = textOf(path, maxPlanBytes);
  return text === undefined ? undefined : parseRankReport(text, { fileName: path });
}

/** The text of a regular file, where there is one. @throws `FILE_TOO_LARGE`, `IO_ERROR`. */
export function textOf(path: string, maxBytes: number): string | undefined {
  return readRegularFile(path, { maxBytes })?.toString('utf8');
}

function lastOnes(results: readonly EvalResult[]): readonly EvalResult[] {
  return [...new Map(results.map((result) => [result.key, result])).values()];
}

function nothingThere(path: string, why: string): SkillsError {
  return new SkillsError('FILE_NOT_FOUND', `${quoted(path)} ${why}.`, {
    hint: 'Expected a folder that skills eval wrote by --out, or a results.jsonl of one.',
    data: { path },
  });
}
