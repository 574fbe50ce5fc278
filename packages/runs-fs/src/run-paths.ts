import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { digestHex, isRunId, quoted, SkillsError, type Digest } from '@skillpack/core';
import { withIoErrors } from './io-error.js';

/** Where the parts of a run's record lie. */
export interface RunPaths {
  readonly id: string;
  readonly folder: string;
  readonly events: string;
  readonly observations: string;
  readonly summary: string;
  readonly final: string;
}

/** Keeps records out of a repository: they hold what the agent read. */
export const ignoreFile = '.gitignore';

/** @throws `USAGE` for what cannot be the id of a run. */
export function runPaths(root: string, id: string): RunPaths {
  if (!isRunId(id)) {
    throw new SkillsError('USAGE', `No run can be called ${quoted(id)}.`, {
      hint: 'Use 1 to 128 letters, digits, - and _, no - at the beginning, and no name of a device, as con.',
    });
  }
  const folder = join(root, id);
  return {
    id,
    folder,
    events: join(folder, 'events.jsonl'),
    observations: join(folder, 'observations'),
    summary: join(folder, 'run.json'),
    final: join(folder, 'final.md'),
  };
}

/** The file of something that was kept. */
export function keptPath(paths: RunPaths, digest: Digest): string {
  return join(paths.observations, digestHex(digest));
}

/**
 * Whether there is a folder. A link in its place would have records written to, and read from, anywhere.
 *
 * @throws `PATH_TRAVERSAL_BLOCKED` for anything else that is there; `IO_ERROR`.
 */
export function isOwnFolder(path: string): boolean {
  const stats = withIoErrors(path, () => lstatSync(path, { throwIfNoEntry: false }));
  if (stats === undefined) return false;
  if (stats.isDirectory()) return true;
  throw blockedPath(path, stats.isSymbolicLink() ? 'a link' : 'no folder');
}

/** What is thrown for something that is no folder where one has to be. */
export function blockedPath(path: string, kind: string): SkillsError {
  return new SkillsError(
    'PATH_TRAVERSAL_BLOCKED',
    `${path} is ${kind}; records are read and written in folders only.`,
    {
      hint: 'Remove it, or name another folder.',
      data: { path },
    },
  );
}
