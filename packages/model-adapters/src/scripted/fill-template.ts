import type { JsonValue } from '@skillpack/core';
import type { Captures } from './match-rule.js';

/**
 * A reply with what was captured in place of `$1` and `${name}`, in every text of it. A capture is put in as it is: it
 * is not read again, and cannot leave its text. What names no capture stays.
 */
export function fillTemplate<Value>(value: Value, captures: Captures): Value {
  if (captures.numbered.length === 0) return value;
  // The same shape with other texts.
  return fill(value as JsonValue, captures) as Value;
}

function fill(value: JsonValue | undefined, captures: Captures): JsonValue | undefined {
  if (typeof value === 'string') return fillText(value, captures);
  if (Array.isArray(value)) return value.map((item: JsonValue) => fill(item, captures) ?? null);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      const filled = fill(inner, captures);
      return filled === undefined ? [] : [[key, filled]];
    }),
  );
}

function fillText(text: string, { numbered, named }: Captures): string {
  return text.replace(
    /\$(?:\$|(\d{1,2})|\{([A-Za-z_]\w*)\})/gu,
    (written, number: string | undefined, name: string | undefined) => {
      if (number !== undefined) return numbered[Number(number)] ?? written;
      return name === undefined ? '$' : (named.get(name) ?? written);
    },
  );
}
