/**
 * A value of JSON in which no text holds half a surrogate pair: each becomes U+FFFD. JSON can spell such halves, and
 * nothing can write them as UTF-8 again.
 */
export function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toWellFormed(), wellFormed(inner)]));
}
