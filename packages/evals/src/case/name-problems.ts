import { quoted, visibleText } from '@skillpack/core';
import type { CaseProblem } from './case-place.js';

/** What is wrong with names, as of skills, tools and tags: one is blank, holds what nobody sees, or stands there twice. */
export function* nameProblems(names: readonly string[], path: string): Iterable<CaseProblem> {
  const seen = new Set<string>();
  for (const [index, name] of names.entries()) {
    const at = `${path}.${index}`;
    if (name.trim() !== name || name === '' || visibleText(name) !== name) {
      yield { path: at, message: `expected a name on one line, found ${quoted(name, 60)}` };
    }
    // As skills are told apart.
    const same = name.normalize('NFC');
    if (seen.has(same)) yield { path: at, message: `${quoted(name, 60)} stands there twice` };
    seen.add(same);
  }
}
