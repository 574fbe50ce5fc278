import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import {
  formatDiscoveryIndex,
  formatLockFile,
  formatManifest,
  formatPackDocument,
  formatReceipt,
  formatRegistryInfo,
  formatRevocations,
  formatSearchCatalogue,
  formatSearchPointer,
  formatVersionRecord,
  parseDiscoveryIndex,
  parseLockFile,
  parseManifest,
  parsePackDocument,
  parsePackName,
  parseProjectFile,
  parseReceipt,
  parseRegistryInfo,
  parseRevocations,
  parseSearchCatalogue,
  parseSearchPointer,
  parseVersionRecord,
  textWithoutCredentials,
  treeDigestOf,
  withProjectPacks,
  type ErrorCode,
  type PackFile,
} from '@skillpack/core';
import { schemaAccepts } from '../../packages/core/test/schema-accepts.js';
import { sha256 } from '../../packages/core/test/sha256.js';
import { editedJson, type EditedJsonOptions } from './edited-json.js';
import { fuzzTarget, refusedOr, type FuzzTarget } from './fuzz-target.js';

/** A document of ours: how it is read, written, and checked by somebody else. */
interface DocumentFormat<Document> {
  readonly name: string;
  readonly fixture: string;
  readonly code: ErrorCode;
  readonly parse: (text: string) => Document;
  readonly format: (document: Document) => string;
  /** The names of the published schemas: of the document, or of its first line and of the others. */
  readonly schemas: readonly string[];
  readonly options?: EditedJsonOptions;
  /** The part of a document that writing and reading has to keep. @default all of it */
  readonly kept?: (document: Document) => unknown;
}

const fixtures = new URL('../../packages/core/test/fixtures/formats/', import.meta.url);
const fixture = (name: string) => readFileSync(new URL(name, fixtures), 'utf8');
const lines: EditedJsonOptions = { lines: true };

function documentTarget<Document>(format: DocumentFormat<Document>): FuzzTarget {
  return fuzzTarget({
    name: format.name,
    input: editedJson([fixture(format.fixture)], format.options),
    judge: (text) => judgeDocument(text, format),
    sample: 400,
  });
}

function judgeDocument<Document>(text: string, format: DocumentFormat<Document>): boolean {
  const codes: readonly ErrorCode[] = [format.code, 'UNSUPPORTED_FORMAT', 'LOCK_CONFLICT'];
  const document = refusedOr(codes, () => format.parse(text));
  if ('polluted' in {} || Object.hasOwn(Object.prototype, 'x'))
    throw new Error('The prototype of all objects changed.');
  if (document === undefined) return false;
  judgeSchemas(text, format);
  const written = format.format(document);
  const again = format.parse(written);
  strictEqual(format.format(again), written, 'what was written is written otherwise the second time');
  const kept = format.kept ?? ((whole: Document) => whole);
  deepStrictEqual(unordered(kept(again)), unordered(kept(document)), 'what was written is read otherwise');
  return true;
}

/** What stands in a document, apart from the order of its lists (some are sorted) and from credentials. */
function unordered(value: unknown): unknown {
  if (Array.isArray(value)) {
    const parts = value.map((part) => JSON.stringify(unordered(part)));
    return parts.toSorted();
  }
  if (typeof value === 'string') return textWithoutCredentials(value);
  if (typeof value !== 'object' || value === null) return value === 0 ? 0 : value;
  const entries = Object.entries(value).filter(([, child]) => child !== undefined);
  return new Map(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, child]) => [key, unordered(child)]));
}

function judgeSchemas(text: string, { schemas, options }: Pick<DocumentFormat<unknown>, 'schemas' | 'options'>): void {
  const [first, others = first] = schemas;
  if (first === undefined || others === undefined) return;
  const bare = text.replace(/^\uFEFF/u, '');
  const parts = options?.lines === true ? bare.split('\n').filter((line) => line.trim() !== '') : [bare];
  for (const [index, part] of parts.entries()) {
    const value: unknown = JSON.parse(part.replace(/^\uFEFF/u, ''), (key, child: unknown) =>
      key === '__proto__' ? undefined : child,
    );
    const schema = index === 0 ? first : others;
    if (!schemaAccepts(schema, value)) throw new Error(`The published schema of ${schema} refuses what is accepted.`);
  }
}

