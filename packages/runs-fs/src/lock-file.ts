import { SkillsError } from '@skillpack/core';
import type { RunPaths } from './run-paths.js';

// On Windows a locked range cannot be read by others; this one lies behind the largest record.
const range = process.platform === 'win32' ? ([2 ** 40, 1] as const) : ([0, 0] as const);

/**
 * Takes the lock of a record, on its open events: a lock of the kernel's, which goes with the process that holds it,
 * however that ends, and with the descriptor.
 *
 * @throws `BUSY` while somebody else writes to it; `IO_ERROR` where the file system has no locks.
 */
export async function lockEvents(descriptor: number, { id, events }: RunPaths): Promise<void> {
  let granted: boolean;
  try {
    // Loaded only by what writes: it costs a tenth of Node's own start.
    granted = (await import('fs-native-extensions')).default.tryLock(descriptor, ...range);
  } catch (cause) {
    throw new SkillsError('IO_ERROR', `${events} cannot be locked: ${(cause as Error).message}.`, {
      hint: 'Keep records on a local disk.',
      cause,
      data: { path: events },
    });
  }
  if (granted) return;
  throw new SkillsError('BUSY', `The run ${id} is being written by another process.`, {
    hint: 'Wait until it has ended, or end it.',
    data: { path: events },
  });
}
