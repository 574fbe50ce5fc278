import { expect, test } from 'vitest';
import { caught } from '../../test/caught.js';
import { parsePackSpec } from './pack-spec.js';

test.each([
  ['org/pdf', undefined],
  ['org/pdf@1.2.0', '1.2.0'],
  ['org/pdf@^1', '^1'],
  ['org/pdf@>=1 <2 || 3', '>=1 <2 || 3'],
  ['org/pdf@*', '*'],
  ['org/pdf@beta', 'beta'],
  ['org/pdf@latest', 'latest'],
  ['  org/pdf@v1  ', 'v1'],
])('%j is a pack of a registry', (text, range) => {
  expect(parsePackSpec(text)).toEqual({ kind: 'registry', name: 'org/pdf', range });
});

test.each([
  '.',
  '..',
  './folder',
  '../pack.tgz',
  '.\\folder',
  '/abs/pack.zip',
  '\\\\server\\share',
  '~/x',
  '~',
  'C:\\x',
  'd:/x',
])('%j is a path', (text) => {
  expect(parsePackSpec(text)).toEqual({ kind: 'path', path: text });
});

test.each(['https://host/pack.tgz', 'http://localhost:8080/p.zip', 'HTTPS://Host/x'])('%j is a URL', (text) => {
  expect(parsePackSpec(text)).toEqual({ kind: 'url', url: text });
});

test.each([
  ['', 'INVALID_SPEC'],
  ['pdf', 'INVALID_SPEC'],
  ['pack.tgz', 'INVALID_SPEC'],
  ['.agents/skills/pdf', 'INVALID_SPEC'],
  ['https://', 'INVALID_SPEC'],
  ['file:///etc/passwd', 'INVALID_SPEC'],
  ['javascript:alert(1)', 'INVALID_SPEC'],
  ['git+https://host/x', 'INVALID_SPEC'],
  ['github:org/pdf', 'INVALID_SPEC'],
  ['C:x', 'INVALID_SPEC'],
  ['Org/pdf', 'INVALID_PACK_NAME'],
  ['@org/pdf', 'INVALID_PACK_NAME'],
  ['a/b/c', 'INVALID_PACK_NAME'],
  ['org/pdf@', 'INVALID_RANGE'],
  ['org/pdf@not a range', 'INVALID_RANGE'],
  ['org/pdf@Beta', 'INVALID_RANGE'],
  ['org/pdf@constructor', 'INVALID_RANGE'],
  ['org/pdf@../x', 'INVALID_RANGE'],
  [`org/pdf@${'1 '.repeat(200)}`, 'INVALID_RANGE'],
])('%j is %s', (text, code) => {
  expect(caught(() => parsePackSpec(text)).code).toBe(code);
});

test('the hint is what the person most likely meant', () => {
  expect(caught(() => parsePackSpec('pack.tgz')).hint).toContain('./pack.tgz');
  expect(caught(() => parsePackSpec('.agents/skills')).hint).toContain('./.agents/skills');
  expect(caught(() => parsePackSpec('pdf')).hint).toContain('org/pdf');
});

test.each([
  'git+https://me:secret@host/x',
  'https:/me:secret@host/x.tgz',
  'https:me:secret@host/x.tgz',
  'https:/me:se"cret secret@host/x.tgz',
  `https:/me:${'secret'.repeat(100)}@host/x.tgz`,
  `https://me:${'secret'.repeat(100)}@[bad/x.tgz`,
  'https://me:a"secret@[bad/x.tgz',
  'me:secret@host/x',
])('what is said of %j names no password', (text) => {
  const { code, message, hint, data } = caught(() => parsePackSpec(text));
  expect(code).toBe('INVALID_SPEC');
  expect(`${message} ${hint} ${JSON.stringify(data)}`).not.toMatch(/secre|cret/u);
  expect(message).toMatch(/host|bad/u);
});
