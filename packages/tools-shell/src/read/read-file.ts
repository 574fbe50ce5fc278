import { readSync } from 'node:fs';
import { hash } from 'node:crypto';
import {
  makeExcerpt,
  quoted,
  SkillsError,
  type Digest,
  type SkillExcerpt,
  type SkillSelection,
  type ToolDefinition,
  type ToolOutcome,
} from '@skillpack/core';
import * as z from 'zod/mini';
import { withConfinedFile, type ConfinedFile } from '../confine/open-confined.js';
import type { ReadPorts } from './read-ports.js';
import { makePath } from './path-input.js';

const line = z.int().check(z.positive());

const inputSchema = z.strictObject({
  path: makePath('The file, relative to the workspace, or absolute.'),
  start_line: z.optional(line).register(z.globalRegistry, { description: 'The first line, from 1.' }),
  end_line: z.optional(line).register(z.globalRegistry, { description: 'The last line.' }),
  section: z
    .optional(z.string().check(z.maxLength(500)))
    .register(z.globalRegistry, { description: 'Of a Markdown file: a heading, whose section is read instead.' }),
});

/** How much is read. */
export interface ReadFileLimits {
  /** Bytes of a file. */
  readonly fileBytes: number;
  /** UTF-16 code units of an answer. */
  readonly answerLength: number;
}

/** Reads a text file, or a part of it; a binary one is described. */
export function readFileTool(
  { folders, redact }: ReadPorts,
  limits: ReadFileLimits,
): ToolDefinition<typeof inputSchema> {
  return {
    name: 'read_file',
    description:
      'Reads a text file, or some of its lines. A long file is cut, with the line to go on from. A binary file is described.',
    input: inputSchema,
    risk: 'low',
    run({ path, section, start_line: start = 1, end_line: end }) {
      if (end !== undefined && end < start) {
        throw new SkillsError('INVALID_INPUT', `end_line ${end} is before start_line ${start}.`);
      }
      const selection: SkillSelection =
        section === undefined ? { kind: 'lines', start, end } : { kind: 'section', heading: section };
      const bytes = withConfinedFile(folders.folderOf(path), path, (file) => readWhole(file, path, limits));
      const excerpt = makeExcerpt(
        { path, bytes: redactBytes(bytes, redact) },
        { sha256 },
        { selection, limits: { excerptLength: limits.answerLength } },
      );
      return answerOf(excerpt);
    },
  };
}

function readWhole({ descriptor, stats }: ConfinedFile, path: string, { fileBytes }: ReadFileLimits): Uint8Array {
  // Files that the system makes up as they are read say that they have no bytes: what counts is what comes.
  if (stats.size > fileBytes) throw tooLarge(path, stats.size, fileBytes);
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const piece = new Uint8Array(Math.max(64 * 1024, stats.size - size));
    const count = readSync(descriptor, piece, 0, piece.length, null);
    if (count === 0) return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
    size += count;
    if (size > fileBytes) throw tooLarge(path, size, fileBytes);
    pieces.push(piece.subarray(0, count));
  }
}

/** A text without what is taken out of it; what is no text, which nobody is shown, as it is. */
function redactBytes(bytes: Uint8Array, redact: ReadPorts['redact']): Uint8Array {
  const text = textOf(bytes);
  if (text === undefined) return bytes;
  const redacted = redact(text);
  return redacted === text ? bytes : new TextEncoder().encode(redacted);
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function tooLarge(path: string, size: number, maxBytes: number): SkillsError {
  return new SkillsError('FILE_TOO_LARGE', `${quoted(path)} has ${size} bytes; at most ${maxBytes} are read.`, {
    hint: 'Look for what you need with grep.',
    data: { size, maxBytes },
  });
}

function sha256(data: Uint8Array | string): Digest {
  // Cast: 64 lower-case hexadecimal digits are what `hex` means.
  return `sha256:${hash('sha256', data, 'hex')}` as Digest;
}

function answerOf(excerpt: SkillExcerpt): ToolOutcome {
  const { path, content, text, size, digest, lines, next, truncated } = excerpt;
  const facts = { path, size, digest, binary: content === 'binary', truncated };
  if (content === 'binary') return { content: text, contentForUser: text, output: facts };
  const where = lines === undefined ? '' : `, lines ${lines.start} to ${lines.end} of ${lines.total}`;
  const heading = `${quoted(path)}${where}`;
  const output = {
    ...facts,
    ...(lines === undefined ? {} : { start_line: lines.start, end_line: lines.end, total_lines: lines.total }),
    ...(next?.kind === 'lines' ? { next_start_line: next.start } : {}),
  };
  return { content: `${heading}:\n${text}${furtherOf(excerpt)}`, contentForUser: `Read ${heading}.`, output };
}

function furtherOf({ next, text }: SkillExcerpt): string {
  if (next === undefined) return '';
  const lineBreak = text.endsWith('\n') ? '' : '\n';
  return next.kind === 'lines'
    ? `${lineBreak}[Cut here. Go on with start_line ${next.start}.]`
    : `${lineBreak}[Cut here: the rest of this line is longer than an answer may be.]`;
}
