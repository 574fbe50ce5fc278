import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { caught } from '../../test/caught.js';
import { formatReceipt, parseReceipt, receiptSchema } from './receipt.js';

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

test.each([
  {},
  { future: 1 },
  { links: undefined },
  { links: [] },
  { links: ['../claude/pdf'] },
  { links: {} },
  { links: [''] },
  { links: ['x'.repeat(4097)] },
  { links: Array(10_001).fill('a') },
  { skills: ['pdf', 'Two', '.x'] },
  { skills: Array(1001).fill('a') },
  { skills: ['con'] },
  { name: 'aux/x' },
  { version: '1.0.0-beta.1+2' },
  { version: '01.0.0' },
  { version: '9007199254740993.0.0' },
  { source: { kind: 'registry', location: 'https://host/', more: 1 } },
  { source: { kind: 'registry', location: 'x'.repeat(4097) } },
  { source: { kind: 'folder', location: '.' }, integrity: undefined },
  { integrity: undefined },
  { integrity: `sha256:${'A'.repeat(64)}` },
  { treeDigest: 1 },
  { installedAt: '2026-13-01T00:00:00Z' },
  { installedAt: `2026-01-01T00:00:00.${'0'.repeat(10)}Z` },
  { installedBy: 'x'.repeat(257) },
  { formatVersion: 2 },
  { formatVersion: '1' },
])('what is read of a receipt with %j at first sight is what its schema says', (change) => {
  const json = withChange(change);
  const judged = receiptSchema.safeParse(JSON.parse(json));
  if (!judged.success) {
    expect(caught(() => parseReceipt(json, 'it')).code).toMatch(/^(?:INVALID_RECEIPT|UNSUPPORTED_FORMAT)$/u);
    return;
  }
  const { formatVersion: _, ...receipt } = judged.data;
  expect(parseReceipt(json, 'it')).toStrictEqual(receipt);
});
