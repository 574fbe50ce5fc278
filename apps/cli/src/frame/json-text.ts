import { visibleText, visibleLines } from '@skillpack/core';

/**
 * One JSON document and a newline. Every control, bidirectional and invisible character of its strings and keys is shown
 * as its code point (`<U+202E>`), line breaks and tabs of strings excepted: who passes a string on, to a terminal, a
 * log or a model, passes on nothing that acts or hides.
 */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(shown(value), null, 2)}\n`;
}

function shown(value: unknown): unknown {
  if (typeof value === 'string') return visibleLines(value);
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return value.toISOString();
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [visibleText(key), shown(inner)]));
}
