import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SkillsError } from '@skillpack/core';
import * as z from 'zod/mini';
import { makeFolder } from '../files/make-folder.js';
import { readRegularFile } from '../files/read-regular-file.js';
import { writeWholeFile } from '../files/write-whole-file.js';

const maxBytes = 1024 * 1024;

const trustSchema = z.lazy(() =>
  z.object({ formatVersion: z.literal(1), projects: z.array(z.string().check(z.minLength(1), z.maxLength(4096))) }),
);

/**
 * The projects whose skills a person lets an agent read: real paths, in `trusted-projects.json` of their own folder. A
 * project cannot write itself into it, and nobody else may have written it.
 */
export interface TrustedProjects {
  /** Whether this project was trusted, by the real path of its folder. */
  has(projectDir: string): boolean;
  /** Remembers that it is. @throws `IO_ERROR`. */
  add(projectDir: string): Promise<void>;
}

/**
 * Reads whom the person trusts; without a file that is nobody.
 *
 * @param skillsHome the person's folder, `~/.agents`.
 * @throws `INVALID_CONFIG` for a file that is not as it is written here, or that others can change; `IO_ERROR`.
 */
export function readTrustedProjects(skillsHome: string): TrustedProjects {
  const path = join(skillsHome, 'trusted-projects.json');
  const projects = new Set(readProjects(path));
  return {
    has: (projectDir) => projects.has(realpathSync(projectDir)),
    add: async (projectDir) => {
      // Another command may have added one since.
      for (const project of readProjects(path)) projects.add(project);
      projects.add(realpathSync(projectDir));
      makeFolder(dirname(path));
      const text = JSON.stringify({ formatVersion: 1, projects: [...projects].toSorted() }, undefined, 2);
      await writeWholeFile(path, Buffer.from(`${text}\n`), { mode: 0o600 });
    },
  };
}

function readProjects(path: string): readonly string[] {
  const bytes = readRegularFile(path, {
    maxBytes,
    check: ({ mode }) => {
      // On Windows the mode says nothing of who may change a file.
      if (process.platform === 'win32' || (mode & 0o022) === 0) return;
      throw invalid(path, 'can be changed by others', `Look at what it says, then run: chmod 600 ${path}`);
    },
  });
  if (bytes === undefined) return [];
  const result = trustSchema.safeParse(parse(bytes.toString('utf8'), path));
  if (result.success) return result.data.projects;
  const at = result.error.issues[0]?.path.join('.') ?? '';
  throw invalid(path, `is not valid${at === '' ? '' : ` at ${at}`}`);
}

function parse(json: string, path: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw invalid(path, `is not JSON: ${(cause as SyntaxError).message}`); // what JSON.parse throws
  }
}

function invalid(path: string, what: string, hint = 'Remove it: you are asked again for each project.'): SkillsError {
  return new SkillsError('INVALID_CONFIG', `${path} ${what}.`, { hint, data: { path } });
}
