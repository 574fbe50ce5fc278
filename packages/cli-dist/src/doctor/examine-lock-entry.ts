import { formatLockFile, type InstallReceipt, type LockEntry, type PackName } from '@skillpack/core';
import { writeFileDurably } from '../disk/write-file-durably.js';
import { candidateOfEntry } from '../lock/lock-entry.js';
import { readStoredManifest } from '../lock/root-state.js';
import { compareWithLock } from '../verify/compare-records.js';
import type { RecordFinding } from '../verify/verify-report.js';
import { putAside } from './put-aside.js';
import { readGoverningFilesApart, type ExaminedFiles } from './read-files-apart.js';
import { archivedManifest } from './restore-record.js';
import type { Patient, Remedy, Symptom } from './symptom.js';

/** An installed pack, and how it is locked. */
export interface LockedInstall {
  readonly receipt: InstallReceipt;
  readonly entry: LockEntry;
  /** As `skillpack.json` wants it. */
  readonly written: string | undefined;
}

type Mismatch = Extract<RecordFinding, { readonly kind: 'record-mismatch' | 'digest-mismatch' }>;

/** Looks whether the lock file says of a pack what its receipt and its manifest say, which agree with each other. */
export function examineLockEntry(pack: LockedInstall, patient: Patient): readonly Symptom[] {
  const { receipt, entry, written } = pack;
  const { name, version } = receipt;
  const manifest = readStoredManifest(patient.paths, name);
  const mismatches = compareWithLock({ receipt, manifest }, entry, written).filter(isMismatch);
  // What skillpack.json wants, and the lock file does not answer, is told of with these two.
  if (mismatches.every((finding) => finding.between === 'project-and-lock')) return [];
  const message = `The lock file and the installed ${name}@${version} differ: ${mismatches.map(describe).join('; ')}.`;
  const symptom = { kind: 'lock-drift', subject: name, message } as const;
  if (entry.source === 'folder' || mismatches.every(isNamed)) {
    const advice = 'Restore skillpack-lock.json from version control if it is wrong. Otherwise run `skills install`.';
    return [{ ...symptom, advice }];
  }
  const advice = `Restore skillpack-lock.json from version control; without it, \`skills uninstall ${name}\`, then install ${name}@${version} anew.`;
  return [{ ...symptom, advice, remedy: entryRemedy(pack, patient) }];
}

function isMismatch(finding: RecordFinding): finding is Mismatch {
  return finding.kind === 'record-mismatch' || finding.kind === 'digest-mismatch';
}

/** Whether it is what somebody may write, and no digest speaks of. */
function isNamed(finding: Mismatch): boolean {
  return finding.kind === 'record-mismatch' && (finding.field === 'source' || finding.field === 'range');
}

function describe(finding: Mismatch): string {
  const field = finding.kind === 'digest-mismatch' ? 'treeDigest' : finding.field;
  if (field === 'range' && finding.between === 'receipt-and-lock') {
    return `${finding.actual} is not in the locked range ${finding.expected}`;
  }
  return `as ${field}, ${finding.expected} is locked and ${finding.actual} installed`;
}

/**
 * The entry is written anew where the archive that it locks, or of whose content it locks the digest, is in the store:
 * a digest cannot be that of two archives.
 */
function entryRemedy({ receipt, entry }: LockedInstall, patient: Patient): Remedy | undefined {
  const { integrity, name, version, treeDigest, skills } = receipt;
  if (integrity === undefined || entry.source === 'folder' || !patient.ports.store.has(integrity)) return undefined;
  if (entry.integrity !== integrity && entry.treeDigest !== treeDigest) return undefined;
  const { paths } = patient;
  return {
    does: `writes the entry of ${name} in the lock file anew from the archive in the cache; to restore the file from version control keeps more`,
    apply: async () => {
      const pack = { ...candidateOfEntry(name, entry, paths.baseDir), version, treeDigest, skills };
      const { dependencies } = await archivedManifest(pack, integrity, patient);
      const files = readGoverningFilesApart(paths);
      const fixed: LockEntry = { ...entry, version, integrity, treeDigest, skills, dependencies };
      const aside = writeEntry(name, fixed, { files, patient });
      return `The entry of ${name} in the lock file was written anew; the file as it was lies in ${aside}.`;
    },
  };
}

/** The lock file as a repair has written it, and where the one that it found lies: that is kept once. */
const written = new WeakMap<Patient, { readonly text: string; readonly aside: string }>();

function writeEntry(
  name: PackName,
  entry: LockEntry,
  { files, patient }: { readonly files: ExaminedFiles; readonly patient: Patient },
): string {
  const { paths } = patient;
  const earlier = written.get(patient);
  const aside =
    earlier !== undefined && earlier.text === files.lockText ? earlier.aside : putAside([paths.lockFile], paths);
  const text = formatLockFile({ packs: { ...files.lock?.packs, [name]: entry } });
  writeFileDurably(paths.lockFile, text);
  written.set(patient, { text, aside });
  return aside;
}
