import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import type { Person } from '../agent/person.js';

/** Milliseconds in which what was typed before a question arrives, and is dropped. */
const typedAhead = 60;

/**
 * The person at the terminal of this process; `undefined` where nobody sits: on pipes, in CI, on a dumb terminal. What
 * they typed before they could see a question is no answer to it.
 */
export function openPerson({ stdin, stderr, env }: NodeJS.Process): Person | undefined {
  if (!stdin.isTTY || !stderr.isTTY || env['TERM'] === 'dumb' || (env['CI'] ?? '') !== '') return undefined;
  return {
    ask: async (question, { signal }) => {
      // Lines as the terminal edits them: in its own mode a reader would keep Ctrl-C from being a signal.
      const lines = createInterface({ input: stdin, terminal: false });
      let over = false;
      let asked = false;
      lines.once('close', () => {
        over = true;
      });
      try {
        await wait(typedAhead, undefined, { signal });
        if (over) return undefined;
        stderr.write(question);
        asked = true;
        const line = await nextLine(lines, signal);
        asked = line === undefined;
        return line;
      } finally {
        // Whoever leaves instead of answering leaves the cursor behind the question.
        if (asked) stderr.write('\n');
        lines.close();
        stdin.pause();
      }
    },
  };
}

async function nextLine(
  lines: ReturnType<typeof createInterface>,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  const stop = (): void => reject(signal?.reason as Error); // what an abort of ours has as its reason
  lines.once('line', (line) => resolve(line.trim()));
  lines.once('close', () => resolve(undefined));
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await promise;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}
