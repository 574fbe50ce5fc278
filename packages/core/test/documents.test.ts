import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { errorCodes, type ErrorKind } from '../src/errors/codes.js';
import { defaultArchiveLimits } from '../src/pack/archive-limits.js';
import type { PackFile } from '../src/pack/pack-file.js';
import { treeDigestOf } from '../src/digest/tree-digest.js';
import { sha256 } from './sha256.js';

const documents = new URL('../../../docs/', import.meta.url);
const fixtures = new URL('fixtures/formats/', import.meta.url);
// Formatting pads the cells of a table.
const read = (name: string) => readFileSync(new URL(name, documents), 'utf8').replaceAll(/^\|.*\|$/gmu, unpadded);
const unpadded = (row: string) => row.replaceAll(/ {2,}/gu, ' ').replaceAll(/-{3,}/gu, '---');
const formats = read('formats.md');

const exitCodes: Readonly<Record<ErrorKind, number>> = {
  usage: 2,
  invalid: 2,
  'not-found': 3,
  refused: 4,
  permission: 4,
  unavailable: 5,
  busy: 6,
  io: 74,
  failed: 1,
  internal: 70,
};

test('docs/errors.md lists every code with its kind, its exit code and its meaning, and no other', () => {
  const rows = Object.entries(errorCodes).map(
    ([code, { kind, meaning }]) =>
      `| \`${code}\` | \`${kind}\` | ${code === 'INTERRUPTED' ? 130 : exitCodes[kind]} | ${meaning} |`,
  );
  const listed = read('errors.md')
    .split('\n')
    .filter((line) => /^\| `[A-Z_]+` \|/u.test(line));
  expect(listed.toSorted()).toEqual(rows.toSorted());
});

test('docs/errors.md lists every kind with its exit code', () => {
  const page = read('errors.md');
  for (const [kind, code] of Object.entries(exitCodes)) expect(page).toContain(`\n| \`${kind}\` | ${code} | `);
});

test('docs/errors.md and docs/formats.md list every reason for which an archive is refused', () => {
  const source = (name: string) => readFileSync(new URL(`../src/pack/${name}.ts`, import.meta.url), 'utf8');
  const reasons = `${source('archive-refusal')}${source('pack-path')}`.matchAll(/^ {2}\| '([a-z-]+)'/gmu);
  const pages = `${read('errors.md')}${formats}`;
  const missing = Array.from(reasons, ([, reason = '']) => reason).filter((reason) => !pages.includes(`\`${reason}\``));
  expect(missing).toEqual([]);
});

test.each([
  'skillpack.json',
  'manifest.json',
  'skillpack-lock.json',
  'receipt.json',
  'registry.json',
  'pack.ndjson',
  'search-latest.json',
  'search-catalogue.ndjson',
  'revocations.json',
  'discovery-index.json',
])('docs/formats.md shows %s as its readers know it', (name) => {
  const blocks = Array.from(formats.matchAll(/^```json\n([^`]*)^```$/gmu), ([, text = '']) => valuesOf(text));
  expect(blocks).toContainEqual(valuesOf(readFileSync(new URL(name, fixtures), 'utf8')));
});

test('the worked example of a tree digest in docs/formats.md can be recomputed from the page', () => {
  const blocks = formats.matchAll(/^`(hello\/[^`]+)`, (\d+) bytes(, executable)?:\n\n```\w*\n([^`]*)```$/gmu);
  const files: PackFile[] = [];
  for (const [, path = '', size, executable, text = ''] of blocks) {
    expect(Buffer.byteLength(text)).toBe(Number(size));
    files.push({ path, size: Number(size), digest: sha256(text), executable: executable !== undefined });
  }
  expect(files).toHaveLength(2);
  for (const { path, size, digest, executable } of files) {
    expect(formats).toContain(`\n${digest.slice('sha256:'.length)} ${executable ? 'x' : '-'} ${size} ${path}\n`);
  }
  expect(formats).toContain(`The tree digest is \`${treeDigestOf(files, sha256)}\`.`);
});

test('docs/formats.md states the limits that hold', () => {
  const { archiveBytes, unpackedBytes, fileBytes, entries, depth, pathBytes, componentBytes } = defaultArchiveLimits;
  const MiB = 1024 * 1024;
  const rows = [
    `| The archive | ${archiveBytes / MiB} MiB |`,
    `| All files together, unpacked | ${unpackedBytes / MiB} MiB |`,
    `| One file | ${fileBytes / MiB} MiB |`,
    `| Files and folders | ${entries.toLocaleString('en')} |`,
    `| Components of a path | ${depth} |`,
    `| A path | ${pathBytes.toLocaleString('en')} bytes of UTF-8 |`,
    `| One component | ${componentBytes} bytes of UTF-8 |`,
  ];
  for (const row of rows) expect(formats).toContain(`\n${row}\n`);
});

test('docs/glossary.md lists each word once, in order', () => {
  const words = [...read('glossary.md').matchAll(/^\*\*(.+?)\*\*/gmu)].map(([, word = '']) => word);
  expect(words.length).toBeGreaterThan(40);
  expect(new Set(words).size).toBe(words.length);
  expect(words).toEqual(words.toSorted((left, right) => left.localeCompare(right, 'en')));
});

/** The JSON values of a document: one, or of NDJSON one a line. */
function valuesOf(text: string): readonly unknown[] {
  const parts = /^\{.*\}\n\{/u.test(text) ? text.trimEnd().split('\n') : [text];
  return parts.map((part) => JSON.parse(part) as unknown);
}
