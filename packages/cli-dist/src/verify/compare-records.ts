import {
  isVersionRange,
  satisfiesRange,
  withoutCredentials,
  type InstallReceipt,
  type LockEntry,
  type PackManifest,
} from '@skillpack/core';
import { answersWant } from '../plan/check-frozen.js';
import type { RecordFinding } from './verify-report.js';

/** What is recorded of one installed pack. */
export interface PackRecords {
  readonly receipt: InstallReceipt;
  /** `undefined` where it is missing or cannot be read. */
  readonly manifest: PackManifest | undefined;
}

type Mismatch = Extract<RecordFinding, { readonly kind: 'record-mismatch' }>;

/** Compares the lock file with what was installed, in every field that both hold. */
export function compareWithLock(
  { receipt, manifest }: PackRecords,
  entry: LockEntry,
  /** As `skillpack.json` wants the pack. */
  written: string | undefined,
): readonly RecordFinding[] {
  const integrity = integrityOf(entry);
  // Another archive is another install; the same one cannot be two versions.
  if (entry.version !== receipt.version && (integrity === undefined || integrity !== receipt.integrity)) {
    return [{ kind: 'other-version', locked: entry.version, installed: receipt.version }];
  }
  const between = 'receipt-and-lock';
  const digests = { expected: entry.treeDigest, actual: receipt.treeDigest };
  return [
    ...mismatch('version', between, [entry.version, receipt.version]),
    ...(entry.treeDigest === receipt.treeDigest ? [] : [{ kind: 'digest-mismatch', between, ...digests } as const]),
    ...mismatch('integrity', between, [integrity, receipt.integrity]),
    ...mismatch('source', between, originsOf(entry, receipt)),
    ...mismatch('skills', between, [listOf(entry.skills), listOf(receipt.skills)]),
    // A folder is read anew with every install, and what it depends on is not among its files.
    ...(manifest === undefined || entry.source === 'folder'
      ? []
      : mismatch('dependencies', 'manifest-and-lock', [
          dependenciesOf(entry.dependencies),
          dependenciesOf(manifest.dependencies),
        ])),
    ...rangeFindings(entry, written),
  ];
}

/** Compares receipt and manifest in every field that both hold. */
export function compareWithManifest(receipt: InstallReceipt, manifest: PackManifest): readonly RecordFinding[] {
  const between = 'receipt-and-manifest';
  const digests = { expected: receipt.treeDigest, actual: manifest.treeDigest };
  return [
    ...(receipt.treeDigest === manifest.treeDigest ? [] : [{ kind: 'digest-mismatch', between, ...digests } as const]),
    ...mismatch('name', between, [receipt.name, manifest.name]),
    ...mismatch('version', between, [receipt.version, manifest.version]),
    ...mismatch('skills', between, [listOf(receipt.skills), listOf(manifest.skills.map(({ name }) => name))]),
  ];
}

function rangeFindings(entry: LockEntry, written: string | undefined): readonly Mismatch[] {
  const { range, version } = entry;
  const own =
    entry.source === 'registry' &&
    range !== undefined &&
    isVersionRange(range) &&
    !satisfiesRange(version, range) &&
    range !== written;
  if (own) return mismatch('range', 'receipt-and-lock', [range, version]);
  if (written === undefined || range === written || answersWant(entry, written)) return [];
  return mismatch('range', 'project-and-lock', [range ?? version, written]);
}

function mismatch(
  field: Mismatch['field'],
  between: Mismatch['between'],
  [expected = 'none', actual = 'none']: readonly [expected: string | undefined, actual: string | undefined],
): readonly Mismatch[] {
  return expected === actual ? [] : [{ kind: 'record-mismatch', between, field, expected, actual }];
}

function integrityOf(entry: LockEntry): string | undefined {
  return entry.source === 'folder' ? undefined : entry.integrity;
}

/** What is written relative to the project leads elsewhere once that was moved; its digest tells whether it is the same. */
function originsOf(entry: LockEntry, { source }: InstallReceipt): readonly [locked: string, installed: string] {
  const location = entry.source === 'registry' ? entry.registry : entry.source === 'url' ? entry.url : undefined;
  if (source.kind !== entry.source || location === undefined || location.startsWith('./')) {
    return [entry.source, source.kind];
  }
  return [withoutCredentials(location), source.location];
}

function listOf(names: readonly string[]): string {
  return names.toSorted().join(', ');
}

function dependenciesOf(dependencies: Readonly<Record<string, string>>): string | undefined {
  const listed = Object.entries(dependencies).map(([name, range]) => `${name}@${range}`);
  return listed.length === 0 ? undefined : listOf(listed);
}
