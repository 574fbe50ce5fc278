import { validateHeaderName, validateHeaderValue } from 'node:http';
import fc from 'fast-check';
import { SkillsError } from '@skillpack/core';
import { expect, test } from 'vitest';
import { checkHeaders } from './check-headers.js';

const code = (work: () => unknown): string | undefined => {
  try {
    work();
    return undefined;
  } catch (error) {
    return SkillsError.is(error) ? error.code : 'defect';
  }
};

test('headers are known by their lower-case names', () => {
  const given = { Accept: 'text/html, */*;q=0.1', 'X-Note': '', 'If-None-Match': '"1"', range: 'bytes=0-9' };
  expect(checkHeaders(given)).toEqual({
    accept: 'text/html, */*;q=0.1',
    'x-note': '',
    'if-none-match': '"1"',
    range: 'bytes=0-9',
  });
});

test.each([
  'Host',
  'Connection',
  'Content-Length',
  'Transfer-Encoding',
  'Cookie',
  'Cookie2',
  'Authorization',
  'Proxy-Authorization',
  'Proxy-Connection',
  'Sec-Fetch-Site',
  'TE',
  'Trailer',
  'Upgrade',
  'Expect',
  'Keep-Alive',
  'Accept-Encoding',
  'User-Agent',
])('a model does not set %s', (name) => {
  for (const written of [name, name.toLowerCase(), name.toUpperCase()]) {
    expect(code(() => checkHeaders({ [written]: 'x' }))).toBe('INVALID_INPUT');
  }
});

test.each([
  ['x\r\nhost', 'a'],
  ['x\nhost', 'a'],
  ['x: a\r\nhost', 'a'],
  ['host ', 'a'],
  [' host', 'a'],
  ['host\0', 'a'],
  ['ho\u017Ft', 'a'],
  ['coo\u212Aie', 'a'],
  ['ü', 'a'],
  ['', 'a'],
  ['x', 'a\r\nhost: evil'],
  ['x', 'a\nb'],
  ['x', 'a\rb'],
  ['x', 'a\0b'],
  ['x', '\u010D\u010A'],
  ['x', 'ü'],
  ['x', 'a\u2028b'],
  ['x', ' a'],
  ['x', 'a\t'],
])('the header %j with the value %j is refused', (name, value) => {
  expect(code(() => checkHeaders({ [name]: value }))).toBe('INVALID_INPUT');
});

test('a header that comes twice, too many and too long ones are refused', () => {
  expect(code(() => checkHeaders({ 'X-Note': 'a', 'x-note': 'b' }))).toBe('INVALID_INPUT');
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`x-${at}`, 'a']));
  expect(code(() => checkHeaders(many(32)))).toBeUndefined();
  expect(code(() => checkHeaders(many(33)))).toBe('INVALID_INPUT');
  expect(code(() => checkHeaders({ x: 'a'.repeat(16_383) }))).toBeUndefined();
  expect(code(() => checkHeaders({ x: 'a'.repeat(16_384) }))).toBe('INVALID_INPUT');
});

test('whatever is let through, Node would send in its own line', () => {
  const name = fc.oneof(fc.string(), fc.constantFrom('host', 'Cookie', 'x-a', '__proto__', 'constructor', 'toString'));
  const value = fc.oneof(fc.string({ unit: 'binary' }), fc.string());
  fc.assert(
    fc.property(fc.dictionary(name, value, { maxKeys: 4 }), (given) => {
      let headers;
      try {
        headers = checkHeaders(given);
      } catch (error) {
        expect(SkillsError.is(error, 'INVALID_INPUT')).toBe(true);
        return;
      }
      expect(Object.keys(headers)).toHaveLength(Object.keys(given).length);
      for (const [key, text] of Object.entries(headers)) {
        validateHeaderName(key);
        validateHeaderValue(key, text);
        expect(['host', 'cookie']).not.toContain(key);
      }
    }),
    { numRuns: 2_000 },
  );
});
