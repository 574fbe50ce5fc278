import { join } from 'node:path';
import { foldPath, SkillsError, type InstallReceipt, type LockFile, type PackName } from '@skillpack/core';
import { statEntry } from '../disk/stat-entry.js';
import { candidateOfEntry } from '../lock/lock-entry.js';
import { readInstalled, readStoredManifest, type BrokenRecord, type InstalledState } from '../lock/root-state.js';
import { recordDir, type RootPaths } from '../root/root-paths.js';
import type { Candidate } from '../resolve/candidate.js';
import { compareWithManifest } from '../verify/compare-records.js';
import { examineLockEntry } from './examine-lock-entry.js';
import { putAside } from './put-aside.js';
import { readGoverningFilesApart, type ExaminedFiles } from './read-files-apart.js';
import { archiveRemedy, recordRemedy } from './restore-record.js';
import { moveAway, type Patient, type Remedy, type Symptom } from './symptom.js';

interface Records extends InstalledState {
  readonly files: ExaminedFiles;
  readonly patient: Patient;
}

/** Looks for records of packs that are broken, lost, false or claim what another has. */
export function examineRecords(patient: Patient): readonly Symptom[] {
  const { paths } = patient;
  const records: Records = { ...readInstalled(paths), files: readGoverningFilesApart(paths), patient };
  return [
    ...records.broken.map((record) => brokenRecord(record, records)),
    ...[...records.receipts.values()].flatMap((receipt) => contradiction(receipt, records)),
    ...lostRecords(records),
    ...claimedTwice(records),
  ];
}

function lockedPack(name: PackName, { files, patient }: Records): Candidate | undefined {
  const entry = files.lock?.packs[name];
  return entry === undefined ? undefined : candidateOfEntry(name, entry, patient.paths.baseDir);
}

function brokenRecord({ path, name, reason }: BrokenRecord, records: Records): Symptom {
  const { patient, files } = records;
  const symptom = { kind: 'broken-receipt', subject: name ?? path, message: reason } as const;
  const aside = asideRemedy(path, patient.paths, 'the skills that it may have brought stay, as folders of your own');
  if (name === undefined) return { ...symptom, advice: `Move ${path} away.`, remedy: aside };
  const pack = lockedPack(name, records);
  if (pack !== undefined) {
    const advice = backByInstall(pack, patient.paths);
    return { ...symptom, advice, remedy: recordRemedy(pack, patient) ?? archiveRemedy(pack, patient) };
  }
  // A lock file that cannot be read may know the pack.
  if (files.lockProblem !== undefined) return { ...symptom, advice: `Put ${patient.paths.lockFile} right first.` };
  return { ...symptom, advice: `Run \`skills uninstall ${name}\`.`, remedy: aside };
}

/** What to do about a pack that is locked, and of which nobody knows whether what is here is it. */
function backByInstall({ name, skills }: Candidate, paths: RootPaths): string {
  const present = skills.map((skill) => join(paths.skillsDir, skill)).filter((path) => statEntry(path) !== undefined);
  return present.length === 0 ? 'Run `skills install`.' : moveAway(present, name);
}

/** A receipt that can be read, but whose manifest cannot, or is another one's; or that the lock file contradicts. */
function contradiction(receipt: InstallReceipt, records: Records): readonly Symptom[] {
  const { patient, files } = records;
  const { name } = receipt;
  const locked = lockedPack(name, records);
  const problem = manifestProblem(receipt, patient.paths);
  const entry = files.lock?.packs[name];
  if (problem === undefined) {
    const written = files.project?.packs?.[name];
    return entry === undefined ? [] : examineLockEntry({ receipt, entry, written }, patient);
  }
  const advice =
    locked === undefined ? `Run \`skills uninstall ${name}\`: it keeps the files.` : 'Run `skills install --replace`.';
  const remedy =
    locked === undefined
      ? undefined
      : (recordRemedy(locked, patient) ?? archiveOfSameContent(receipt, locked, patient));
  return [{ kind: 'broken-receipt', subject: name, message: problem, advice, remedy }];
}

/** Another content than is locked needs an install, not another record. */
function archiveOfSameContent(receipt: InstallReceipt, locked: Candidate, patient: Patient): Remedy | undefined {
  return receipt.treeDigest === locked.treeDigest ? archiveRemedy(locked, patient) : undefined;
}

