import { visibleLines, visibleText } from '@skillpack/core';

/**
 * Plain data in which every string can be shown on a terminal: one line each, no control, escape or bidirectional
 * characters. What holds others is copied. Strings under a key of `keepLines` keep their line breaks and tabs.
 */
export function visibleData<Data>(data: Data, keepLines: readonly string[] = []): Data {
  // The copy has the shape of the original: only the characters of its strings differ.
  return copy(data, visibleText, new Set(keepLines)) as Data;
}

function copy(value: unknown, show: (text: string) => string, keepLines: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return show(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => copy(item, show, keepLines));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const entries = Object.entries(value);
  const copies = entries.map(([key, inner]: [string, unknown]) =>
    copy(inner, keepLines.has(key) ? visibleLines : show, keepLines),
  );
  const same = entries.every(([key, inner], index) => inner === copies[index] && visibleText(key) === key);
  return same ? value : Object.fromEntries(entries.map(([key], index) => [visibleText(key), copies[index]]));
}
