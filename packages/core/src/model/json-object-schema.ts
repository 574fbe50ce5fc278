import * as z from 'zod/mini';
import type { JsonObject } from '../json/json-value.js';

/** How much an object of JSON may hold. */
export interface JsonLimits {
  /** Levels, the object itself being the first. */
  readonly depth: number;
  /** Values of all levels together. */
  readonly values: number;
  /** UTF-16 code units of all texts and keys together. */
  readonly length: number;
}

/** The schema of an object that may hold any JSON, within limits. */
export function jsonObjectSchema(limits: JsonLimits): z.ZodMiniType<JsonObject, JsonObject> {
  const { depth, values, length } = limits;
  const error = `expected an object of JSON with at most ${depth} levels, ${values} values and ${length} characters`;
  // What comes was parsed from JSON, so that it holds nothing that JSON cannot say.
  return z.looseObject({}).check(z.refine((value) => fits(value, limits), { error })) as unknown as z.ZodMiniType<
    JsonObject,
    JsonObject
  >;
}

function fits(root: object, limits: JsonLimits): boolean {
  let values = 0;
  let length = 0;
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value: root, depth: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    values += 1;
    // JSON spells numbers that a double cannot hold (1e999), and nothing can write them again.
    if (typeof value === 'number' && !Number.isFinite(value)) return false;
    if (typeof value === 'string') length += value.length;
    if (typeof value === 'object' && value !== null) {
      if (depth > limits.depth) return false;
      for (const [key, child] of Object.entries(value)) {
        if (!Array.isArray(value)) length += key.length;
        open.push({ value: child, depth: depth + 1 });
      }
    }
    if (values > limits.values || length > limits.length) return false;
  }
  return true;
}
