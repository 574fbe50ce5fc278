import * as z from 'zod/mini';

const pattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/u;

/** Whether `text` is a moment as {@link utcTimeSchema} has it. */
export function isUtcTime(text: string): boolean {
  return pattern.test(text) && !Number.isNaN(Date.parse(text));
}

/** A moment as RFC 3339 in UTC, as `Date.prototype.toISOString` writes it. */
export const utcTimeSchema = z.string().check(
  z.regex(pattern, { error: 'expected a UTC time (RFC 3339)', abort: true }),
  z.refine((text) => !Number.isNaN(Date.parse(text)), { error: 'expected a time that exists' }),
);
