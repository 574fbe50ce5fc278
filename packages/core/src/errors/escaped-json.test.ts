import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapedJson } from './escaped-json.js';
import { invisibleCharacters } from './visible-text.js';

const pieces = fc.constantFrom('a', '\n', '\t', '\r', '"', '\\', '\u001B[2J', '\u009B', '\u202E', '\u200B', '\u2028', '\u{E0041}', '\uD800', 'é', '👩‍💻'); // prettier-ignore
const texts = fc.array(pieces).map((parts) => parts.join(''));

test('a program reads what was written, and a person sees all of it', () => {
  fc.assert(
    fc.property(fc.dictionary(texts, fc.array(texts)), fc.constantFrom(0, 2, '\t'), (value, indent) => {
      const json = escapedJson(value, indent);
      expect(JSON.parse(json)).toEqual(value);
      expect(json.replaceAll(/[\n\t]/gu, '')).not.toMatch(invisibleCharacters);
    }),
  );
});

test('what can be seen stays as it is, joiners of emoji too', () => {
  expect(escapedJson({ é: '👩‍💻 日本' }, 2)).toBe('{\n  "é": "👩‍💻 日本"\n}');
});
