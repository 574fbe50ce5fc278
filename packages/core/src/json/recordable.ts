// A document of ours is read to 64 levels, and an event has a few of its own around what it holds.
const maxDepth = 48;

/** What stands in the place of a value that is nested too deep. */
export const nestedTooDeep = '[nested too deep to be recorded]';

/**
 * A value in a form that JSON can say and that reads back as the same: half a surrogate pair becomes U+FFFD, NaN becomes
 * `null`, an infinite number the largest whole one (so that “no limit” stays larger than everything that is counted), a
 * bigint, a symbol or a function its text, -0 becomes 0. Fields that are `undefined` are left out, a hole in a list is
 * `null`, and what lies deeper than 48 levels is {@link nestedTooDeep}.
 */
export function recordable<Value>(value: Value): Value {
  // The shape is kept: every field that is there in both has the type it had.
  return recordableValue(value, 0) as Value;
}

function recordableValue(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case 'string':
      return value.toWellFormed();
    case 'number':
      return recordableNumber(value);
    case 'boolean':
      return value;
    case 'undefined':
      return null;
    case 'object':
      if (value === null) return null;
      if (depth === maxDepth) return nestedTooDeep;
      return Array.isArray(value)
        ? Array.from(value, (inner) => recordableValue(inner, depth + 1))
        : recordableObject(value, depth);
    default:
      return String(value).toWellFormed();
  }
}

function recordableNumber(value: number): number | null {
  if (Number.isNaN(value)) return null;
  if (Number.isFinite(value)) return value === 0 ? 0 : value;
  return value > 0 ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER;
}

function recordableObject(value: object, depth: number): object {
  return Object.fromEntries(
    Object.entries(value)
      // A document of ours is read without it.
      .filter(([key, inner]) => inner !== undefined && key !== '__proto__')
      .map(([key, inner]) => [key.toWellFormed(), recordableValue(inner, depth + 1)]),
  );
}
