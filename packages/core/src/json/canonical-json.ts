/**
 * A value as the one JSON text that stands for it (RFC 8785): no blanks, keys sorted by UTF-16 code units, numbers and
 * texts as `JSON.stringify` writes them. Fields that are `undefined` are left out, as if they were not there.
 *
 * @throws `TypeError` for what JSON cannot say: NaN, an infinite number, half a surrogate pair, `undefined` in a list, a
 * function, a symbol or a bigint. {@link recordable} brings a value into a form without these.
 */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return canonicalText(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`JSON has no number ${value}.`);
      return JSON.stringify(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? `[${value.map(canonicalJson).join(',')}]` : canonicalObject(value);
    default:
      throw new TypeError(`JSON has no ${typeof value}.`);
  }
}

function canonicalObject(value: object): string {
  const fields: string[] = [];
  for (const [key, inner] of Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1))) {
    if (inner !== undefined) fields.push(`${canonicalText(key)}:${canonicalJson(inner)}`);
  }
  return `{${fields.join(',')}}`;
}

function canonicalText(text: string): string {
  // Two texts with different halves would be one in UTF-8, and have one hash.
  if (!text.isWellFormed()) throw new TypeError('A text holds half a surrogate pair, which UTF-8 cannot say.');
  return JSON.stringify(text);
}
