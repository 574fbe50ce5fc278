import type * as z from 'zod/mini';
import type { ErrorCode } from '../errors/codes.js';
import { escapedJson } from '../errors/escaped-json.js';
import { SkillsError } from '../errors/skills-error.js';
import { endOfString } from './json-strings.js';
import { parseJson } from './parse-json.js';
import { describeIssue, forDescription, issuePath } from './schema-issue.js';

/** The formatVersion that every document of this version carries. */
export const formatVersion = 1;

/** How a document is read. */
export interface ReadDocumentOptions {
  /** What the message calls it: `skillpack-lock.json of /project`. */
  readonly what: string;
  readonly code: ErrorCode;
  /** In UTF-16 code units; a longer text is refused before it is parsed. */
  readonly maxLength: number;
  readonly hint?: string | undefined;
}

// Far beyond any honest document, and low enough that a hostile one of 16 MiB costs neither gigabytes nor the stack.
const maxDepth = 64;
const maxValues = 200_000;
// More than 16 MiB of real versions come to.
const maxLines = 50_000;

/**
 * Reads a JSON document of ours: size first, then syntax, then formatVersion, then schema. Keys named `__proto__` are
 * dropped; unknown fields are ignored as the schema says.
 *
 * @throws `options.code`, or `UNSUPPORTED_FORMAT` when the document has a formatVersion other than 1.
 */
export function readDocument<Schema extends z.ZodMiniType>(
  text: string,
  schema: Schema,
  options: ReadDocumentOptions,
): z.output<Schema> {
  return readDocumentValue(readJson(text, options), schema, options);
}

/** As {@link readDocument}, of a document whose JSON was read by {@link readJson}. @throws as `readDocument`. */
export function readDocumentValue<Schema extends z.ZodMiniType>(
  value: unknown,
  schema: Schema,
  options: ReadDocumentOptions,
): z.output<Schema> {
  checkFormatVersion(value, options);
  const result = schema.safeParse(value, forDescription);
  if (result.success) return result.data;
  const issues = result.error.issues
    .slice(0, 20)
    .map((issue) => ({ path: issuePath(issue), message: describeIssue(issue) }));
  const [first = { path: '', message: 'it does not follow its schema' }] = issues;
  const where = first.path === '' ? '' : ` at ${first.path}`;
  throw new SkillsError(options.code, `${options.what} is not valid${where}: ${first.message}.`, {
    hint: options.hint,
    data: { issues },
  });
}

/**
 * Reads JSON that nobody vouches for: a byte order mark is skipped, keys named `__proto__` are dropped, and a text that
 * is too long, too deep or holds too many values is refused before it is parsed.
 *
 * @throws `options.code`.
 */
export function readJson(text: string, options: ReadDocumentOptions): unknown {
  checkLength(text, options);
  const problem = judgeSize(text);
  if (problem !== undefined) {
    throw new SkillsError(options.code, `${options.what} ${problem}.`, { hint: options.hint });
  }
  try {
    const json = text.startsWith('\uFEFF') ? text.slice(1) : text;
    const value = parseJson(json);
    // An escape may spell the name otherwise.
    if (/__proto__|\\u/u.test(json)) dropPrototypeKeys(value);
    return value;
  } catch (cause) {
    throw new SkillsError(options.code, `${options.what} is not JSON: ${(cause as SyntaxError).message}.`, {
      hint: options.hint,
      cause,
    });
  }
}

function checkLength(text: string, options: ReadDocumentOptions): void {
  if (text.length <= options.maxLength) return;
  throw new SkillsError(
    options.code,
    `${options.what} has ${text.length} characters; at most ${options.maxLength} are read.`,
    { hint: options.hint, data: { length: text.length, maxLength: options.maxLength } },
  );
}

function dropPrototypeKeys(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    if (key === '__proto__') Reflect.deleteProperty(value, key);
    else dropPrototypeKeys(child);
  }
}

function judgeSize(text: string): string | undefined {
  let depth = 0;
  let values = 1;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (character === code.quote) index = endOfString(text, index);
    else if (character === code.comma) values += 1;
    else if (character === code.openBracket || character === code.openBrace) depth += 1;
    else if (character === code.closeBracket || character === code.closeBrace) depth -= 1;
    if (depth > maxDepth) return `is nested deeper than ${maxDepth} levels`;
    if (values > maxValues) return `holds more than ${maxValues} values`;
  }
  return undefined;
}

const code = {
  quote: 0x22,
  comma: 0x2c,
  openBracket: 0x5b,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
} as const;

function checkFormatVersion(value: unknown, options: ReadDocumentOptions): void {
  if (typeof value !== 'object' || value === null || !('formatVersion' in value)) return;
  if (value.formatVersion === formatVersion || typeof value.formatVersion !== 'number') return;
  throw new SkillsError(
    'UNSUPPORTED_FORMAT',
    `${options.what} has formatVersion ${value.formatVersion}; this version of skillpack knows ${formatVersion}.`,
    { hint: 'Update skillpack.', data: { found: value.formatVersion, known: formatVersion } },
  );
}

/** One line of an NDJSON document, with the options under which it is read. */
export interface DocumentLine extends ReadDocumentOptions {
  readonly text: string;
}

/**
 * The lines of an NDJSON document that are not blank. The messages of each name its line as an editor counts it.
 *
 * @throws `options.code` when the document is too long or has too many lines.
 */
export function documentLines(ndjson: string, options: ReadDocumentOptions): readonly DocumentLine[] {
  checkLength(ndjson, options);
  const lines: DocumentLine[] = [];
  let start = 0;
  for (let number = 1; start < ndjson.length; number += 1) {
    if (number > maxLines) {
      throw new SkillsError(options.code, `${options.what} has more than ${maxLines} lines.`, { hint: options.hint });
    }
    const newline = ndjson.indexOf('\n', start);
    const end = newline === -1 ? ndjson.length : newline;
    const text = ndjson.slice(start, end);
    if (text.trim() !== '') lines.push({ ...options, text, what: `${options.what}, line ${number},` });
    start = end + 1;
  }
  return lines;
}

/** How a document is laid out. */
export interface WriteDocumentOptions {
  /** Keys that lead, in this order, at the top level; all others follow sorted. @default [] */
  readonly first?: readonly string[] | undefined;
  /** Everything on one line, for NDJSON. @default false */
  readonly compact?: boolean | undefined;
}

/**
 * Writes a document of ours: keys sorted by UTF-16 code units, two spaces, a final newline, every character that nobody
 * can see as a `\u` escape. Same value, same bytes. Fields that are `undefined` are left out.
 */
export function writeDocument(value: object, options: WriteDocumentOptions = {}): string {
  const first = options.first ?? [];
  const sorted = Object.entries(sortKeys(value));
  const leading = first.flatMap((key) => sorted.filter(([other]) => other === key));
  const rest = sorted.filter(([key]) => !first.includes(key));
  return `${escapedJson(Object.fromEntries([...leading, ...rest]), options.compact === true ? 0 : 2)}\n`;
}

function sortKeys(value: object): object {
  if (isSortedRow(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, inner]) => [key, sortDeep(inner)]),
  );
}

/** Whether it is written as it is: long documents are lists of such rows. */
function isSortedRow(value: object): boolean {
  let previous = '';
  for (const [key, inner] of Object.entries(value)) {
    if (key < previous || inner === undefined || typeof inner === 'object') return false;
    previous = key;
  }
  return true;
}

function sortDeep(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortDeep);
  return typeof value === 'object' && value !== null ? sortKeys(value) : value;
}
