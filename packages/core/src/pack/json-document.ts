import type * as z from 'zod/mini';
import { SkillsError } from '../errors/skills-error.js';
import type { ErrorCode } from '../errors/codes.js';

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
  const value = parseJson(text, options);
  checkFormatVersion(value, options);
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const where = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`;
  throw new SkillsError(options.code, `${options.what} is not valid${where}: ${issue?.message ?? 'unknown problem'}.`, {
    hint: options.hint,
    data: { issues: result.error.issues.slice(0, 20).map(({ path, message }) => ({ path: path.join('.'), message })) },
  });
}

function parseJson(text: string, options: ReadDocumentOptions): unknown {
  if (text.length > options.maxLength) {
    throw new SkillsError(
      options.code,
      `${options.what} has ${text.length} characters; at most ${options.maxLength} are read.`,
      { hint: options.hint, data: { length: text.length, maxLength: options.maxLength } },
    );
  }
  try {
    const withoutMark = text.startsWith('\uFEFF') ? text.slice(1) : text;
    return JSON.parse(withoutMark, (key, value: unknown) => (key === '__proto__' ? undefined : value));
  } catch (cause) {
    throw new SkillsError(options.code, `${options.what} is not JSON: ${(cause as SyntaxError).message}.`, {
      hint: options.hint,
      cause,
    });
  }
}

function checkFormatVersion(value: unknown, options: ReadDocumentOptions): void {
  if (typeof value !== 'object' || value === null || !('formatVersion' in value)) return;
  if (value.formatVersion === formatVersion || typeof value.formatVersion !== 'number') return;
  throw new SkillsError(
    'UNSUPPORTED_FORMAT',
    `${options.what} has formatVersion ${value.formatVersion}; this version of skillpack knows ${formatVersion}.`,
    { hint: 'Update skillpack.', data: { found: value.formatVersion, known: formatVersion } },
  );
}

/** How a document is laid out. */
export interface WriteDocumentOptions {
  /** Keys that lead, in this order, at the top level; all others follow sorted. @default [] */
  readonly first?: readonly string[] | undefined;
  /** Everything on one line, for NDJSON. @default false */
  readonly compact?: boolean | undefined;
}

/**
 * Writes a document of ours: sorted keys, two spaces, a final newline. Same value, same bytes. Fields that are
 * `undefined` are left out.
 */
export function writeDocument(value: object, options: WriteDocumentOptions = {}): string {
  const first = options.first ?? [];
  const sorted = sortKeys(value) as Record<string, unknown>;
  const leading = first.filter((key) => key in sorted).map((key) => [key, sorted[key]] as const);
  const rest = Object.entries(sorted).filter(([key]) => !first.includes(key));
  return `${JSON.stringify(Object.fromEntries([...leading, ...rest]), null, options.compact === true ? 0 : 2)}\n`;
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  entries.sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]));
}
