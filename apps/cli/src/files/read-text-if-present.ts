import { readRegularFile } from './read-regular-file.js';

// As of a lock file, which is the largest of what is read here.
const maxBytes = 64 * 1024 * 1024;

/**
 * A file's text, or `undefined` when there is no such file.
 *
 * @throws `FILE_TOO_LARGE`, `IO_ERROR` when it cannot be read or is not a regular file.
 */
export function readTextIfPresent(path: string): string | undefined {
  return readRegularFile(path, { maxBytes })?.toString('utf8');
}
