import { mkdir } from 'node:fs/promises';
import { SkillsError } from '@skillpack/core';
import { errnoOf } from './errno-of.js';

/** Makes a folder and those above it, where they are not there. @throws `IO_ERROR`. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (cause) {
    const code = errnoOf(cause);
    throw new SkillsError('IO_ERROR', `${path} cannot be made (${code}).`, { cause, data: { path, code } });
  }
}
