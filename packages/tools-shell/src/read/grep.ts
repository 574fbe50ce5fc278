import { readSync } from 'node:fs';
import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkAborted, quoted, SkillsError, visibleText, type ToolDefinition, type ToolOutcome } from '@skillpack/core';
import * as z from 'zod/mini';
import { findConfined } from '../confine/confined-entry.js';
import { checkRegular, withConfinedFile } from '../confine/open-confined.js';
import { lineBatches } from './line-batches.js';
import { makeLineMatcher, type LineMatcher } from './line-matcher.js';
import { makePath } from './path-input.js';
import type { ReadPorts } from './read-ports.js';
import { walkFolder } from './walk-folder.js';

const flag = (description: string) => z._default(z.boolean(), false).register(z.globalRegistry, { description });

const inputSchema = z.strictObject({
  pattern: z
    .string()
    .check(z.minLength(1), z.maxLength(1_000))
    .register(z.globalRegistry, { description: 'What to look for in each line.' }),
  path: z._default(makePath('The file or folder, relative to the workspace, or absolute.'), '.'),
  regex: flag('Whether the pattern is a regular expression (of JavaScript).'),
  ignore_case: flag('Whether capital and small letters count as the same.'),
});

/** How much is searched. */
export interface GrepLimits {
  /** Lines that are shown. */
  readonly matches: number;
  /** UTF-16 code units of an answer. */
  readonly answerLength: number;
  /** Bytes of a file; larger ones are passed over. */
  readonly fileBytes: number;
  /** Bytes of all files together. */
  readonly totalBytes: number;
}

interface Found {
  readonly lines: string[];
  length: number;
  files: number;
  bytes: number;
  tooLarge: number;
  /** Why it ended before everything was looked through. */
  cut: string | undefined;
}

const shownLength = 300;
const deepest = 64;
const sniffed = 8_192;

/** Looks for a text or a regular expression in the lines of files. */
export function grepTool({ folders, redact }: ReadPorts, limits: GrepLimits): ToolDefinition<typeof inputSchema> {
  return {
    name: 'grep',
    description:
      'Finds lines in the files of a folder, or in one file: path, line number, line. Binary files, .git and node_modules are passed over.',
    input: inputSchema,
    risk: 'low',
    async run({ pattern, path, regex, ignore_case: ignoreCase }, { signal }) {
      const matcher = makeLineMatcher({ pattern, regex, ignoreCase });
      const folder = folders.folderOf(path);
      const start = findConfined(folder, path);
      const options: SearchOptions = { matcher, redact, limits, signal };
      const found: Found = { lines: [], length: 0, files: 0, bytes: 0, tooLarge: 0, cut: undefined };
      if (start.stats.isDirectory()) {
        for await (const { kind, place } of walkFolder(start.path, { depth: deepest, signal })) {
          const below = start.place === '' ? place : `${start.place}/${place}`;
          if (kind === 'file') await search({ folder, path: below, place }, found, options);
          if (found.cut !== undefined) break;
        }
      } else {
        checkRegular(start, path);
        await search({ folder, path: start.place, place: basename(start.path) }, found, options);
      }
      return answerOf(pattern, found, limits);
    },
  };
}

interface FileToSearch {
  /** Of all that is below it nothing is a link: not the folder that is looked through either. */
  readonly folder: string;
  /** Below it. */
  readonly path: string;
  /** Below the folder that is looked through, as it is told. */
  readonly place: string;
}

interface SearchOptions {
  readonly matcher: LineMatcher;
  readonly redact: ReadPorts['redact'];
  readonly limits: GrepLimits;
  readonly signal: AbortSignal;
}

async function search(file: FileToSearch, found: Found, options: SearchOptions): Promise<void> {
  const { matcher, redact, limits, signal } = options;
  await letOthersRun(signal);
  const findLines = matcher();
  const place = visibleText(redact(file.place));
  const content = readText(file, found, limits);
  // Looked through afterwards, else a pattern would find out what a secret is made of.
  for (const { before, lines } of content === undefined ? [] : lineBatches(redact(content))) {
    const room = limits.matches - found.lines.length;
    // One more than there is room for says whether there are more.
    const matches = findLines(lines, room + 1);
    for (const { line, at } of matches.slice(0, room)) {
      const text = `${place}:${before + line}: ${shown(lines[line - 1] ?? '', at)}`;
      found.length += text.length + 1;
      if (found.length > limits.answerLength) {
        found.cut = 'there are more lines than an answer has room for';
        return;
      }
      found.lines.push(text);
    }
    if (matches.length > room) {
      found.cut = `there are more than ${limits.matches} lines`;
      return;
    }
    await letOthersRun(signal);
  }
  if (found.bytes > limits.totalBytes) found.cut = `more than ${limits.totalBytes} bytes were looked through`;
}

async function letOthersRun(signal: AbortSignal): Promise<void> {
  await nextTurn();
  checkAborted(signal, 'Looking through a folder');
}

/** The text of a file; `undefined` for what is no text, too large, or cannot be read. */
function readText({ folder, path }: FileToSearch, found: Found, limits: GrepLimits): string | undefined {
  try {
    return withConfinedFile(folder, path, ({ descriptor, stats }) => {
      if (stats.size > limits.fileBytes) {
        found.tooLarge += 1;
        return undefined;
      }
      const bytes = Buffer.alloc(stats.size);
      const size = readSync(descriptor, bytes, 0, bytes.length, 0);
      found.files += 1;
      found.bytes += size;
      if (bytes.subarray(0, Math.min(size, sniffed)).includes(0)) return undefined;
      return bytes.toString('utf8', 0, size);
    });
  } catch (error) {
    // It is gone, or became something else, since the folder was listed.
    if (SkillsError.is(error)) return undefined;
    throw error;
  }
}

/** A line, or what is around the match in a long one. */
function shown(text: string, at: number): string {
  const from = at > shownLength / 2 && text.length > shownLength ? Math.floor(at - shownLength / 4) : 0;
  const part = text.slice(from, from + shownLength);
  return `${from > 0 ? '…' : ''}${visibleText(part)}${from + shownLength < text.length ? '…' : ''}`;
}

function answerOf(pattern: string, found: Found, limits: GrepLimits): ToolOutcome {
  const { lines, files, tooLarge, cut } = found;
  const summary = `${cut === undefined ? lines.length : `At least ${lines.length}`} lines with ${quoted(pattern)} in ${files} files`;
  const notes = [
    ...(cut === undefined ? [] : [`[Cut here: ${cut}. Look for something rarer, or in one folder.]`]),
    ...(tooLarge === 0 ? [] : [`[${tooLarge} files have more than ${limits.fileBytes} bytes and were passed over.]`]),
  ];
  return {
    content: [`${summary}${lines.length === 0 ? '.' : ':'}`, ...lines, ...notes].join('\n'),
    contentForUser: `${summary}.`,
    output: { matches: lines.length, files, too_large: tooLarge, truncated: cut !== undefined },
  };
}