function manifestProblem(receipt: InstallReceipt, paths: RootPaths): string | undefined {
  const folder = recordDir(paths, receipt.name);
  try {
    const manifest = readStoredManifest(paths, receipt.name);
    if (manifest === undefined) return `The manifest in ${folder} is missing.`;
    const same = compareWithManifest(receipt, manifest).length === 0;
    return same ? undefined : `Receipt and manifest in ${folder} do not speak of the same content.`;
  } catch (error) {
    if (SkillsError.is(error)) return `The manifest in ${folder} cannot be read: ${error.message}`;
    throw error;
  }
}

/** Packs that are locked and, to the byte, here, but of whose install nothing is left. */
function lostRecords(records: Records): readonly Symptom[] {
  const { files, receipts, broken, patient } = records;
  const { paths } = patient;
  const known = new Set([...receipts.keys(), ...broken.map(({ name }) => name)]);
  const names = Object.keys(files.lock?.packs ?? {}) as PackName[]; // keys of a record of pack names
  return names
    .filter((name) => !known.has(name))
    .flatMap((name): readonly Symptom[] => {
      const pack = lockedPack(name, records);
      if (pack === undefined) return [];
      const present = pack.skills.filter((skill) => statEntry(join(paths.skillsDir, skill)) !== undefined);
      if (present.length === 0) return [];
      const owner = lockedOwner(present, records);
      if (owner !== undefined) return [claimedByLock(pack, owner)];
      const message = `${name}@${pack.version} is locked and ${present.join(', ')} is here, but ${recordDir(paths, name)} is gone.`;
      const advice = backByInstall(pack, paths);
      return [{ kind: 'lost-record', subject: name, message, advice, remedy: recordRemedy(pack, patient) }];
    });
}

/** The installed pack that a skill is of, if that pack is locked, too. */
function lockedOwner(skills: readonly string[], { receipts, files }: Records): PackName | undefined {
  const folded = new Set(skills.map(foldPath));
  const owner = [...receipts.values()].find((receipt) => receipt.skills.some((skill) => folded.has(foldPath(skill))));
  return owner !== undefined && files.lock?.packs[owner.name] !== undefined ? owner.name : undefined;
}

/** Of two packs that are locked with one skill, the one that is not installed is the one to go. */
function claimedByLock({ name, version, skills }: Candidate, owner: PackName): Symptom {
  return {
    kind: 'claimed-twice',
    subject: name,
    message: `${name}@${version} is locked with ${skills.join(', ')}, which ${owner} brought, and is not installed.`,
    advice: `Run \`skills uninstall ${name}\`: it takes the entry out of the lock file, and leaves what is installed. Where the file should not have it, its history says who wrote it.`,
  };
}

function claimedTwice({ receipts, files, patient }: Records): readonly Symptom[] {
  const owners = new Map<string, PackName[]>();
  for (const { name, skills } of receipts.values()) {
    for (const skill of skills) owners.set(foldPath(skill), [...(owners.get(foldPath(skill)) ?? []), name]);
  }
  const groups = new Map(
    [...owners].filter(([, names]) => names.length > 1).map(([skill, names]) => [names.join(' '), { skill, names }]),
  );
  return [...groups.values()].flatMap(({ skill, names }) => {
    const locked = names.filter((name) => locks(files.lock, name, skill));
    const wanted = locked.filter((name) => files.project?.packs?.[name] !== undefined);
    const others = names.filter((name) => name !== (wanted[0] ?? locked[0] ?? names[0]));
    return others.map((name) => claim({ name, skill, names, proved: locked.length === 1 }, patient.paths));
  });
}

function locks(lock: LockFile | undefined, name: PackName, skill: string): boolean {
  return lock?.packs[name]?.skills.some((locked) => foldPath(locked) === skill) === true;
}

interface Claim {
  readonly name: PackName;
  readonly skill: string;
  readonly names: readonly PackName[];
  /** Whether the lock file says whose the skill is. */
  readonly proved: boolean;
}

function claim({ name, skill, names, proved }: Claim, paths: RootPaths): Symptom {
  return {
    kind: 'claimed-twice',
    subject: name,
    message: `The skill ${skill} is claimed by ${names.join(' and ')}.`,
    advice: `Run \`skills uninstall ${name}\`, then \`skills install\`.`,
    remedy: proved
      ? asideRemedy(recordDir(paths, name), paths, 'the lock file does not know it as an owner')
      : undefined,
  };
}

function asideRemedy(record: string, paths: RootPaths, why: string): Remedy {
  return {
    does: `puts the record aside; ${why}`,
    apply: () => `The record was put aside in ${putAside([record], paths)}.`,
  };
}
