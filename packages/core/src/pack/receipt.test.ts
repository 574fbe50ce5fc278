import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { caught } from '../../test/caught.js';
import { formatReceipt, parseReceipt } from './receipt.js';

const text = readFileSync(new URL('../../test/fixtures/formats/receipt.json', import.meta.url), 'utf8');
const withChange = (change: object) => JSON.stringify({ ...(JSON.parse(text) as object), ...change });

test('a receipt is read; unknown fields are ignored, and a folder has no archive', () => {
  const receipt = parseReceipt(withChange({ future: 1, links: undefined }), 'it');
  expect(receipt).toEqual({ ...parseReceipt(text, 'it'), links: [] });
  const source = { kind: 'folder', location: '../hello' };
  expect(parseReceipt(withChange({ integrity: undefined, source }), 'it')).toMatchObject({ source });
});

test('no credentials are written', () => {
  const source = { kind: 'url' as const, location: 'https://me:secret@host/x.tgz' };
  expect(formatReceipt({ ...parseReceipt(text, 'it'), source })).toContain('"location": "https://host/x.tgz"');
});

test.each(['..', '.', '', 'a/b', '../x', 'a\\b', '.skillpack', 'C:x', '/etc', 'con', 'a\0', 'pdf.', '/'])(
  'a receipt for the folder %j, which could be removed, is refused',
  (folder) => {
    const error = caught(() => parseReceipt(withChange({ skills: ['pdf', folder] }), 'it'));
    expect(error.code).toBe('INVALID_RECEIPT');
    expect(error.message).toContain('skills.1');
  },
);

test.each([
  { name: 'hello' },
  { version: '1' },
  { source: { kind: 'git', location: '' } },
  { treeDigest: 'x' },
  { integrity: 'x' },
  { installedAt: 'yesterday' },
  { links: [1] },
  { formatVersion: undefined },
])('a receipt with %j is refused', (change) => {
  expect(caught(() => parseReceipt(withChange(change), 'it')).code).toBe('INVALID_RECEIPT');
});
