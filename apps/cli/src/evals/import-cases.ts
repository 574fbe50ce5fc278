import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { quoted, SkillsError } from '@skillpack/core';
import { formatSuite, type CaseFormat, type ImportNote } from '@skillpack/evals';
import { readSuite } from '@skillpack/evals/node';
import { nearestName } from '../frame/nearest-name.js';
import { placeCaseFiles, writePlaced } from './place-case-files.js';
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
  /** The skill that the cases are about, where the file does not say so. */
  readonly skill?: string | undefined;
  /** What the suite is called. @default as the file says, or as the skill and the file are called */
  readonly name?: string | undefined;
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
  /** Files of the cases that were written beside it, absolute. */
  readonly files: readonly string[];
  /** The cases as a file of ours. */
  readonly text: string;
}

/**
 * Turns a file of cases of another tool into ours. Where it is written, files of the cases that are no short text are
 * written beside it.
 *
 * @throws as `readSuite`; `USAGE` where the file is there already that is to be written.
 */
export async function importCases(flags: ImportFlags, cwd: string): Promise<ImportedCases> {
  const { file, format, skill, name, out } = flags;
  const target = out === undefined ? undefined : resolve(cwd, out);
  if (target !== undefined) refuseExisting(target);
  const read = await readSuite(resolve(cwd, file), {
    format: format === undefined ? undefined : formatNamed(format),
    skill,
    name,
  });
  const suite = name === undefined ? read.suite : { ...read.suite, name };
  const placed = target === undefined ? [] : placeCaseFiles(suite, target);
  const text = formatSuite(suite, {
    placeFile: (one, place) => placed.find(({ of }) => of.case === place.case && of.path === one.path)?.from,
  });
  const files = target === undefined ? [] : await writePlaced(placed, refuseExisting);
  if (target !== undefined) await writeText(target, text);
  return {
    format: read.format,
    suite: suite.name,
    skills: suite.skills,
    cases: suite.cases.length,
    notes: read.notes,
    out: target ?? null,
    files,
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
