import { rmSync } from 'node:fs';

/**
 * Removes a folder of ours and all it holds, as far as that is possible: what stays keeps nobody from working, and the
 * next command tries again.
 */
export function tryToRemoveTree(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // A device with an error, or a program of Windows that holds a file.
  }
}
