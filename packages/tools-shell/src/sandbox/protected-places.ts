import { lstatSync, mkdirSync, rmdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { quoted, SkillsError } from '@skillpack/core';
import { errnoOf } from '../errno.js';

/** What of a workspace is run or read by others with all rights, later: hooks and settings of Git, skills and records. */
const protectedNames = ['.git', '.agents'];
/** As those, but a file that is not there cannot be kept from being made. */
const protectedFiles = ['skillpack.json', 'skillpack-lock.json'];

/** The places of a workspace that a confined program cannot change, as long as it is not disposed of. */
export interface ProtectedPlaces extends Disposable {
  /** Absolute. */
  readonly paths: readonly string[];
}

/**
 * Finds what has to be protected. A folder that is not there is made, empty, so that it can be; it goes again afterwards.
 *
 * @throws `TOOL_NOT_ALLOWED` where one is a link, which could be exchanged; `IO_ERROR`.
 */
export function protectPlaces(workspace: string): ProtectedPlaces {
  const made: string[] = [];
  const release = (): void => {
    for (const path of made) removeEmpty(path);
  };
  try {
    const folders = protectedNames.map((name) => {
      const path = join(workspace, name);
      if (lookAt(path) === undefined && makeFolder(path)) made.push(path);
      return path;
    });
    const files = protectedFiles.map((name) => join(workspace, name)).filter((path) => lookAt(path) !== undefined);
    return { paths: [...folders, ...files], [Symbol.dispose]: release };
  } catch (error) {
    release();
    throw error;
  }
}

function lookAt(path: string): Stats | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink() !== true) return stats;
  throw new SkillsError('TOOL_NOT_ALLOWED', `${quoted(path)} is a link, which no sandbox keeps from being exchanged.`, {
    hint: 'Put the folder itself there, or work in another folder.',
    data: { path },
  });
}

function makeFolder(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    // Another run has made it meanwhile.
    if (errnoOf(error) === 'EEXIST') return false;
    throw new SkillsError('IO_ERROR', `The system does not make ${quoted(path)} (${errnoOf(error)}).`, {
      hint: 'A script runs in a sandbox only where its workspace can be written to.',
      cause: error,
    });
  }
}

function removeEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Somebody else has put something there.
  }
}
