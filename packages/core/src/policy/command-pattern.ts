import type { PatternReading } from './pattern-reading.js';

/** Commands that a rule means: `git status`, `git:*`, `npm run *`, `./scripts/*`. */
export interface CommandPattern {
  readonly words: readonly string[];
  /**
   * What may follow: nothing; any words (`git:*`, `git *`); or any words, and any characters behind the last one
   * (`./scripts/*`).
   */
  readonly end: 'nothing' | 'words' | 'characters';
  /** Whether a `:` may follow the last word: `npm run test:*` means `npm run test:unit`, too. No file is meant so. */
  readonly colon: boolean;
}

/** What stands for the folder of a skill. */
export const folderVariable: RegExp = /\{baseDir\}|\$\{CLAUDE_SKILL_DIR\}/gu;

/** Reads a pattern of commands. */
export function parseCommandPattern(text: string): PatternReading<CommandPattern> {
  const rest = text.replaceAll(folderVariable, '');
  const odd = /["'\\`$;|&<>(){}]|(?:^|\s)~/u.exec(rest)?.[0].trim();
  if (odd !== undefined) {
    return { problem: `It is one command in plain words, as a program gets them: without ${odd}.` };
  }
  if (/^\s*[A-Za-z_]\w*=/u.test(rest)) {
    return { problem: 'A command that sets variables is never matched; write it without them.' };
  }
  const anyEnd = text.endsWith(':*');
  const words = (anyEnd ? text.slice(0, -2) : text).split(/\s+/u).filter((word) => word !== '');
  const last = words.at(-1);
  if (last === undefined) return { problem: 'It has no words.' };
  if (words.some((word) => word.includes(':*'))) {
    return { problem: ':* counts at the end alone; write one rule for each command.' };
  }
  if (anyEnd) return { pattern: { words, end: 'words', colon: words.length > 1 && !/[/.]/u.test(last) } };
  if (last === '*') return { pattern: { words: words.slice(0, -1), end: 'words', colon: false } };
  const end = last.endsWith('*') ? 'characters' : 'nothing';
  return { pattern: { words, end, colon: false } };
}
