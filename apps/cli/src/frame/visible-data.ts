import { visibleLines, visibleText } from '@skillpack/core';

/**
 * Plain data in which every string can be shown on a terminal: one line each, no control, escape or bidirectional
 * characters. What holds others is copied. Strings under a key of `keepLines` keep their line breaks and tabs.
 */
export function visibleData<Data>(data: Data, keepLines: readonly string[] = []): Data {
  // The copy has the shape of the original: only the characters of its strings differ.
  return copy(data, { show: visibleText, keepLines: new Set(keepLines) }) as Data;
}

interface Shown {
  readonly show: (text: string) => string;
  readonly keepLines: ReadonlySet<string>;
}

function copy(value: unknown, shown: Shown): unknown {
  if (typeof value === 'string') return shown.show(value);
  // Nearly always there is nothing to copy: to find that out costs half as much as copying.
  if (typeof value !== 'object' || value === null || isVisible(value, shown)) return value;
  if (Array.isArray(value)) return value.map((item) => copy(item, shown));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]: [string, unknown]) => [visibleText(key), copy(inner, below(key, shown))]),
  );
}

function isVisible(value: unknown, shown: Shown): boolean {
  if (typeof value === 'string') return shown.show(value) === value;
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every((item) => isVisible(item, shown));
  return Object.entries(value).every(
    ([key, inner]: [string, unknown]) => visibleText(key) === key && isVisible(inner, below(key, shown)),
  );
}

function below(key: string, shown: Shown): Shown {
  return shown.keepLines.has(key) ? { ...shown, show: visibleLines } : shown;
}
