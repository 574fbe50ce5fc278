import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { InstallReceipt, PackName } from '@skillpack/core';
import { statEntry } from '../disk/stat-entry.js';
import { readInstalled, type RootState } from '../lock/root-state.js';
import { recordDir, type RootPaths } from '../root/root-paths.js';
import { findShadows } from '../verify/find-shadows.js';
import { restoringAdvice } from '../verify/restoring-advice.js';
import { verifyPack } from '../verify/verify-pack.js';
import type { FileFinding, RecordFinding, ShadowingFolder, VerifiedPack } from '../verify/verify-report.js';
import { putAside } from './put-aside.js';
import { readGoverningFilesApart } from './read-files-apart.js';
import type { Symptom } from './symptom.js';

/** Looks whether what is installed is as it was installed, and is what is locked. */
export function examineInstalled(paths: RootPaths): readonly Symptom[] {
  const state: RootState = { ...readGoverningFilesApart(paths), ...readInstalled(paths) };
  const locked = Object.keys(state.lock?.packs ?? {}) as PackName[]; // keys of a record of pack names
  const entries = new Set(statEntry(paths.skillsDir) === undefined ? [] : readdirSync(paths.skillsDir));
  const broken = new Set(state.broken.map(({ name }) => name));
  const packs = [...new Set([...state.receipts.keys(), ...locked])]
    .filter((name) => !broken.has(name))
    .toSorted()
    .flatMap((name) => packSymptoms(verifyPack(name, { paths, state, entries }, {}), { paths, state }));
  const shadows = findShadows({ skillsDir: paths.skillsDir, entries }, state.receipts.values());
  return [...packs, ...shadows.map((shadow) => shadowSymptom(shadow, paths))];
}

function shadowSymptom({ path, skill, pack }: ShadowingFolder, { skillsDir }: RootPaths): Symptom {
  const subject = join(skillsDir, path);
  const message = `${subject} is of no pack, and stands in for the skill ${skill} of ${pack}.`;
  return { kind: 'shadowed-skill', subject, message, advice: `Move ${subject} out of ${skillsDir}, or remove it.` };
}

interface Examined {
  readonly paths: RootPaths;
  readonly state: RootState;
}

/** Records that contradict each other say nothing of the files: the examination of the records tells of them. */
function packSymptoms({ name, findings }: VerifiedPack, examined: Examined): readonly Symptom[] {
  if (findings.some(isContradiction)) return [];
  const receipt = examined.state.receipts.get(name);
  const records = findings.filter(isRecordFinding).flatMap((finding) => recordSymptom(name, finding, examined));
  const files = findings.filter((finding): finding is FileFinding => !isRecordFinding(finding));
  if (receipt === undefined || files.length === 0) return records;
  const unlocked = examined.state.lock !== undefined && examined.state.lock.packs[name] === undefined;
  if (isGone(receipt, files))
    return unlocked ? [goneAndUnlocked(receipt, examined.paths)] : [...records, gone(receipt)];
  return [...records, changedFiles(receipt, files, examined.paths)];
}

/** Whether nothing of a pack is there any more. */
function isGone({ skills }: InstallReceipt, files: readonly FileFinding[]): boolean {
  const missing = new Set(files.map(({ kind, path }) => `${kind} ${path}`));
  return (
    files.every(({ kind }) => kind === 'missing') && skills.every((skill) => missing.has(`missing ${skill}/SKILL.md`))
  );
}

function goneAndUnlocked({ name, version }: InstallReceipt, paths: RootPaths): Symptom {
  const record = recordDir(paths, name);
  return {
    kind: 'orphan-receipt',
    subject: name,
    message: `${name}@${version} is recorded in ${record}, but neither locked nor there.`,
    advice: `Run \`skills uninstall ${name}\`.`,
    remedy: {
      does: 'puts the record aside',
      apply: () => `The record was put aside in ${putAside([record], paths)}.`,
    },
  };
}

function gone({ name, version, skills }: InstallReceipt): Symptom {
  const message = `${name}@${version} is recorded as installed, but no SKILL.md of it is there (${skills.join(', ')}).`;
  return { kind: 'missing-skill', subject: name, message, advice: 'Run `skills install`.' };
}

