import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { foldPath, quoted, SkillsError } from '@skillpack/core';
import { errnoOf } from '../errno.js';
import { protectedNames } from '../write/protected-names.js';
import { standIn } from './stand-in.js';

/** What must not come to be, either: hooks and settings of Git, skills and records. */
const always = ['.git', '.agents'];

/** The places of a workspace that a confined program cannot change, as long as it is not disposed of. */
export interface ProtectedPlaces extends Disposable {
  /** Absolute. */
  readonly paths: readonly string[];
}

/**
 * Finds what programs run or trust, as tools that write have it too, at the top of a workspace. Of the most important, a
 * folder that is not there is made, so that nothing can be put there; it goes again with the last run.
 *
 * @throws `TOOL_NOT_ALLOWED` where such a one is a link, which could be exchanged, and as `standIn`; `IO_ERROR`.
 */
export function protectPlaces(workspace: string): ProtectedPlaces {
  const made: Disposable[] = [];
  const release = (): void => {
    for (const place of made.splice(0)) place[Symbol.dispose]();
  };
  try {
    for (const name of always) {
      const path = join(workspace, name);
      refuseLink(path);
      const place = standIn(path);
      if (place !== undefined) made.push(place);
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

/** Whether programs run or trust what is called so at the top of a workspace, and nothing keeps it from being made there. */
export function canBePlanted(name: string): boolean {
  return isProtected(name) && !always.includes(foldPath(name));
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

function refuseLink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  throw new SkillsError('TOOL_NOT_ALLOWED', `${quoted(path)} is a link, which no sandbox keeps from being exchanged.`, {
    hint: 'Put the folder itself there, or work in another folder.',
    data: { path },
  });
}
