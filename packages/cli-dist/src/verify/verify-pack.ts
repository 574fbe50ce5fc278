import { join } from 'node:path';
import {
  foldPath,
  manifestFileName,
  SkillsError,
  type InstallReceipt,
  type LockEntry,
  type PackManifest,
  type PackName,
} from '@skillpack/core';
import { leadsTo } from '../apply/carry-out.js';
import { readStoredManifest, receiptFileName, type RootState } from '../lock/root-state.js';
import { recordDir, type RootPaths } from '../root/root-paths.js';
import { compareSkill } from './compare-skill.js';
import type { FileFinding, RecordFinding, VerifiedPack, VerifyOptions } from './verify-report.js';

/** The root that a pack is verified in. */
export interface VerifiedRoot {
  readonly paths: RootPaths;
  readonly state: RootState;
  /** The names in the folder of the skills, as they are spelled. */
  readonly entries: ReadonlySet<string>;
}

/** Compares one pack with its records and its records with each other. @throws `INTERRUPTED`. */
export function verifyPack(name: PackName, root: VerifiedRoot, options: VerifyOptions): VerifiedPack {
  const receipt = root.state.receipts.get(name);
  const entry = root.state.lock?.packs[name];
  const records = [
    ...receiptFindings(name, root),
    ...(receipt === undefined ? [] : lockFindings(receipt, entry, root)),
  ];
  if (receipt === undefined) {
    const skills = entry?.skills ?? [];
    return { name, version: entry?.version, skills, files: 0, bytes: 0, ok: records.length === 0, findings: records };
  }
  const { manifest, findings: manifestFindings } = readManifest(receipt, root);
  const compared = receipt.skills.map((skill) => verifySkill({ skill, manifest }, root, options));
  const findings = [
    ...records,
    ...manifestFindings,
    ...linkFindings(receipt, root),
    ...compared.flatMap((comparison) => comparison.findings),
  ];
  return {
    name,
    version: receipt.version,
    skills: receipt.skills,
    files: compared.reduce((sum, { files }) => sum + files, 0),
    bytes: compared.reduce((sum, { bytes }) => sum + bytes, 0),
    ok: findings.length === 0,
    findings,
  };
}

function receiptFindings(name: PackName, { paths, state }: VerifiedRoot): readonly RecordFinding[] {
  if (state.receipts.has(name)) return [];
  const entry = state.lock?.packs[name];
  const broken = state.broken.find((record) => record.name === name);
  const path = join(recordDir(paths, name), receiptFileName);
  if (broken !== undefined) {
    return [
      broken.kind === 'missing'
        ? { kind: 'receipt-missing', path }
        : { kind: 'receipt-invalid', path, reason: broken.reason },
    ];
  }
  return entry === undefined ? [] : [{ kind: 'not-installed', locked: entry.version }];
}

function lockFindings(
  receipt: InstallReceipt,
  entry: LockEntry | undefined,
  { state }: VerifiedRoot,
): readonly RecordFinding[] {
  if (state.lock === undefined) return [];
  if (entry === undefined) return [{ kind: 'not-locked' }];
  if (entry.version !== receipt.version) {
    return [{ kind: 'other-version', locked: entry.version, installed: receipt.version }];
  }
  if (entry.treeDigest === receipt.treeDigest) return [];
  return [
    { kind: 'digest-mismatch', between: 'receipt-and-lock', expected: entry.treeDigest, actual: receipt.treeDigest },
  ];
}

function readManifest(
  receipt: InstallReceipt,
  { paths }: VerifiedRoot,
): { readonly manifest: PackManifest | undefined; readonly findings: readonly RecordFinding[] } {
  const path = join(recordDir(paths, receipt.name), manifestFileName);
  try {
    const manifest = readStoredManifest(paths, receipt.name);
    if (manifest === undefined) return { manifest, findings: [{ kind: 'manifest-missing', path }] };
    const skills = manifest.skills.map((skill) => skill.name).toSorted();
    const same = manifest.treeDigest === receipt.treeDigest && skills.join('/') === receipt.skills.toSorted().join('/');
    if (same) return { manifest, findings: [] };
    const digests = { expected: receipt.treeDigest, actual: manifest.treeDigest };
    return { manifest, findings: [{ kind: 'digest-mismatch', between: 'receipt-and-manifest', ...digests }] };
  } catch (error) {
    if (!SkillsError.is(error)) throw error;
    return { manifest: undefined, findings: [{ kind: 'manifest-invalid', path, reason: error.message }] };
  }
}

function linkFindings(receipt: InstallReceipt, { paths }: VerifiedRoot): readonly RecordFinding[] {
  return receipt.links
    .filter((link) => {
      const path = join(paths.skillsDir, link);
      return !receipt.skills.some((skill) => leadsTo(path, join(paths.skillsDir, skill)));
    })
    .map((path) => ({ kind: 'link-changed', path }));
}

function verifySkill(
  { skill, manifest }: { readonly skill: string; readonly manifest: PackManifest | undefined },
  { paths, entries }: VerifiedRoot,
  { signal }: VerifyOptions,
): { readonly findings: readonly FileFinding[]; readonly files: number; readonly bytes: number } {
  const nothing = { files: 0, bytes: 0 };
  if (!entries.has(skill)) {
    const actual = [...entries].find((entry) => foldPath(entry) === foldPath(skill));
    if (actual !== undefined) return { ...nothing, findings: [{ kind: 'renamed', path: skill, actual }] };
  }
  // Without a manifest nothing can be said of the files; that it is missing is a finding already.
  if (manifest === undefined) return { ...nothing, findings: [] };
  const files = manifest.files.filter(({ path }) => path.startsWith(`${skill}/`));
  return compareSkill({ skillsDir: paths.skillsDir, skill, files }, { signal });
}
