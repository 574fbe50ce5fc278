import { createInterface } from 'node:readline';
import type { Person } from '../agent/person.js';

/** The person at the terminal of this process; `undefined` where nobody sits: on pipes, in CI, on a dumb terminal. */
export function openPerson({ stdin, stderr, env }: NodeJS.Process): Person | undefined {
  if (!stdin.isTTY || !stderr.isTTY || env['TERM'] === 'dumb' || (env['CI'] ?? '') !== '') return undefined;
  return {
    ask: async (question, { signal }) => {
      signal?.throwIfAborted();
      stderr.write(question);
      // Lines as the terminal edits them: in its own mode a reader would keep Ctrl-C from being a signal.
      const lines = createInterface({ input: stdin, terminal: false });
      try {
        return await new Promise<string | undefined>((resolve, reject) => {
          lines.once('line', (line) => resolve(line.trim()));
          lines.once('close', () => resolve(undefined));
          signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
        });
      } finally {
        lines.close();
        stdin.pause();
      }
    },
  };
}
