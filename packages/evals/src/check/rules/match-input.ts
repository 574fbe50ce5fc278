import { canonicalJson, type JsonValue } from '@skillpack/core';
import type { Bindings } from './bindings.js';
import { matchText, variableOf } from './match-text.js';

/** How an input is compared. */
export interface MatchInputOptions {
  readonly bindings: Bindings;
  /** Whether objects may have no fields but those that are wanted. */
  readonly exactly: boolean;
}

/**
 * What the variables stand for where a value is what is wanted: an object has the wanted fields, a list has exactly the
 * wanted items, a text fits as texts of patterns do, and anything else is the same. A variable stands for any value.
 */
export function matchInput(
  wanted: JsonValue,
  given: JsonValue,
  { bindings, exactly }: MatchInputOptions,
): Bindings | undefined {
  if (typeof wanted === 'string') {
    if (typeof given === 'string') return matchText(wanted, given, bindings);
    return variableOf(wanted) === undefined ? undefined : matchText(wanted, canonicalJson(given), bindings);
  }
  if (typeof wanted !== 'object' || wanted === null) return wanted === given ? bindings : undefined;
  if (typeof given !== 'object' || given === null) return undefined;
  if (isList(wanted) !== isList(given)) return undefined;
  const size = Object.keys(given).length;
  if ((exactly || isList(wanted)) && size !== Object.keys(wanted).length) return undefined;
  let matched: Bindings | undefined = bindings;
  for (const [name, value] of Object.entries(wanted)) {
    const field = fieldOf(given, name);
    if (field === undefined) return undefined;
    matched = matchInput(value, field, { bindings: matched, exactly });
    if (matched === undefined) return undefined;
  }
  return matched;
}

function fieldOf(given: object, name: string): JsonValue | undefined {
  // Cast: a field of its own of a JSON value is one.
  return Object.hasOwn(given, name) ? (given as Readonly<Record<string, JsonValue>>)[name] : undefined;
}

function isList(value: object): value is readonly JsonValue[] {
  return Array.isArray(value);
}
