import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { quoted, SkillsError } from '@skillpack/core';
import { formatSuite, type CaseFormat, type ImportNote } from '@skillpack/evals';
import { readSuite } from '@skillpack/evals/node';
import { nearestName } from '../frame/nearest-name.js';
import { writeText } from './write-reports.js';

const caseFormats = [
  'skillpack',
  'agentskills',
  'skill-creator',
  'trigger-list',
  'trigger-wrapper',
  'trigger-keys',
  'trigger-lists',
  'apm',
  'multi-skill',
  'waza',
  'kind-trigger',
  'dotnet',
  'promptfoo',
  'adk',
] as const satisfies readonly CaseFormat[];

/** What a command line says of a file of another tool. */
export interface ImportFlags {
  readonly file: string;
  /** The name of a format. @default what it looks like */
  readonly format?: string | undefined;
  readonly out?: string | undefined;
}

/** What became of a file of another tool. */
export interface ImportedCases {
  readonly format: CaseFormat;
  readonly suite: string;
  readonly skills: readonly string[];
  readonly cases: number;
  readonly notes: readonly ImportNote[];
  /** The file that was written, absolute; `null`: none was. */
  readonly out: string | null;
  /** The cases as a file of ours. */
  readonly text: string;
}

/**
 * Turns a file of cases of another tool into ours.
 *
 * @throws as `readSuite`; `USAGE` where the file is there already that is to be written.
 */
export async function importCases({ file, format, out }: ImportFlags, cwd: string): Promise<ImportedCases> {
  const target = out === undefined ? undefined : resolve(cwd, out);
  if (target !== undefined) refuseExisting(target);
  const read = await readSuite(resolve(cwd, file), { format: format === undefined ? undefined : formatNamed(format) });
  const text = formatSuite(read.suite);
  if (target !== undefined) await writeText(target, text);
  const { name, skills, cases } = read.suite;
  return {
    format: read.format,
    suite: name,
    skills,
    cases: cases.length,
    notes: read.notes,
    out: target ?? null,
    text,
  };
}

function formatNamed(word: string): CaseFormat {
  const found = caseFormats.find((one) => one === word);
  if (found !== undefined) return found;
  const nearest = nearestName(word, caseFormats);
  throw new SkillsError('USAGE', `--format is ${quoted(word)}; expected one of ${caseFormats.join(', ')}.`, {
    hint: nearest === undefined ? undefined : `Did you mean ${nearest}?`,
    data: { value: word },
  });
}

/** Somebody may have worked on what is there. @throws `USAGE`. */
export function refuseExisting(path: string): void {
  if (!existsSync(path)) return;
  throw new SkillsError('USAGE', `${path} exists already; nothing was changed.`, {
    hint: 'Name another file by --out, or move that one away.',
    data: { path },
  });
}
