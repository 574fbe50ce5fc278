import { canonicalJson, parseJson, recordable } from '@skillpack/core';

/** Whether two texts are JSON of the same value, however they are spaced and ordered, or the same text. */
export function isSameJson(left: string, right: string): boolean {
  if (left === right) return true;
  const [one, other] = [read(left), read(right)];
  if (one === undefined || other === undefined) return false;
  return canonicalJson(recordable(one)) === canonicalJson(recordable(other));
}

/** Whether a text is one value of JSON. */
export function isJson(text: string): boolean {
  return read(text) !== undefined;
}

function read(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: parseJson(text) };
  } catch {
    return undefined;
  }
}
