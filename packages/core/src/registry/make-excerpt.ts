import type { Sha256 } from '../digest/digest.js';
import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';
import { describeBinary } from './describe-binary.js';
import { FileText } from './file-text.js';
import { findHeading } from './find-heading.js';
import { keptOutline } from './kept-outline.js';
import type { ExcerptLimits, Heading, SkillExcerpt, SkillSelection } from './skill-excerpt.js';

/** A file of a skill that was read. */
export interface ReadFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Which part of it is wanted, and how much fits. */
export interface MakeExcerptOptions {
  readonly selection: SkillSelection;
  readonly limits: Pick<ExcerptLimits, 'excerptLength'>;
}

interface Part extends Pick<SkillExcerpt, 'lines' | 'next'> {
  /** Offsets into the text. */
  readonly from: number;
  readonly to: number;
}

const mostHeadings = 200;

/**
 * The part of a file that was asked for, as much of it as fits, cut at the end of a line where one fits. Following `next`
 * gives the rest of what was asked for, nothing twice and nothing left out. An outline has at most 200 headings: where
 * there are more, only those of the higher levels.
 *
 * @throws `SECTION_NOT_FOUND`; `USAGE` for a selection that no file can have.
 */
export function makeExcerpt(
  file: ReadFile,
  ports: { readonly sha256: Sha256 },
  options: MakeExcerptOptions,
): SkillExcerpt {
  const { path, bytes } = file;
  const { selection } = options;
  checkSelection(selection);
  const known = { path, size: bytes.length, digest: ports.sha256(bytes) };
  const text = FileText.of(bytes);
  if (text === undefined) {
    const what = `${quoted(path)} is ${describeBinary(path, bytes)} of ${bytes.length} bytes; its content is not shown.`;
    return {
      ...known,
      content: 'binary',
      text: what,
      lines: undefined,
      truncated: false,
      next: undefined,
      outline: [],
    };
  }
  let headings: readonly Heading[] | undefined;
  const outline = (): readonly Heading[] =>
    (headings ??= /\.(?:md|markdown|mdx)$/iu.test(path)
      ? keptOutline(text.lines, `${known.digest} ${known.size}`)
      : []);
  const { from, to, lines, next } = takePart(text, selection, { path, length: options.limits.excerptLength, outline });
  return {
    ...known,
    content: 'text',
    text: text.visible(from, to),
    lines,
    truncated: next !== undefined,
    next,
    outline: from === 0 && to === text.text.length ? [] : shorten(outline()),
  };
}

interface PartOptions {
  readonly path: string;
  readonly length: number;
  readonly outline: () => readonly Heading[];
}

function takePart(text: FileText, selection: SkillSelection, options: PartOptions): Part {
  switch (selection.kind) {
    case 'all':
      return takeLines(text, { start: 1, end: undefined }, options);
    case 'lines':
      return takeLines(text, { start: selection.start, end: selection.end }, options);
    case 'bytes':
      return takeBytes(text, selection, options);
    case 'section': {
      const { line, endLine } = findHeading(options.outline(), selection.heading, options.path);
      return takeLines(text, { start: line, end: endLine }, options);
    }
  }
}

interface Range {
  readonly start: number;
  readonly end?: number | undefined;
}

function takeLines(text: FileText, { start, end }: Range, { length }: PartOptions): Part {
  const { lines } = text;
  const { total } = lines;
  const from = lines.start(start);
  const to = lines.start(Math.min(end ?? total, total) + 1);
  const fitting = text.fit(from, to, length);
  const last = lines.endedBefore(fitting);
  if (fitting >= to) {
    const through = Math.max(Math.min(end ?? total, total), start - 1);
    return { from, to, lines: { start, end: through, total }, next: undefined };
  }
  if (last >= start) {
    return {
      from,
      to: lines.start(last + 1),
      lines: { start, end: last, total },
      next: { kind: 'lines', start: last + 1, ...(end === undefined ? {} : { end }) },
    };
  }
  return {
    from,
    to: fitting,
    lines: { start, end: start, total },
    next: { kind: 'bytes', start: text.byteOf(fitting), end: text.byteOf(to) },
  };
}

function takeBytes(text: FileText, { start, end }: Range, { length }: PartOptions): Part {
  const from = text.offsetOf(start);
  const to = end === undefined ? text.text.length : text.offsetOf(end);
  const fitting = text.fit(from, to, length);
  if (fitting >= to) return { from, to: Math.max(from, to), lines: undefined, next: undefined };
  const lineEnd = text.lines.start(text.lines.endedBefore(fitting) + 1);
  const cut = lineEnd > from && lineEnd <= fitting ? lineEnd : fitting;
  const next = { kind: 'bytes', start: text.byteOf(cut), end: text.byteOf(to) } as const;
  return { from, to: cut, lines: undefined, next };
}

function shorten(headings: readonly Heading[]): readonly Heading[] {
  let shown = headings;
  for (let level = 5; level >= 1 && shown.length > mostHeadings; level -= 1) {
    shown = headings.filter((heading) => heading.level <= level);
  }
  return shown.slice(0, mostHeadings);
}

function checkSelection(selection: SkillSelection): void {
  if (selection.kind === 'all' || selection.kind === 'section') return;
  const { kind, start, end } = selection;
  const first = kind === 'lines' ? 1 : 0;
  const valid = Number.isSafeInteger(start) && start >= first && (end === undefined || Number.isSafeInteger(end));
  if (valid && (end === undefined || end >= start)) return;
  throw new SkillsError('USAGE', `There are no ${kind} ${start} to ${end ?? 'the end'}.`, {
    hint: `Give whole numbers, the first at least ${first}, the second not below it.`,
  });
}
