import { rmSync } from 'node:fs';
import type { ProcessTree } from './process-tree.js';

/** What a run would leave behind. */
export interface Leavings {
  readonly tree: ProcessTree;
  /** Where it keeps what is temporary. */
  readonly folder: string;
}

const running = new Set<Leavings>();

function endAll(): void {
  for (const { tree } of running) tree.signal('SIGKILL');
  for (const { folder } of running) remove(folder);
}

function remove(folder: string): void {
  try {
    // Who was just killed may still add to it.
    rmSync(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 20 });
  } catch {
    // A later process removes it.
  }
}

/** Where this process ends first, nobody else would end them, and remove that. One listener for all: there may be many at a time. */
export function endWithUs(leavings: Leavings): Disposable {
  if (running.size === 0) process.once('exit', endAll);
  running.add(leavings);
  return {
    [Symbol.dispose]() {
      running.delete(leavings);
      if (running.size === 0) process.removeListener('exit', endAll);
    },
  };
}
