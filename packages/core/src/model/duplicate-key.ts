import { endOfString } from '../json/json-strings.js';
import { parseJson } from '../json/parse-json.js';

/** The first key that an object of a valid JSON text has twice, however it is spelled; `undefined` where none has. */
export function findDuplicateKey(json: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  // Whether a string that comes now would be a key.
  let atKey = false;
  for (let at = 0; at < json.length; at += 1) {
    switch (json.charAt(at)) {
      case '"': {
        const end = endOfString(json, at);
        const keys = open.at(-1);
        if (atKey && keys !== undefined) {
          const key = keyOf(json.slice(at, end + 1));
          if (keys.has(key)) return key;
          keys.add(key);
        }
        atKey = false;
        at = end;
        break;
      }
      case '{':
        open.push(new Set());
        atKey = true;
        break;
      case '[':
        open.push(undefined);
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case ',':
        atKey = open.at(-1) !== undefined;
        break;
      default:
    }
  }
  return undefined;
}

function keyOf(literal: string): string {
  return literal.includes('\\') ? String(parseJson(literal)) : literal.slice(1, -1);
}
