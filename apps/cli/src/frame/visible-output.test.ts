import fc from 'fast-check';
import { visibleText } from '@skillpack/core';
import { expect, test } from 'vitest';
import { answer } from './answer.js';
import { jsonText } from './json-text.js';
import { createStyle } from './style.js';

// What no terminal may get from us but line breaks: C0, DEL, C1, bidirectional, zero-width, tags.
const harmful =
  // oxlint-disable-next-line eslint/no-control-regex -- finding control characters is what it is for
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF]|[\u{E0000}-\u{E007F}]/u;

const nasty = [
  '\u001B[31m',
  '\u202E',
  '\u200B',
  '\u009B',
  '\u0007',
  '\r',
  '\u{E0041}',
  '\uFEFF',
  '\u2028',
  'a',
  '\n',
  '"',
];
const texts = fc.array(fc.constantFrom(...nasty)).map((parts) => parts.join(''));

test('JSON holds no character that a terminal acts on or hides, as it is and as a program reads it', () => {
  fc.assert(
    fc.property(fc.dictionary(texts, fc.array(texts)), (value) => {
      const text = jsonText(value);
      expect(text).not.toMatch(harmful);
      const read: unknown = JSON.parse(text, (key, inner: unknown) => {
        for (const one of [key, inner]) if (typeof one === 'string') expect(one).not.toMatch(harmful);
        return inner;
      });
      expect(Object.keys(read ?? {})).toEqual([...new Set(Object.keys(value).map((key) => visibleText(key)))]);
    }),
  );
});

test('what is fine stays as it is in JSON', () => {
  const value = { text: 'a\n\tb "é" 👩‍💻', none: null, yes: true, list: [1, { deep: 'x' }] };
  expect(JSON.parse(jsonText(value))).toEqual(value);
});

test('a renderer is handed one visible line a string, whatever the data held', () => {
  fc.assert(
    fc.property(texts, texts, (name, key) => {
      const shown = answer({ list: [{ [`k${key}`]: name }] }, (data) => JSON.stringify(data)).text(createStyle(true));
      expect(shown).not.toMatch(harmful);
      expect(shown).not.toContain('\\n');
    }),
  );
});

test('only what is meant to have lines keeps them', () => {
  const data = { title: 'a\nb', body: 'a\n\u001B[2Jb' };
  const shown = answer(data, ({ title, body }) => `${title}|${body}`, { keepLines: ['body'] }).text(createStyle(false));
  expect(shown).toBe('a b|a\n<U+001B>[2Jb');
});
