import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { allRaces, type RaceEntry } from './races/all-races.ts';

/** What one call of the bench is asked for. */
export interface BenchOptions {
  readonly chosen: readonly RaceEntry[];
  /** The built command that is measured. */
  readonly command: string;
  readonly rounds: number | undefined;
  readonly size: number;
  /** How many times larger the second measurement is; none without it. */
  readonly scale: number | undefined;
  /** The file that outcomes are written to. */
  readonly json: string | undefined;
  readonly check: boolean;
  readonly list: boolean;
  readonly withTools: boolean;
  readonly writeDocs: boolean;
  readonly help: boolean;
}

/** The folder of the workspace. */
export const workspace = dirname(import.meta.dirname);

/** What `--help` prints. */
export const help = `pnpm bench [row…] [options]

Times the built command and its references in turn, on this machine: all rows, or those whose names begin so.

  --rounds N      runs of each contestant, the least of which counts (default: 21, 9, 5 or 3, by how long they take)
  --size F        multiplies how many packs, skills and bytes there are (default: 1)
  --scale N       measures what grows at N times the size, too, and prints the exponents
  --command FILE  measures another build of the command
  --with-tools    installs the programs of others that are timed as well, into temp/bench/tools
  --json FILE     writes what was measured
  --write-docs    writes the tables into docs/performance.md
  --check         exit code 1 when a bar is missed
  --list          names the rows`;

/** Reads the words of a call. Throws with a sentence about the first that is wrong. */
export function readOptions(words: readonly string[]): BenchOptions {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      rounds: { type: 'string' },
      size: { type: 'string' },
      scale: { type: 'string' },
      command: { type: 'string' },
      json: { type: 'string' },
      check: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      'with-tools': { type: 'boolean', default: false },
      'write-docs': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const size = positive('--size', values.size) ?? 1;
  if (values['write-docs'] && (positionals.length > 0 || size !== 1))
    throw new Error('--write-docs needs all rows at their size.');
  return {
    chosen: chooseRaces(positionals),
    command: resolve(values.command ?? join(workspace, 'apps', 'cli', 'dist', 'skills.js')),
    rounds: positive('--rounds', values.rounds),
    size,
    scale: positive('--scale', values.scale),
    json: values.json,
    check: values.check,
    list: values.list,
    withTools: values['with-tools'],
    writeDocs: values['write-docs'],
    help: values.help,
  };
}

function chooseRaces(names: readonly string[]): readonly RaceEntry[] {
  const answers = (id: string, name: string): boolean => id === name || id.startsWith(`${name}-`);
  const unknown = names.filter((name) => !allRaces.some(({ id }) => answers(id, name)));
  if (unknown.length > 0)
    throw new Error(`There is no row ${unknown.join(', ')}. The rows are ${allRaces.map(({ id }) => id).join(', ')}.`);
  return allRaces.filter(({ id }) => names.length === 0 || names.some((name) => answers(id, name)));
}

function positive(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!(value > 0 && Number.isFinite(value))) throw new Error(`${option} wants a number above 0, not ${text}.`);
  return value;
}
