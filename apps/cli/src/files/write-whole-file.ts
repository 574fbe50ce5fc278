import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { SkillsError } from '@skillpack/core';
import { errnoOf } from './errno-of.js';

/**
 * Writes a file so that whoever looks sees the old one or the new one, never a part.
 *
 * @throws `IO_ERROR`.
 */
export async function writeWholeFile(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, bytes, { flag: 'wx' });
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true });
    const code = errnoOf(cause);
    throw new SkillsError('IO_ERROR', `${path} cannot be written (${code}).`, { cause });
  }
}
