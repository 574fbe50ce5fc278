import type { DiagnosticLog } from './diagnostic-log.js';
import type { SplitText } from './split-front-matter.js';

/**
 * The front matter as the reference validator of the specification cuts it: from the `---` that the file begins with
 * to the next `---`, wherever that stands, be it inside a value.
 */
export function splitStrictly(text: string, split: SplitText, log: DiagnosticLog): SplitText['front'] {
  if (!text.startsWith('---')) return split.front;
  const next = text.indexOf('---', 3);
  if (next === -1 || next === split.front.to) return split.front;
  log.report('delimiter-inside', {
    at: { offset: next },
    message: 'There is a --- inside the front matter; the reference validator stops reading there.',
    fix: 'Write a dash (—) or fewer hyphens.',
  });
  return { from: 3, to: next };
}
