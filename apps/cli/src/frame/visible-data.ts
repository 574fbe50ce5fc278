import { visibleLines, visibleText } from '@skillpack/core';

/**
 * A copy of plain data in which every string can be shown on a terminal: one line each, no control, escape or
 * bidirectional characters. Strings under a key of `keepLines` keep their line breaks and tabs.
 */
export function visibleData<Data>(data: Data, keepLines: readonly string[] = []): Data {
  // The copy has the shape of the original: only the characters of its strings differ.
  return copy(data, visibleText, new Set(keepLines)) as Data;
}

function copy(value: unknown, show: (text: string) => string, keepLines: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return show(value);
  if (Array.isArray(value)) return value.map((item) => copy(item, show, keepLines));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      visibleText(key),
      copy(inner, keepLines.has(key) ? visibleLines : show, keepLines),
    ]),
  );
}
