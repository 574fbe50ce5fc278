import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Makes the bytes of a file durable. @throws what the disk throws. */
export function syncFile(path: string): void {
  // Windows flushes only through a descriptor that may write.
  const descriptor = openSync(path, process.platform === 'win32' ? 'r+' : 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
