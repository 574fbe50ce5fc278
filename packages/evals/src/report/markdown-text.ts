import { visibleText } from '@skillpack/core';
import type { TextTable } from './score-table.js';

/** The longest text that stands in a summary, in characters. */
const longest = 500;

/**
 * A text from outside as one line of Markdown that shows it as it is: no emphasis, link, image, HTML, mention of somebody,
 * number of an issue, or end of a table cell.
 */
export function markdownText(text: string): string {
  const shown = text.length > longest ? `${text.slice(0, longest).replace(/[\uD800-\uDBFF]$/u, '')}…` : text;
  return (
    visibleText(shown)
      // Four spaces would begin a block of code.
      .trimStart()
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll(/[\\`*_[\]#|~$]/gu, String.raw`\$&`)
      // What begins a list, or underlines a heading, where a line begins with it.
      .replace(/^(\d*)([-+=.)])(?=[\s=-]|$)/u, String.raw`$1\$2`)
      // What is made a link after the rest: a mention, an issue, an address. An empty comment keeps its parts apart.
      .replaceAll('\\#', '#<!-- -->')
      .replaceAll('@', '@<!-- -->')
      .replaceAll('://', ':<!-- -->//')
      .replaceAll(/\bwww\./giu, 'www<!-- -->.')
  );
}

/** A table of Markdown. */
export function markdownTable({ head, rows }: TextTable): readonly string[] {
  const line = (cells: readonly string[]): string => `| ${cells.map(markdownText).join(' | ')} |`;
  return [line(head), `| ${head.map(() => '---').join(' | ')} |`, ...rows.map(line)];
}
