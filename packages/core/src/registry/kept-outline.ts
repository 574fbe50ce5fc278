import { markdownOutline } from './markdown-outline.js';
import type { Heading } from './skill-excerpt.js';
import type { TextLines } from './text-lines.js';

const mostKept = 8;
const kept = new Map<string, readonly Heading[]>();

/**
 * The outline of a Markdown text, made once for the pages of a file that are read one after another.
 *
 * @param key the same for the same text alone, as its digest is.
 */
export function keptOutline(lines: TextLines, key: string): readonly Heading[] {
  const outline = kept.get(key) ?? markdownOutline(lines);
  // What was used last is let go of last.
  kept.delete(key);
  kept.set(key, outline);
  for (const oldest of kept.keys()) {
    if (kept.size <= mostKept) break;
    kept.delete(oldest);
  }
  return outline;
}
