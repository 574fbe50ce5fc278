import { accessSync, constants, readdirSync } from 'node:fs';
import { SkillsError, type PackName } from '@skillpack/core';
import { readJournal } from '../apply/journal.js';
import { statEntry } from '../disk/stat-entry.js';
import { temporaryFiles } from '../disk/temporary-files.js';
import { readGoverningFiles, readInstalled, type GoverningFiles, type RootState } from '../lock/root-state.js';
import type { RootPaths } from '../root/root-paths.js';
import { verifyPack } from '../verify/verify-pack.js';
import type { RecordFinding, VerifiedPack } from '../verify/verify-report.js';
import type { DoctorFinding } from './doctor-report.js';

/** A finding before anything was done about it. */
export type Symptom = Omit<DoctorFinding, 'repaired'> & {
  /** The pack it is about, where a repair needs to know. */
  readonly name?: PackName | undefined;
};

/** Looks for traces of processes that died. */
export function examineLeftovers(paths: RootPaths): readonly Symptom[] {
  const symptoms: Symptom[] = [];
  const journal = readJournal(paths.journal);
  if (journal !== undefined) {
    const message =
      journal === 'unreadable'
        ? 'The journal of an install cannot be read.'
        : 'An install was decided, but not carried out whole.';
    symptoms.push({ kind: 'unfinished-install', subject: paths.journal, message, advice: repairAdvice });
  } else if (statEntry(paths.staging) !== undefined) {
    const message = 'An install was interrupted before it changed anything.';
    symptoms.push({ kind: 'leftover-staging', subject: paths.staging, message, advice: repairAdvice });
  }
  for (const folder of new Set([paths.controlDir, paths.baseDir])) {
    for (const path of temporaryFiles(folder)) {
      const message = 'A file was being written when its process died.';
      symptoms.push({ kind: 'leftover-temporary-file', subject: path, message, advice: repairAdvice });
    }
  }
  return symptoms;
}

const repairAdvice = 'Run `skills doctor --repair`.';

/** Looks whether the governing files can be read, what is installed matches them, and the files match that. */
export function examineInstalled(paths: RootPaths): readonly Symptom[] {
  const { files, symptoms } = governingFiles(paths);
  const state: RootState = { ...files, ...readInstalled(paths) };
  const names = new Set<PackName>([...state.receipts.keys(), ...(Object.keys(state.lock?.packs ?? {}) as PackName[])]); // keys of a record of pack names
  const entries = new Set(statEntry(paths.skillsDir) === undefined ? [] : readdirSync(paths.skillsDir));
  for (const { name, path, reason } of state.broken) {
    const advice = name === undefined ? `Remove ${path}.` : repairAdvice;
    symptoms.push({ kind: 'broken-receipt', subject: name ?? path, message: reason, advice, name });
  }
  for (const name of [...names].toSorted()) {
    if (!state.broken.some((record) => record.name === name))
      symptoms.push(...packSymptoms(verifyPack(name, { paths, state, entries }, {}), state));
  }
  return symptoms;
}

function governingFiles(paths: RootPaths): { readonly files: GoverningFiles; readonly symptoms: Symptom[] } {
  try {
    return { files: readGoverningFiles(paths), symptoms: [] };
  } catch (error) {
    if (!SkillsError.is(error)) throw error;
    const project = error.code === 'INVALID_PROJECT' || error.message.includes(paths.projectFile);
    const symptom: Symptom = {
      kind: project ? 'project-unreadable' : 'lock-unreadable',
      subject: project ? paths.projectFile : paths.lockFile,
      message: error.message,
      advice: error.hint ?? 'Restore it from version control.',
    };
    const files = { projectText: undefined, project: undefined, lockText: undefined, lock: undefined };
    return { files, symptoms: [symptom] };
  }
}

function packSymptoms(pack: VerifiedPack, state: RootState): readonly Symptom[] {
  const { name, findings } = pack;
  const receipt = state.receipts.get(name);
  const records = findings.filter(isRecordFinding).flatMap((finding) => recordSymptom(name, finding));
  const files = findings.filter((finding) => !isRecordFinding(finding));
  if (receipt === undefined || files.length === 0) return records;
  const gone = receipt.skills.filter((skill) =>
    files.some((finding) => finding.kind === 'missing' && finding.path === `${skill}/SKILL.md`),
  );
  if (gone.length === receipt.skills.length && files.every(({ kind }) => kind === 'missing')) {
    const message = `${name}@${receipt.version} is recorded as installed, but no SKILL.md of it is there.`;
    const locked = state.lock?.packs[name] !== undefined;
    if (locked) return [...records, { kind: 'missing-skill', subject: name, message, advice: 'Run `skills install`.' }];
    return [{ kind: 'orphan-receipt', subject: name, message, advice: repairAdvice, name }];
  }
  const message = `${files.length} of the files of ${name}@${receipt.version} are not as they were installed.`;
  const advice = 'Run `skills verify` to see which; `skills install --replace` restores them and keeps a backup.';
  return [...records, { kind: 'changed-files', subject: name, message, advice }];
}

const recordKinds = new Set([
  'receipt-missing',
  'receipt-invalid',
  'manifest-missing',
  'manifest-invalid',
  'digest-mismatch',
  'not-locked',
  'not-installed',
  'other-version',
  'link-changed',
]);

function isRecordFinding(finding: VerifiedPack['findings'][number]): finding is RecordFinding {
  return recordKinds.has(finding.kind);
}

function recordSymptom(name: PackName, finding: RecordFinding): readonly Symptom[] {
  const drift = { kind: 'lock-drift', subject: name } as const;
  switch (finding.kind) {
    case 'not-installed':
      return [
        {
          ...drift,
          message: `${name}@${finding.locked} is locked, but not installed.`,
          advice: 'Run `skills install`.',
        },
      ];
    case 'not-locked':
      return [
        {
          ...drift,
          message: `${name} is installed, but not locked.`,
          advice: `Run \`skills install ${name}\`, or \`skills uninstall ${name}\`.`,
        },
      ];
    case 'other-version': {
      const message = `${name}@${finding.installed} is installed, but ${finding.locked} is locked.`;
      return [{ ...drift, message, advice: 'Run `skills install`.' }];
    }
    case 'link-changed':
      return [
        {
          kind: 'broken-link',
          subject: finding.path,
          message: `The link for ${name} is gone or leads elsewhere.`,
          advice: 'Run `skills install`.',
        },
      ];
    case 'receipt-missing':
    case 'receipt-invalid':
    case 'manifest-missing':
    case 'manifest-invalid':
    case 'digest-mismatch': {
      const message = `The records of ${name} contradict each other (${finding.kind}).`;
      return [{ kind: 'broken-receipt', subject: name, message, advice: `Run \`skills install --replace\`.` }];
    }
  }
}

/** Looks whether the root could be changed at all. */
export function examineAccess(paths: RootPaths): readonly Symptom[] {
  const folders = [paths.skillsDir, paths.baseDir].filter((folder) => statEntry(folder) !== undefined);
  return folders.flatMap((folder): readonly Symptom[] => {
    try {
      accessSync(folder, constants.W_OK);
      return [];
    } catch {
      return [
        {
          kind: 'not-writable',
          subject: folder,
          message: `${folder} cannot be written.`,
          advice: 'Make it writable, or choose another root.',
        },
      ];
    }
  });
}
