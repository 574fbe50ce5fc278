import { join, resolve } from 'node:path';
import { SkillsError } from '@skillpack/core';
import { sha256 } from '@skillpack/cli-dist';
import {
  formatPlan,
  formatRankReport,
  formatReport,
  formatResult,
  mergeShards,
  parseResults,
  parseShard,
  type EvalResult,
  type EvalShard,
} from '@skillpack/evals';
import type { EvalData } from './eval-data.js';
import { evalFileNames, readRanks, textOf } from './eval-files.js';
import type { GateFlags } from './eval-options.js';
import { casesAt } from './find-cases.js';
import { judgeKept } from './judge-kept.js';
import { refuseOneFolder } from './read-eval-flags.js';
import { writeText } from './write-reports.js';

/** What a command line says of the parts, and of the whole. */
export interface MergeFlags extends GateFlags {
  readonly dirs: readonly string[];
  /** Where the cases lie. */
  readonly cases?: string | undefined;
  readonly out?: string | undefined;
  readonly reporter?: string | undefined;
}

/** The folders that paths start from. */
export interface MergePlaces {
  readonly cwd: string;
  readonly projectDir: string;
}

const maxBytes = 512 * 1024 * 1024;

/**
 * Makes one run of the parts that several machines ran, and judges it. Nothing is written unless all of it is there.
 *
 * @throws `SHARD_MISMATCH` as `mergeShards`; `FILE_NOT_FOUND` for a folder that holds no part; `INVALID_RESULTS`.
 */
export async function mergeEvals(flags: MergeFlags, { cwd, projectDir }: MergePlaces): Promise<EvalData> {
  const out = resolve(cwd, flags.out ?? join(projectDir, '.agents', 'evals'));
  refuseOneFolder(flags.baseline, out, cwd);
  const found = await casesAt(flags.cases, cwd);
  const folders = flags.dirs.map((dir) => resolve(cwd, dir));
  const { plan, results } = mergeShards(folders.map(readPart), { sha256 });
  const ranks = folders.map((folder) => readRanks(folder)).find((one) => one !== undefined);
  await writeText(join(out, evalFileNames.results), linesOf(others(out, results), results));
  await writeText(join(out, evalFileNames.plan), formatPlan(plan));
  if (ranks !== undefined) await writeText(join(out, evalFileNames.ranks), formatRankReport(ranks));
  const data = await judgeKept({ plan, results, ranks, ...found, out, cwd }, flags);
  if (data.report !== null) await writeText(join(out, evalFileNames.report), formatReport(data.report));
  return data;
}

function readPart(folder: string): { readonly shard: EvalShard; readonly results: readonly EvalResult[] } {
  const shard = textOf(join(folder, evalFileNames.shard), maxBytes);
  if (shard === undefined) {
    throw new SkillsError('FILE_NOT_FOUND', `${folder} holds no part of a run: there is no ${evalFileNames.shard}.`, {
      hint: 'Name the folders that skills eval --shard i/n --out <dir> wrote.',
      data: { path: folder },
    });
  }
  const parsed = parseShard(shard);
  const log = join(folder, evalFileNames.results);
  const keys = new Set(parsed.keys);
  const all = parseResults(textOf(log, maxBytes) ?? '', { what: log });
  const known = new Set(parsed.jobs.map(({ key }) => key));
  // What an earlier run of another plan left there is nobody's; of this plan, what another part was to run is told.
  return { shard: parsed, results: all.filter(({ key }) => keys.has(key) || known.has(key)) };
}

/** Results of other plans that lie where the whole goes: they may be used again. */
function others(out: string, results: readonly EvalResult[]): readonly EvalResult[] {
  const log = join(out, evalFileNames.results);
  const text = textOf(log, maxBytes);
  const ours = new Set(results.map(({ key }) => key));
  return text === undefined ? [] : parseResults(text, { what: log }).filter(({ key }) => !ours.has(key));
}

function linesOf(...groups: readonly (readonly EvalResult[])[]): string {
  return groups.flat().map(lineOf).join('');
}

function lineOf(result: EvalResult): string {
  const line = formatResult(result);
  return line.endsWith('\n') ? line : `${line}\n`;
}
