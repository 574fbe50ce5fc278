import { join } from 'node:path';
import type { EvalJob } from '@skillpack/evals';

/** The file that the calls of a trial are recorded in, below a folder: `<suite>/<case>.<arm>.<trial>.jsonl`. */
export function cassettePath(folder: string, { suite, case: id, arm, trial }: EvalJob): string {
  return join(folder, fileNameOf(suite), `${fileNameOf(id)}.${arm}.${trial}.jsonl`);
}

/** A name as every file system takes it, and as no other name is written: all but letters, digits, `_` and `-` as `%2e`. */
function fileNameOf(name: string): string {
  const bytes = new TextEncoder().encode(name.toWellFormed());
  return Array.from(bytes, (byte) => {
    const character = String.fromCodePoint(byte);
    return /^[\w.-]$/u.test(character) ? character : `%${byte.toString(16).padStart(2, '0')}`;
  })
    .join('')
    .replace(/^\.+$/u, (dots) => '%2e'.repeat(dots.length));
}
