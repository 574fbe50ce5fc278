import fc from 'fast-check';
import { expect, test } from 'vitest';
import { caught } from '../../test/caught.js';
import { isPackNamePart } from './pack-name-part.js';
import { isPackName, parsePackName, splitPackName } from './pack-name.js';

test.each(['org/pdf', 'a/b', '0/1', 'a-b/c-d-e', `${'a'.repeat(64)}/${'b'.repeat(64)}`, 'console/auxiliary'])(
  '%s is a pack name',
  (name) => {
    expect(isPackName(name)).toBe(true);
    expect(parsePackName(name)).toBe(name);
  },
);

test.each([
  '',
  'pdf',
  '/',
  'org/',
  '/pdf',
  'org/pdf/',
  'a/b/c',
  'org//pdf',
  'Org/pdf',
  'org/pdf_2',
  'org/-pdf',
  'org/pdf-',
  'org/p--f',
  'org/pdf\n',
  ' org/pdf',
  'org/../pdf',
  'org/..',
  'org/.pdf',
  'org\\pdf',
  'org/pdf@1',
  'org/pdé',
  'org/рdf',
  'org/٣',
  `${'a'.repeat(65)}/b`,
  `a/${'b'.repeat(65)}`,
  'org/aux',
  'con/pdf',
  'org/com1',
  'org/lpt0',
  'org/nul',
  'org/pdf\u200D',
])('%j is none', (name) => {
  expect(isPackName(name)).toBe(false);
  expect(caught(() => parsePackName(name)).code).toBe('INVALID_PACK_NAME');
});

test.each([
  ['Org/PDF', 'org/pdf'],
  [' org/my_pdf tools ', 'org/my-pdf-tools'],
  ['@org/pdf', 'org/pdf'],
])('for %j, %s is suggested', (text, suggestion) => {
  expect(caught(() => parsePackName(text)).hint).toBe(`Did you mean “${suggestion}”?`);
});

test('a hostile name stays short and visible in the message', () => {
  const error = caught(() => parsePackName(`\u202E${'x'.repeat(1_000_000)}`));
  expect(error.message.length).toBeLessThan(300);
  expect(error.message).toContain('<U+202E>');
});

test('every name of two fine parts is a pack name, and comes apart into them again', () => {
  const part = fc.stringMatching(/^[a-z0-9]{1,8}(?:-[a-z0-9]{1,8}){0,3}$/u).filter(isPackNamePart);
  fc.assert(
    fc.property(part, part, (org, base) => {
      expect(splitPackName(parsePackName(`${org}/${base}`))).toEqual({ org, base });
    }),
  );
});

test('a text of any length is judged at once', () => {
  const started = performance.now();
  for (const text of ['a-'.repeat(500_000), 'a'.repeat(1_000_000), 'a/'.repeat(500_000)]) {
    expect(isPackName(text) || isPackNamePart(text)).toBe(false);
  }
  expect(performance.now() - started).toBeLessThan(3_000);
});
