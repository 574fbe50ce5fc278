import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { workspace } from '../bench-options.ts';

/** What one call is asked for. */
export interface SearchBenchOptions {
  /** The folder of the labelled skills, which are not part of this repository. */
  readonly data: string;
  /** A table of programs that larger pools are made of. */
  readonly programs: string | undefined;
  /** How many skills there are in each pool. */
  readonly pools: readonly number[];
  readonly rounds: number;
  readonly check: boolean;
  readonly help: boolean;
}

/** What `--help` prints. */
export const searchHelp = `pnpm bench:search [options]

Rates and times the search over skills, beside MiniSearch with its defaults.

  --data FOLDER    skills.jsonl and queries.jsonl: skills, and requests that people labelled
                   (default: SKILLPACK_SEARCH_DATA, else ../shared/data/skill-trigger-bench; without them only times)
  --programs FILE  larger pools are made of this table of names and summaries, instead of shuffled words
  --pools N,…      how many skills there are (default: 0,1000,10000; 0 are the labelled ones alone)
  --rounds N       runs of each search, the least of which counts (default: 3)
  --check          exit code 1 when a target is missed`;

/** Reads the words of a call. Throws with a sentence about the first that is wrong. */
export function readSearchOptions(words: readonly string[]): SearchBenchOptions {
  const { values } = parseArgs({
    args: [...words],
    options: {
      data: { type: 'string' },
      programs: { type: 'string' },
      pools: { type: 'string', default: '0,1000,10000' },
      rounds: { type: 'string', default: '3' },
      check: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const shared = join(workspace, '..', 'shared', 'data', 'skill-trigger-bench');
  return {
    data: resolve(values.data ?? process.env['SKILLPACK_SEARCH_DATA'] ?? shared),
    programs: values.programs,
    pools: values.pools.split(',').map((text) => wholeNumber('--pools', text, 0)),
    rounds: wholeNumber('--rounds', values.rounds, 1),
    check: values.check,
    help: values.help,
  };
}

function wholeNumber(option: string, text: string, least: number): number {
  const value = Number(text);
  if (!(Number.isInteger(value) && value >= least && text.trim() !== ''))
    throw new Error(`${option} wants a whole number from ${least}, not ${text}.`);
  return value;
}
