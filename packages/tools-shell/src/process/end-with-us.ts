import type { ProcessTree } from './process-tree.js';

const running = new Set<ProcessTree>();

function endAll(): void {
  for (const tree of running) tree.signal('SIGKILL');
}

/** Where this process ends first, nobody else would end them. One listener for all: there may be many at a time. */
export function endWithUs(tree: ProcessTree): Disposable {
  if (running.size === 0) process.once('exit', endAll);
  running.add(tree);
  return {
    [Symbol.dispose]() {
      running.delete(tree);
      if (running.size === 0) process.removeListener('exit', endAll);
    },
  };
}
