import { visibleText } from '../errors/visible-text.js';
import type { Heading } from './skill-excerpt.js';
import type { TextLines } from './text-lines.js';

interface Found {
  readonly level: number;
  readonly title: string;
  readonly line: number;
}

interface Paragraph {
  readonly line: number;
  /** `undefined` in a list or a quotation, where an underline makes no heading. */
  readonly title: string | undefined;
}

/** Whether a line ends the block that it is in. */
type BlockEnd = (line: string) => boolean;

const mostHeadings = 10_000;
const longestTitle = 200;
const fence = /^(`{3,}|~{3,})/u;
const underline = /^(?:=+|-+)[ \t]*$/u;
const listOrQuotation = /^(?:>|(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$))/u;
const rule = /^(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/u;
const raw = /^<(?:pre|script|style|textarea)(?=[\s>]|$)/iu;
const rawEnd = /<\/(?:pre|script|style|textarea)>/iu;

/**
 * The headings of a Markdown text, both those with `#` and those that are underlined. Front matter, fenced and indented
 * code, HTML comments and raw blocks hold none; nor do lists and quotations. Takes time linear in the text. Of more than
 * 10,000 headings, the first ones.
 */
export function markdownOutline(lines: TextLines): readonly Heading[] {
  const found: Found[] = [];
  let block: BlockEnd | undefined;
  let paragraph: Paragraph | undefined;
  // One more says where those before it end.
  for (let number = frontMatterEnd(lines) + 1; number <= lines.total && found.length <= mostHeadings; number += 1) {
    const line = lines.at(number);
    if (block !== undefined) {
      if (block(line)) block = undefined;
      continue;
    }
    const text = line.trimStart();
    const indented = isIndented(line, text);
    if (text === '' || (indented && paragraph === undefined)) {
      paragraph = undefined;
      continue;
    }
    if (indented) continue;
    block = openBlock(text);
    const heading = block === undefined ? readHeading(text, number, paragraph) : undefined;
    if (heading !== undefined) found.push(heading);
    paragraph =
      block !== undefined || heading !== undefined || rule.test(text) ? undefined : extend(paragraph, text, number);
  }
  return withEnds(found, lines.total).slice(0, mostHeadings);
}

/** The line that closes the front matter; 0 when there is none. */
function frontMatterEnd(lines: TextLines): number {
  if (lines.at(1).trimEnd() !== '---') return 0;
  for (let number = 2; number <= lines.total; number += 1) {
    if (lines.at(number).trimEnd() === '---') return number;
  }
  return 0;
}

function isIndented(line: string, text: string): boolean {
  const indent = line.slice(0, line.length - text.length);
  return indent.length > 3 || indent.includes('\t');
}

function openBlock(text: string): BlockEnd | undefined {
  const [, marks] = fence.exec(text) ?? [];
  if (marks !== undefined && !(marks.startsWith('`') && text.includes('`', marks.length))) return endOfFence(marks);
  if (text.startsWith('<!--')) return text.includes('-->', 4) ? undefined : (line) => line.includes('-->');
  return raw.test(text) && !rawEnd.test(text) ? (line) => rawEnd.test(line) : undefined;
}

function endOfFence(marks: string): BlockEnd {
  return (line) => {
    const text = line.trim();
    return text.length >= marks.length && text.startsWith(marks) && text === marks.charAt(0).repeat(text.length);
  };
}

function readHeading(text: string, line: number, paragraph: Paragraph | undefined): Found | undefined {
  const [marks] = /^#{1,6}(?=[ \t]|$)/u.exec(text) ?? [];
  if (marks !== undefined)
    return { level: marks.length, title: headingTitle(withoutClosing(text.slice(marks.length))), line };
  if (paragraph?.title === undefined || !underline.test(text)) return undefined;
  return { level: text.startsWith('=') ? 1 : 2, title: headingTitle(paragraph.title), line: paragraph.line };
}

/** `## Forms ##` is titled `Forms`, `## C#` is titled `C#`. */
function withoutClosing(text: string): string {
  const trimmed = text.trimEnd();
  let end = trimmed.length;
  while (end > 0 && trimmed.charAt(end - 1) === '#') end -= 1;
  return end === 0 || ' \t'.includes(trimmed.charAt(end - 1)) ? trimmed.slice(0, end) : trimmed;
}

function extend(paragraph: Paragraph | undefined, text: string, line: number): Paragraph {
  if (paragraph === undefined)
    return { line, title: listOrQuotation.test(text) ? undefined : text.slice(0, 4 * longestTitle) };
  if (paragraph.title === undefined || paragraph.title.length > longestTitle) return paragraph;
  return { line: paragraph.line, title: `${paragraph.title} ${text.slice(0, 4 * longestTitle)}` };
}

/** A heading's text as a title: trimmed, every character visible, cut after 200 UTF-16 code units. */
export function headingTitle(text: string): string {
  const title = visibleText(
    text
      .trim()
      .slice(0, 4 * longestTitle)
      .trim(),
  );
  return title.length <= longestTitle ? title : `${title.slice(0, longestTitle - 1).replace(/[\uD800-\uDBFF]$/u, '')}…`;
}

function withEnds(found: readonly Found[], total: number): readonly Heading[] {
  const ends = new Map<Found, number>();
  const open: Found[] = [];
  for (const heading of found) {
    for (let last = open.at(-1); last !== undefined && last.level >= heading.level; last = open.at(-1)) {
      ends.set(last, heading.line - 1);
      open.pop();
    }
    open.push(heading);
  }
  return found.map((heading) => ({ ...heading, endLine: ends.get(heading) ?? total }));
}