function changedFiles(
  { name, version, skills }: InstallReceipt,
  files: readonly FileFinding[],
  paths: RootPaths,
): Symptom {
  const [first] = files;
  const more = files.length === 1 ? '' : ` and ${files.length - 1} more`;
  const message = `${first?.path}${more} of ${name}@${version} ${files.length === 1 ? 'is' : 'are'} not as installed.`;
  return { kind: 'changed-files', subject: name, message, advice: adviceOnFiles(skills, files, paths) };
}

function adviceOnFiles(skills: readonly string[], files: readonly FileFinding[], paths: RootPaths): string {
  const replaced = files.flatMap((finding) => placeOfSkill(finding, skills));
  if (replaced.length > 0) {
    const places = replaced.map((path) => join(paths.skillsDir, path)).join(' and ');
    return `Move ${places} away, then run \`skills install\`.`;
  }
  if (files.every(comesBack)) return 'Run `skills install`.';
  return `\`skills verify\` tells which; ${restoringAdvice(files)}`;
}

/** What stands in the place of a whole skill: it is a person's, and no install touches it. */
function placeOfSkill(finding: FileFinding, skills: readonly string[]): readonly string[] {
  if (!skills.includes(finding.path)) return [];
  if (finding.kind === 'renamed') return [finding.actual];
  return finding.kind === 'link' || finding.kind === 'kind' ? [finding.path] : [];
}

/** Whether an install mends it without being asked to: nobody loses anything by it. */
function comesBack(finding: FileFinding): boolean {
  return finding.kind === 'missing' || (finding.kind === 'mode' && finding.expectedExecutable);
}

const recordKinds: ReadonlySet<string> = new Set<RecordFinding['kind']>([
  'receipt-missing',
  'receipt-invalid',
  'manifest-missing',
  'manifest-invalid',
  'digest-mismatch',
  'record-mismatch',
  'not-locked',
  'not-installed',
  'other-version',
  'link-changed',
]);

function isRecordFinding(finding: VerifiedPack['findings'][number]): finding is RecordFinding {
  return recordKinds.has(finding.kind);
}

function isContradiction(finding: VerifiedPack['findings'][number]): boolean {
  const { kind } = finding;
  if (kind === 'record-mismatch') return finding.between === 'receipt-and-manifest';
  return kind.startsWith('manifest-') || kind.startsWith('receipt-') || kind === 'digest-mismatch';
}

function recordSymptom(name: PackName, finding: RecordFinding, { paths, state }: Examined): readonly Symptom[] {
  const drift = { kind: 'lock-drift', subject: name } as const;
  switch (finding.kind) {
    case 'not-installed': {
      const skills = state.lock?.packs[name]?.skills ?? [];
      // Then it is told of as a record that was lost.
      if (skills.some((skill) => statEntry(join(paths.skillsDir, skill)) !== undefined)) return [];
      const message = `${name}@${finding.locked} is locked, but not installed.`;
      return [{ ...drift, message, advice: 'Run `skills install`.' }];
    }
    case 'not-locked': {
      const message = `${name} is installed, but not locked.`;
      const advice = `Run \`skills install ${name}\` to lock it, or \`skills uninstall ${name}\` to remove it.`;
      return [{ ...drift, message, advice }];
    }
    case 'other-version': {
      const message = `${name}@${finding.installed} is installed, but ${finding.locked} is locked.`;
      return [{ ...drift, message, advice: 'Run `skills install`.' }];
    }
    case 'link-changed': {
      const subject = join(paths.skillsDir, finding.path);
      const message = `${subject}, the link for ${name}, is gone or leads elsewhere.`;
      return [{ kind: 'broken-link', subject, message, advice: 'Run `skills install`.' }];
    }
    case 'receipt-missing':
    case 'receipt-invalid':
    case 'manifest-missing':
    case 'manifest-invalid':
    // What contradicts the lock file is told of with the records.
    case 'digest-mismatch':
    case 'record-mismatch':
      return [];
  }
}
