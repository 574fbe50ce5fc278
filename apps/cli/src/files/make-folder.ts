import { makeFolder as makeFolderOrThrow } from '@skillpack/cli-dist';
import { SkillsError } from '@skillpack/core';
import { errnoOf } from './errno-of.js';

/** Makes a folder and those above it, where they are not there. @throws `IO_ERROR`. */
export function makeFolder(path: string): void {
  try {
    makeFolderOrThrow(path);
  } catch (cause) {
    const code = errnoOf(cause);
    throw new SkillsError('IO_ERROR', `${path} cannot be made (${code}).`, { cause, data: { path, code } });
  }
}