function mendManifest(value: unknown): void {
  if (typeof value !== 'object' || value === null || !('files' in value)) return;
  try {
    // Of something that is no list of files there is no digest; then the manifest stays as it is.
    Object.assign(value, { treeDigest: treeDigestOf(value.files as PackFile[], sha256) });
  } catch {}
}

function mendCatalogue(value: unknown): void {
  if (typeof value === 'object' && value !== null && 'packs' in value) Object.assign(value, { packs: 2 });
}

/** Every document that comes over a network or with a project. */
export const documentTargets: readonly FuzzTarget[] = [
  documentTarget({
    name: 'manifest',
    fixture: 'manifest.json',
    code: 'INVALID_MANIFEST',
    parse: (text) => parseManifest(text, sha256),
    format: formatManifest,
    schemas: ['manifest'],
    options: { mend: mendManifest },
  }),
  documentTarget({
    name: 'pack-document',
    fixture: 'pack.ndjson',
    code: 'INVALID_INDEX',
    parse: (text) => parsePackDocument(text, parsePackName('example/hello')),
    format: formatPackDocument,
    schemas: ['pack-head', 'pack-version'],
    options: lines,
  }),
  documentTarget({
    name: 'version-record',
    fixture: 'version.json',
    code: 'INVALID_INDEX',
    parse: (text) => parseVersionRecord(text, 'version.json'),
    format: formatVersionRecord,
    schemas: ['pack-version'],
  }),
  documentTarget({
    name: 'registry',
    fixture: 'registry.json',
    code: 'INVALID_INDEX',
    parse: (text) => parseRegistryInfo(text, 'registry.json'),
    format: formatRegistryInfo,
    schemas: ['registry'],
  }),
  documentTarget({
    name: 'revocations',
    fixture: 'revocations.json',
    code: 'INVALID_INDEX',
    parse: (text) => parseRevocations(text, 'revocations.json'),
    format: formatRevocations,
    schemas: ['revocations'],
  }),
  documentTarget({
    name: 'search-pointer',
    fixture: 'search-latest.json',
    code: 'INVALID_INDEX',
    parse: (text) => parseSearchPointer(text, 'latest.json'),
    format: formatSearchPointer,
    schemas: ['search-pointer'],
  }),
  documentTarget({
    name: 'search-catalogue',
    fixture: 'search-catalogue.ndjson',
    code: 'INVALID_INDEX',
    parse: (text) => parseSearchCatalogue(text, 'catalogue.ndjson'),
    format: formatSearchCatalogue,
    schemas: ['search-catalogue-head', 'search-catalogue-pack'],
    options: { lines: true, mend: mendCatalogue },
  }),
  documentTarget({
    name: 'discovery-index',
    fixture: 'discovery-index.json',
    code: 'INVALID_INDEX',
    parse: (text) => parseDiscoveryIndex(text, 'index.json').skills,
    format: formatDiscoveryIndex,
    schemas: [],
  }),
  documentTarget({
    name: 'lock-file',
    fixture: 'skillpack-lock.json',
    code: 'INVALID_LOCK',
    parse: (text) => parseLockFile(text),
    format: formatLockFile,
    schemas: ['lock'],
  }),
  documentTarget({
    name: 'project-file',
    fixture: 'skillpack.json',
    code: 'INVALID_PROJECT',
    parse: (text) => ({ text, project: parseProjectFile(text) }),
    format: ({ text, project }) => withProjectPacks(text, project.packs ?? {}),
    kept: ({ project: { packs = {}, ...rest } }) => ({ packs, ...rest }),
    schemas: ['project'],
  }),
  documentTarget({
    name: 'receipt',
    fixture: 'receipt.json',
    code: 'INVALID_RECEIPT',
    parse: (text) => parseReceipt(text, 'receipt.json'),
    format: formatReceipt,
    schemas: ['receipt'],
  }),
];
