import type { OutputToCheck } from './output-to-check.js';

/** The answer to the last line of the person; `undefined` where it never came to that. */
export function finalAnswer({ task, answers }: Pick<OutputToCheck, 'task' | 'answers'>): string | undefined {
  return answers.length < task.length ? undefined : answers.at(-1);
}
