import { join } from 'node:path';
import {
  foldPath,
  manifestFileName,
  SkillsError,
  type InstallReceipt,
  type PackManifest,
  type PackName,
} from '@skillpack/core';
import { leadsTo } from '../apply/carry-out.js';
import { readStoredManifest, receiptFileName, type RootState } from '../lock/root-state.js';
import { recordDir, type RootPaths } from '../root/root-paths.js';
import { compareWithLock, compareWithManifest, type PackRecords } from './compare-records.js';
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
  if (receipt === undefined) {
    const records = receiptFindings(name, root);
    const skills = entry?.skills ?? [];
    return { name, version: entry?.version, skills, files: 0, bytes: 0, ok: records.length === 0, findings: records };
  }
  const { manifest, findings: manifestFindings } = readManifest(receipt, root);
  const compared = receipt.skills.map((skill) => verifySkill({ skill, manifest }, root, options));
  const findings = [
    ...lockFindings({ receipt, manifest }, root),
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

function lockFindings(records: PackRecords, { state }: VerifiedRoot): readonly RecordFinding[] {
  const { name } = records.receipt;
  if (state.lock === undefined) return [];
  const entry = state.lock.packs[name];
  return entry === undefined ? [{ kind: 'not-locked' }] : compareWithLock(records, entry, state.project?.packs?.[name]);
}

function readManifest(
  receipt: InstallReceipt,
  { paths }: VerifiedRoot,
): { readonly manifest: PackManifest | undefined; readonly findings: readonly RecordFinding[] } {
  const path = join(recordDir(paths, receipt.name), manifestFileName);
  try {
    const manifest = readStoredManifest(paths, receipt.name);
    if (manifest === undefined) return { manifest, findings: [{ kind: 'manifest-missing', path }] };
    return { manifest, findings: compareWithManifest(receipt, manifest) };
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
