import { parseJson, SkillsError, visibleText } from '@skillpack/core';
import type * as z from 'zod/mini';

/** UTF-16 code units: more than a report of 50,000 trials has. */
const longestReport = 64 * 1024 * 1024;

/** What a report is called in messages, and what writes one. */
export interface ReportJsonOptions {
  readonly fileName: string;
  /** `a report of evals`. */
  readonly what: string;
  readonly hint: string;
}

/**
 * Reads a report, whose lists may be longer than those of other documents: size first, then syntax, then formatVersion, then
 * schema. Fields that the schema does not have are left out.
 *
 * @throws `INVALID_RESULTS`; `UNSUPPORTED_FORMAT` for another formatVersion than 1.
 */
export function readReportJson<Schema extends z.ZodMiniType>(
  text: string,
  schema: Schema,
  options: ReportJsonOptions,
): z.output<Schema> {
  const { fileName, what, hint } = options;
  const name = visibleText(fileName).slice(0, 200);
  const refuse = (why: string, cause?: unknown): SkillsError =>
    new SkillsError('INVALID_RESULTS', `${name} is not ${what}: ${why}.`, {
      hint,
      ...(cause === undefined ? {} : { cause }),
    });
  if (text.length > longestReport)
    throw refuse(`it has ${text.length} characters, and at most ${longestReport} are read`);
  const value = readJson(text, refuse);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refuse('it is no JSON object');
  const version = 'formatVersion' in value ? value.formatVersion : undefined;
  if (typeof version === 'number' && version !== 1)
    throw new SkillsError(
      'UNSUPPORTED_FORMAT',
      `${name} has formatVersion ${version}; this version of skillpack knows 1.`,
      { hint: 'Update skillpack.', data: { found: version, known: 1 } },
    );
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const where = read.error.issues[0]?.path.map(String).join('.') ?? '';
  throw refuse(
    where === '' ? 'fields are missing' : `${visibleText(where).slice(0, 200)} is missing or something else`,
  );
}

function readJson(text: string, refuse: (why: string, cause: unknown) => SkillsError): unknown {
  try {
    return parseJson(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch (cause) {
    throw refuse(`it is not JSON, ${visibleText(cause instanceof Error ? cause.message : '').slice(0, 200)}`, cause);
  }
}
