import { readFileSync } from 'node:fs';
import { SkillsError } from '@skillpack/core';
import { errnoOf } from '../files/errno-of.js';

/**
 * A file's text, or `undefined` when there is no such file.
 *
 * @throws `IO_ERROR` when it cannot be read.
 */
export function readTextIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new SkillsError('IO_ERROR', `${path} cannot be read (${code}).`, {
      cause: error,
      data: { path, code },
    });
  }
}
