import type { Digest } from '../digest/is-digest.js';

/** Which part of a file is wanted. Lines count from 1, bytes from 0; `end` of lines is included, `end` of bytes is not. */
export type SkillSelection =
  | { readonly kind: 'all' }
  | { readonly kind: 'lines'; readonly start: number; readonly end?: number | undefined }
  | { readonly kind: 'bytes'; readonly start: number; readonly end?: number | undefined }
  /** From a heading to the next one of its level or a higher one: `Forms`, `## Forms`, or `Filling > Forms`. */
  | { readonly kind: 'section'; readonly heading: string };

/** A heading of a Markdown file. */
export interface Heading {
  /** 1 to 6. */
  readonly level: number;
  readonly title: string;
  /** The line it begins on, from 1. */
  readonly line: number;
  /** The last line of its section, the sections below it included. */
  readonly endLine: number;
}

/** A part of a file, fit for a model's context. */
export interface SkillExcerpt {
  readonly path: string;
  /** `text` is valid UTF-8 without NUL; everything else is only described. */
  readonly content: 'text' | 'binary';
  /** Cleaned: `\n` line ends, invisible characters shown as code points. Of a binary file, what it is, in a sentence. */
  readonly text: string;
  /** Bytes of the whole file. */
  readonly size: number;
  /** Of the whole file. */
  readonly digest: Digest;
  /** The lines it holds; `undefined` for a binary file or a range of bytes. */
  readonly lines: { readonly start: number; readonly end: number; readonly total: number } | undefined;
  /** Whether more was selected than fits. */
  readonly truncated: boolean;
  /** Where to go on, as a selection. */
  readonly next: SkillSelection | undefined;
  /** The headings of a Markdown file when not all of it is here. */
  readonly outline: readonly Heading[];
}

/** How large a part of a file may be. */
export interface ExcerptLimits {
  /** UTF-16 code units of an excerpt. @default 12000 */
  readonly excerptLength: number;
  /** Bytes of a file that is read at all. @default 2 MiB */
  readonly fileBytes: number;
}

/** The limits that hold where nothing else is said. */
export const defaultExcerptLimits: ExcerptLimits = { excerptLength: 12_000, fileBytes: 2 * 1024 * 1024 };
