import { setTimeout } from 'node:timers/promises';
import { SkillsError } from '@skillpack/core';
import type nativeLocks from 'fs-native-extensions';
import type { RunPaths } from './run-paths.js';

// Loaded only by what writes, and for a run that is not finished: it costs a tenth of Node's own start.
const native = async (): Promise<typeof nativeLocks> => (await import('fs-native-extensions')).default;

// On Windows a locked range cannot be read by others; this one lies behind the largest record.
const [offset, length] = process.platform === 'win32' ? [2 ** 40, 1] : [0, 0];

/**
 * Takes the lock of a record, on its open events: a lock of the kernel's, which goes with the process that holds it,
 * however that ends, and with the descriptor.
 *
 * @throws `BUSY` while somebody else writes to it; `IO_ERROR` where the file system has no locks.
 */
export async function lockEvents(descriptor: number, { id, events }: RunPaths): Promise<void> {
  let granted: boolean;
  try {
    const { tryLock } = await native();
    granted = tryLock(descriptor, offset, length);
    // Whoever only asks holds it for a moment.
    for (let left = 5; !granted && left > 0; left -= 1) {
      await setTimeout(10);
      granted = tryLock(descriptor, offset, length);
    }
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

/** Whether somebody holds the lock of a record. @throws what the system says, where the file system has no locks. */
export async function isLocked(descriptor: number): Promise<boolean> {
  const { tryLock } = await native();
  // Shared, so that several may ask at once, and a record that may only be read can be asked of.
  return !tryLock(descriptor, offset, length, { shared: true });
}
