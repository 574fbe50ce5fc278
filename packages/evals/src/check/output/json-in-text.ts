import { parseJson, type JsonValue } from '@skillpack/core';

/** How many characters are looked at before it is given up, those that are looked at twice counted twice. */
const mostLooks = 4_000_000;
const mostFound = 100;

/** The objects and lists that stand in a text as JSON, the outermost ones, in their order. In bounded time. */
export function jsonInText(text: string): readonly JsonValue[] {
  const found: JsonValue[] = [];
  const starts = /[[{]/gu;
  let looks = mostLooks;
  for (let start = starts.exec(text); start !== null && found.length < mostFound; start = starts.exec(text)) {
    const end = endOfJson(text, { from: start.index, most: looks });
    looks -= (end ?? Math.min(text.length, start.index + looks)) - start.index;
    if (looks <= 0) break;
    const value = end === undefined ? undefined : readJson(text.slice(start.index, end));
    if (value === undefined || end === undefined) continue;
    found.push(value);
    starts.lastIndex = end;
  }
  return found;
}

/** A text as JSON; `undefined` where it is none. */
export function readJson(text: string): JsonValue | undefined {
  try {
    // Cast: what JSON says is a JSON value.
    return parseJson(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Behind the bracket that closes the first one. */
function endOfJson(text: string, { from, most }: { readonly from: number; readonly most: number }): number | undefined {
  let depth = 0;
  let inText = false;
  for (let at = from; at < Math.min(text.length, from + most); at += 1) {
    const character = text.charAt(at);
    if (inText) {
      if (character === '\\') at += 1;
      else if (character === '"') inText = false;
    } else if (character === '"') inText = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}
