import { realpath } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { expectOptions, judgePath, quoted, SkillsError } from '@skillpack/core';
import type { CaseFiles } from '../trial/eval-ports.js';
import { readConfined } from '../trial/folder/read-confined.js';
import { maxCaseFileBytes } from './case-file-reader.js';

/** How files of cases are read. */
export interface CaseFilesOptions {
  /** Bytes of one file. @default 16 MiB */
  readonly maxBytes?: number | undefined;
}

/**
 * The files below a folder. No path and no link leads out of it, and nothing is read that is no regular file.
 *
 * @throws its `read`: `FILE_NOT_FOUND`, `PATH_TRAVERSAL_BLOCKED`, `FILE_TOO_LARGE`, `IO_ERROR`; `USAGE` for options that
 * there are not.
 */
export function caseFilesIn(folder: string, options: CaseFilesOptions = {}): CaseFiles {
  expectOptions(options, { of: 'caseFilesIn', names: { maxBytes: true } });
  const { maxBytes = maxCaseFileBytes } = options;
  return {
    async read(path) {
      const problem = judgePath(path);
      if (isAbsolute(path) || problem === 'path-traversal' || problem === 'path-absolute' || problem === 'path-drive') {
        throw blocked(path, folder);
      }
      if (problem !== undefined) throw notThere(path, folder);
      const root = await realFolder(folder, path);
      try {
        return { path, bytes: await readConfined({ root, path }, maxBytes) };
      } catch (error) {
        if (SkillsError.is(error, 'FILE_NOT_FOUND')) throw notThere(path, folder, error);
        throw SkillsError.is(error, 'PATH_TRAVERSAL_BLOCKED') ? blocked(path, folder, error) : error;
      }
    },
  };
}

async function realFolder(folder: string, path: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (cause) {
    throw notThere(path, folder, cause);
  }
}

function blocked(path: string, folder: string, cause?: unknown): SkillsError {
  return new SkillsError('PATH_TRAVERSAL_BLOCKED', `${quoted(path)} leads out of ${quoted(folder)}, or is a link.`, {
    hint: 'Put the file itself into that folder, and write its path from there: files/report.pdf.',
    cause,
    data: { path: path.slice(0, 1_024), folder },
  });
}

function notThere(path: string, folder: string, cause?: unknown): SkillsError {
  return new SkillsError('FILE_NOT_FOUND', `${quoted(folder)} has no file ${quoted(path)}.`, {
    hint: 'Paths are relative to that folder, with one slash between two names: files/report.pdf.',
    cause,
    data: { path: path.slice(0, 1_024), folder },
  });
}
