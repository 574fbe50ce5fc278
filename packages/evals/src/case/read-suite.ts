import { basename, dirname, extname, resolve } from 'node:path';
import { expectOptions, SkillsError } from '@skillpack/core';
import { importSuite } from '../formats/import-suite.js';
import type { CaseFormat, ImportedSuite } from '../formats/imported-suite.js';
import type { CaseFiles } from '../trial/eval-ports.js';
import { isCaseId } from './case-id.js';
import { caseFilesIn } from './case-files-in.js';
import { looksOwn } from './looks-own.js';
import { parseSuite } from './parse-suite.js';
import { readTextFile } from './read-text-file.js';
import { skillOfEvals } from './skill-of-evals.js';
import { maxSuiteLength } from './suite-limits.js';

/** How a file of cases is read from a disk. */
export interface ReadSuiteOptions {
  /** Which format it has. @default what it looks like */
  readonly format?: CaseFormat | undefined;
  /** The skill that the cases are about, where the file does not say so. @default the one in whose `evals/` it lies */
  readonly skill?: string | undefined;
  /** Of a suite that does not say its name. @default made of the skill and the name of the file */
  readonly name?: string | undefined;
}

const optionNames: Readonly<Record<keyof ReadSuiteOptions, true>> = { format: true, skill: true, name: true };

/** A suite that was read from a disk. */
export interface ReadSuite extends ImportedSuite {
  /** The file, absolute. */
  readonly path: string;
  /** What the paths of its files and scripts are relative to, absolute. */
  readonly folder: string;
}

/**
 * Reads a file of cases, ours or that of another tool. Where it lies in `evals/` of a skill, that skill is the one it is
 * about, unless it says otherwise. In a file of ours, paths are relative to the folder that it lies in; in one of another
 * tool, which lies in `evals/`, to the folder around that first.
 *
 * @throws `FILE_NOT_FOUND`, `FILE_TOO_LARGE`, `INVALID_CASE`, `UNSUPPORTED_FORMAT`, `PATH_TRAVERSAL_BLOCKED`, `USAGE`.
 */
export async function readSuite(path: string, options: ReadSuiteOptions = {}): Promise<ReadSuite> {
  expectOptions(options, { of: 'readSuite', names: optionNames });
  const { format } = options;
  const place = resolve(path);
  const text = await readTextFile(path, maxSuiteLength);
  const skill = options.skill ?? (await skillOfEvals(place))?.name;
  const folder = dirname(place);
  if (format === 'skillpack' || (format === undefined && looksOwn(text))) {
    const skills = skill === undefined ? undefined : [skill];
    const name = options.name ?? (skill === undefined ? undefined : nameOf(place, skill));
    const suite = await parseSuite(text, { fileName: path, files: caseFilesIn(folder), name, skills });
    return { format: 'skillpack', suite, notes: [], path: place, folder };
  }
  const around = basename(folder) === 'evals' ? dirname(folder) : folder;
  const files = around === folder ? caseFilesIn(folder) : firstOf(caseFilesIn(around), caseFilesIn(folder));
  const imported = await importSuite(text, { fileName: path, format, name: options.name, skill, files });
  return { ...imported, path: place, folder: around };
}

/** `pdf-triggers` for `pdf/evals/triggers.yaml`, so that no two skills have suites of one name. */
function nameOf(path: string, skill: string): string | undefined {
  const base = basename(path, extname(path));
  const both = base === skill ? skill : `${skill}-${base}`;
  return isCaseId(both) ? both : undefined;
}

/** Tools differ in what they take paths from. */
function firstOf(first: CaseFiles, second: CaseFiles): CaseFiles {
  return {
    async read(path) {
      try {
        return await first.read(path);
      } catch (error) {
        if (!SkillsError.is(error, 'FILE_NOT_FOUND')) throw error;
        return second.read(path).catch(() => {
          throw error;
        });
      }
    },
  };
}
