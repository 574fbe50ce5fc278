import type nativeLocks from 'fs-native-extensions';
import { SkillsError } from '@skillpack/core';

// Loaded only by what writes: it costs a tenth of Node's own start.
const native = async (): Promise<typeof nativeLocks> => (await import('fs-native-extensions')).default;

// On Windows a locked range cannot be read by others; this one lies behind the largest log.
const [offset, length] = process.platform === 'win32' ? [2 ** 40, 1] : [0, 0];

/**
 * Takes the lock of a file, on its descriptor: a lock of the kernel's, which goes with the process that holds it, however
 * that ends.
 *
 * @throws `BUSY` while somebody else has it; `IO_ERROR` where the file system has no locks.
 */
export async function lockFile(descriptor: number, path: string): Promise<void> {
  let granted: boolean;
  try {
    granted = (await native()).tryLock(descriptor, offset, length);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new SkillsError('IO_ERROR', `${path} cannot be locked: ${why}.`, {
      hint: 'Keep results on a local disk.',
      cause,
      data: { path },
    });
  }
  if (granted) return;
  throw new SkillsError('BUSY', `The results ${path} are being written by another process.`, {
    hint: 'Wait until it has ended, or take another folder.',
    data: { path },
  });
}
