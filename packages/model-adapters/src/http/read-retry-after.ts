/** Longer than this nobody is told to wait. */
const longest = 24 * 3_600_000;

const resets = [
  ['anthropic-ratelimit-requests-reset', 'anthropic-ratelimit-requests-remaining'],
  ['anthropic-ratelimit-tokens-reset', 'anthropic-ratelimit-tokens-remaining'],
  ['anthropic-ratelimit-input-tokens-reset', 'anthropic-ratelimit-input-tokens-remaining'],
  ['anthropic-ratelimit-output-tokens-reset', 'anthropic-ratelimit-output-tokens-remaining'],
  ['x-ratelimit-reset-requests', 'x-ratelimit-remaining-requests'],
  ['x-ratelimit-reset-tokens', 'x-ratelimit-remaining-tokens'],
  ['x-ratelimit-reset', 'x-ratelimit-remaining'],
] as const;

/** How headers are read. */
export interface RetryAfterOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Whether a limit was reached: providers tell of their limits with every answer. */
  readonly limited: boolean;
}

/**
 * When a provider wants to be asked again, in milliseconds from `now`, at most a day: of `retry-after-ms`, `retry-after`
 * (RFC 9110: seconds or a date), else of the limits that say when they are full again. Of these the ones count of which
 * nothing remains; where none says so, all do, and the latest wins.
 *
 * @param headers with names in lower case.
 */
export function readRetryAfter(
  headers: Readonly<Record<string, string>>,
  { now, limited }: RetryAfterOptions,
): number | undefined {
  const milliseconds = plainNumber(headers['retry-after-ms'] ?? '');
  const asked = milliseconds ?? momentOf(headers['retry-after'] ?? '', now);
  if (asked !== undefined) return bounded(asked);
  if (!limited) return undefined;
  const told = resets.flatMap(([reset, remaining]) => {
    const after = momentOf(headers[reset] ?? '', now);
    return after === undefined ? [] : [{ after, spent: headers[remaining]?.trim() === '0' }];
  });
  const spent = told.filter((limit) => limit.spent);
  const counting = (spent.length > 0 ? spent : told).map(({ after }) => after);
  return counting.length === 0 ? undefined : bounded(Math.max(...counting));
}

function bounded(milliseconds: number): number {
  return Math.min(Math.max(0, Math.ceil(milliseconds)), longest);
}

function momentOf(text: string, now: number): number | undefined {
  const seconds = plainNumber(text);
  if (seconds !== undefined) return fromNumber(seconds, now);
  const duration = durationOf(text.trim());
  if (duration !== undefined) return duration;
  const date = /[a-z]{3},? |\d{4}-\d\d-\d\d/iu.test(text.slice(0, 100)) ? Date.parse(text.slice(0, 100)) : Number.NaN;
  return Number.isNaN(date) ? undefined : date - now;
}

/** A number is so many seconds, or a moment of the epoch in seconds or in milliseconds. */
function fromNumber(value: number, now: number): number {
  if (value >= 1e11) return value - now;
  return value >= 1e9 ? value * 1000 - now : value * 1000;
}

function plainNumber(text: string): number | undefined {
  return /^\s*\d{1,16}(?:\.\d{1,9})?\s*$/u.test(text) ? Number(text) : undefined;
}

const units: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** A duration as OpenAI writes it: `6m0s`, `1.5s`, `120ms`. */
function durationOf(text: string): number | undefined {
  if (!/^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|h|m|s)){1,4}$/u.test(text)) return undefined;
  return [...text.matchAll(/([\d.]+)(ms|h|m|s)/gu)].reduce(
    (sum, [, count = '0', unit = 's']) => sum + Number(count) * (units[unit] ?? 0),
    0,
  );
}
