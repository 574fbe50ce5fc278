import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createDocumentCache, type CachedDocument } from './document-cache.js';

const url = 'https://host.test/packs/org/pdf.ndjson';
const document: CachedDocument = {
  status: 200,
  etag: '"1"',
  storedAt: 1_763_800_000_000,
  maxAge: 60_000,
  body: Buffer.from('{}\n'),
};

function makeCache() {
  const folder = mkdtempSync(join(tmpdir(), 'skillpack-cache-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const fileIn = (): string => join(folder, readdirSync(folder)[0] ?? '');
  return { folder, cache: createDocumentCache(folder), fileIn };
}

test('what was kept is read again, for its own URL alone', () => {
  const { cache } = makeCache();
  expect(cache.read(url)).toBeUndefined();
  cache.write(url, document);
  expect(cache.read(url)).toEqual(document);
  expect(cache.read(`${url}?`)).toBeUndefined();
  cache.write(url, { ...document, etag: undefined });
  expect(cache.read(url)?.etag).toBeUndefined();
});

test('a confirmation writes another time into the file that is there', () => {
  const { cache, fileIn } = makeCache();
  cache.write(url, document);
  const { ino, size } = statSync(fileIn());
  const confirmed = { ...document, storedAt: document.storedAt + 123_456_789 };
  cache.confirm(url, confirmed);
  expect(cache.read(url)).toEqual(confirmed);
  expect(statSync(fileIn())).toMatchObject({ ino, size });
});

test.each<readonly [string, Partial<CachedDocument>]>([
  ['another time to live', { maxAge: 5_000 }],
  ['a time of fewer digits', { storedAt: 5 }],
])('a confirmation with %s writes the file anew', (_, change) => {
  const { cache } = makeCache();
  cache.write(url, document);
  cache.confirm(url, { ...document, ...change });
  expect(cache.read(url)).toEqual({ ...document, ...change });
});

test('a confirmation of what is gone, or is no entry, makes one', () => {
  const { cache, fileIn, folder } = makeCache();
  cache.confirm(url, document);
  expect(cache.read(url)).toEqual(document);
  writeFileSync(fileIn(), 'x'.repeat(200));
  expect(cache.read(url)).toBeUndefined();
  cache.confirm(url, document);
  expect(cache.read(url)).toEqual(document);
  expect(readdirSync(folder)).toHaveLength(1);
});

test('an entry that was cut off, or changed anywhere but in its time, is none', () => {
  const { cache, fileIn } = makeCache();
  cache.write(url, document);
  const bytes = readFileSync(fileIn());
  const known = new Set<string>();
  for (let at = 0; at < bytes.length; at += 1) {
    writeFileSync(fileIn(), bytes.subarray(0, at));
    expect(cache.read(url)).toBeUndefined();
    const flipped = Buffer.from(bytes);
    flipped[at] = (flipped[at] ?? 0) ^ 1;
    writeFileSync(fileIn(), flipped);
    const read = cache.read(url);
    if (read !== undefined) known.add(Buffer.from(read.body).toString());
  }
  expect(known).toEqual(new Set(['{}\n']));
});
