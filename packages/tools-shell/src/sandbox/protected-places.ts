import { lstatSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { foldPath, quoted, SkillsError } from '@skillpack/core';
import { errnoOf } from '../errno.js';
import { protectedNames } from '../write/protected-names.js';

/** What must not come to be, either: hooks and settings of Git, skills and records. */
const always = ['.git', '.agents'];

/** The places of a workspace that a confined program cannot change, as long as it is not disposed of. */
export interface ProtectedPlaces extends Disposable {
  /** Absolute. */
  readonly paths: readonly string[];
}

/** How many runs of this process need a folder that was made. */
const users = new Map<string, number>();

/**
 * Finds what programs run or trust, as tools that write have it too, at the top of a workspace. Of the most important, a
 * folder that is not there is made, empty, so that nothing can be put there; it goes again with the last run.
 *
 * @throws `TOOL_NOT_ALLOWED` where such a one is a link, which could be exchanged; `IO_ERROR`.
 */
export function protectPlaces(workspace: string): ProtectedPlaces {
  const made: string[] = [];
  const release = (): void => {
    for (const path of made.splice(0)) leave(path);
  };
  try {
    for (const name of always) {
      const path = join(workspace, name);
      if (needsMaking(path)) made.push(path);
    }
    return { paths: presentPlaces(workspace), [Symbol.dispose]: release };
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * Those of them that are there. A link is none: it cannot be kept from being exchanged, and what it leads to is elsewhere,
 * or protected itself.
 *
 * @throws `IO_ERROR`.
 */
export function presentPlaces(workspace: string): readonly string[] {
  const present = entriesOf(workspace).filter((entry) => !entry.isSymbolicLink() && isProtected(entry.name));
  return present.map(({ name }) => join(workspace, name));
}

function isProtected(name: string): boolean {
  return protectedNames.includes(foldPath(name));
}

function entriesOf(workspace: string) {
  try {
    return readdirSync(workspace, { withFileTypes: true });
  } catch (error) {
    throw new SkillsError('IO_ERROR', `The system does not list ${quoted(workspace)} (${errnoOf(error)}).`, {
      cause: error,
    });
  }
}

/** Makes a folder that is not there. Whether this run needs one that was made by this process. */
function needsMaking(path: string): boolean {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    throw new SkillsError(
      'TOOL_NOT_ALLOWED',
      `${quoted(path)} is a link, which no sandbox keeps from being exchanged.`,
      {
        hint: 'Put the folder itself there, or work in another folder.',
        data: { path },
      },
    );
  }
  const before = users.get(path) ?? 0;
  if (before === 0 && !makeFolder(path)) return false;
  if (users.size === 0) process.once('exit', leaveAll);
  users.set(path, before + 1);
  return true;
}

/** Where this process ends first, nobody else removes them. */
function leaveAll(): void {
  for (const path of users.keys()) removeEmpty(path);
}

function makeFolder(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    // It is there, or nobody can make it, the program neither.
    if (['EEXIST', 'EACCES', 'EPERM', 'EROFS'].includes(errnoOf(error))) return false;
    throw new SkillsError('IO_ERROR', `The system does not make ${quoted(path)} (${errnoOf(error)}).`, {
      cause: error,
    });
  }
}

function leave(path: string): void {
  const left = (users.get(path) ?? 1) - 1;
  if (left > 0) {
    users.set(path, left);
    return;
  }
  users.delete(path);
  if (users.size === 0) process.removeListener('exit', leaveAll);
  removeEmpty(path);
}

function removeEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Somebody else has put something there.
  }
}
