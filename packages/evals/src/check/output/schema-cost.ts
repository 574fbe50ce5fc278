import type { JsonObject, JsonValue } from '@skillpack/core';

/** Schemas that are gone through for one value, those that are referred to as often as they are. */
const mostSchemas = 100_000;

/** Comparisons of items with each other that a list without equal items takes: a few tenths of a second. */
const mostComparisons = 2_000_000;

/**
 * What keeps a schema from being used, though it is one: by references to references, a short one can take hours. What
 * refers to itself is gone through as deep as the value goes, and counts once.
 */
export function schemaProblem(schema: JsonObject): string | undefined {
  const places = new Map<JsonValue, number | 'open'>();
  const sizeOf = (part: JsonValue): number => {
    if (typeof part !== 'object' || part === null) return 0;
    const known = places.get(part);
    if (known !== undefined) return known === 'open' ? 1 : known;
    places.set(part, 'open');
    const target = isList(part) ? undefined : targetOf(part['$ref'] ?? part['$dynamicRef'], schema);
    // Schemas that are only kept are gone through where something refers to them.
    const inner = Object.entries(part).filter(([name]) => name !== '$defs' && name !== 'definitions');
    const size = 1 + inner.reduce((sum, [, one]) => sum + sizeOf(one), target === undefined ? 0 : sizeOf(target));
    places.set(part, size);
    return size;
  };
  return sizeOf(schema) > mostSchemas ? 'it refers to its own parts too often' : undefined;
}

/** What keeps a value from being held to a schema: lists whose items would have to be compared with each other. */
export function valueProblem(value: JsonValue, schema: JsonObject): string | undefined {
  if (!JSON.stringify(schema).includes('"uniqueItems":true')) return undefined;
  let comparisons = 0;
  const open: JsonValue[] = [value];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (typeof part !== 'object' || part === null) continue;
    if (isList(part)) comparisons += (part.length * (part.length - 1)) / 2;
    for (const inner of Object.values(part)) open.push(inner);
  }
  return comparisons > mostComparisons ? 'its lists are too long for uniqueItems' : undefined;
}

/** The part of a schema that a reference means, by a path or an anchor. */
function targetOf(reference: JsonValue | undefined, schema: JsonObject): JsonValue | undefined {
  if (typeof reference !== 'string' || !reference.startsWith('#')) return undefined;
  if (reference === '#') return schema;
  if (!reference.startsWith('#/')) return anchored(schema, reference.slice(1));
  let part: JsonValue | undefined = schema;
  for (const name of reference.slice(2).split('/').map(plainName)) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, name)) return undefined;
    // Cast: a field of its own of a JSON value is one.
    part = (part as Readonly<Record<string, JsonValue>>)[name];
  }
  return part;
}

/** RFC 6901, in a fragment of an address. */
function plainName(written: string): string {
  try {
    return decodeURIComponent(written).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return written;
  }
}

function anchored(schema: JsonObject, name: string): JsonValue | undefined {
  const open: JsonValue[] = [schema];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (typeof part !== 'object' || part === null) continue;
    if (!isList(part) && (part['$anchor'] === name || part['$dynamicAnchor'] === name)) return part;
    for (const inner of Object.values(part)) open.push(inner);
  }
  return undefined;
}

function isList(value: object): value is readonly JsonValue[] {
  return Array.isArray(value);
}
