import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { formatRunEvent } from '../src/agent/record/parse-run-event.js';
import { parseRunSummary } from '../src/agent/record/parse-run-summary.js';
import { readRunEvents } from '../src/agent/record/read-run-events.js';
import { formatRunSummary } from '../src/agent/record/summarise-run.js';
import {
  formatSearchCatalogue,
  formatSearchPointer,
  parseSearchCatalogue,
  parseSearchPointer,
} from '../src/pack/catalogue-document.js';
import { formatDiscoveryIndex, parseDiscoveryIndex } from '../src/pack/discovery-index.js';
import { formatLockFile, parseLockFile } from '../src/pack/lock-file.js';
import { formatManifest, parseManifest } from '../src/pack/manifest.js';
import {
  formatPackDocument,
  formatVersionRecord,
  parsePackDocument,
  parseVersionRecord,
} from '../src/pack/pack-document.js';
import { parsePackName } from '../src/pack/pack-name.js';
import { parseProjectFile, withProjectPacks } from '../src/pack/project-file.js';
import { formatReceipt, parseReceipt } from '../src/pack/receipt.js';
import {
  formatRegistryInfo,
  formatRevocations,
  parseRegistryInfo,
  parseRevocations,
} from '../src/pack/registry-info.js';
import { sha256 } from './sha256.js';

const folder = new URL('fixtures/formats/', import.meta.url);

const rewrite: Readonly<Record<string, (text: string) => string>> = {
  'discovery-index.json': (text) => formatDiscoveryIndex(parseDiscoveryIndex(text, 'it').skills),
  'events.jsonl': (text) =>
    readRunEvents(text, { sha256 }, { what: 'events.jsonl' }).events.map(formatRunEvent).join(''),
  'manifest.json': (text) => formatManifest(parseManifest(text, sha256)),
  'pack.ndjson': (text) => formatPackDocument(parsePackDocument(text, parsePackName('example/hello'))),
  'receipt.json': (text) => formatReceipt(parseReceipt(text, 'receipt.json')),
  'registry.json': (text) => formatRegistryInfo(parseRegistryInfo(text, 'registry.json')),
  'revocations.json': (text) => formatRevocations(parseRevocations(text, 'revocations.json')),
  'run.json': (text) => formatRunSummary(parseRunSummary(text, 'run.json')),
  'search-catalogue.ndjson': (text) => formatSearchCatalogue(parseSearchCatalogue(text, 'it')),
  'search-latest.json': (text) => formatSearchPointer(parseSearchPointer(text, 'it')),
  'skillpack-lock.json': (text) => formatLockFile(parseLockFile(text)),
  'skillpack.json': (text) => withProjectPacks(text, parseProjectFile(text).packs ?? {}),
  'version.json': (text) => formatVersionRecord(parseVersionRecord(text, 'version.json')),
};

test('every format has a pinned document', () => {
  expect(readdirSync(folder).toSorted()).toEqual(Object.keys(rewrite));
});

test.each(Object.entries(rewrite))('%s is read, and written again byte for byte', (file, again) => {
  const text = readFileSync(new URL(file, folder), 'utf8');
  expect(again(text)).toBe(text);
});
