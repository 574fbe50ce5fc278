import type { RunEvent } from '@skillpack/core';
import { forPerson } from './for-person.js';

const mostLines = 3;

/** What a script that failed said last on its standard error, for a person; nothing for what is none, or went well. */
export function lastOfStderr({
  ok,
  content,
  output,
}: Pick<RunEvent & { readonly type: 'observation_recorded' }, 'ok' | 'content' | 'output'>): readonly string[] {
  if (ok || typeof output['exit_code'] !== 'number') return [];
  const head = [...content.matchAll(/^Its stderr, \d+ bytes:$/gmu)].at(-1);
  if (head === undefined) return [];
  // A fence stands before and behind it.
  const lines = content
    .slice(head.index + head[0].length)
    .trim()
    .split('\n')
    .slice(1, -1);
  return forPerson(
    lines
      .filter((line) => line.trim() !== '')
      .slice(-mostLines)
      .join('\n'),
  );
}
