import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

// Without O_NONBLOCK, opening a pipe waits for a writer for ever. Windows has none of these.
const reading = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * The bytes of a file that nobody else can have written.
 *
 * @returns `undefined` for a file of somebody else, one that others may write, one of more than `maxBytes`, and for
 * anything that is no file. On Windows, who may write is for the folder to say.
 * @throws what the system says where nothing can be opened.
 */
export function readOwnFile(path: string, maxBytes: number): Buffer | undefined {
  const descriptor = openSync(path, reading);
  try {
    const stats = fstatSync(descriptor);
    const { uid, mode, size } = stats;
    const mine = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
    if (!mine || size > maxBytes || !stats.isFile()) return undefined;
    const bytes = Buffer.allocUnsafe(size);
    return readSync(descriptor, bytes, 0, size, 0) === size ? bytes : undefined;
  } finally {
    closeSync(descriptor);
  }
}
