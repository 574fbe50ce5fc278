import { mergeLockFiles, SkillsError, type LockClash, type MergedLockFile } from '@skillpack/core';
import { writeFileDurably } from '../disk/write-file-durably.js';
import { readInstalled } from '../lock/root-state.js';
import { checkFrozen } from '../plan/check-frozen.js';
import { recordedWants } from '../plan/wanted-pack.js';
import type { RootPaths } from '../root/root-paths.js';
import { lockAnew } from './lock-anew.js';
import { putAside } from './put-aside.js';
import { readGoverningFilesApart, type ExaminedFiles } from './read-files-apart.js';
import type { Remedy, Symptom } from './symptom.js';

/** Looks whether the governing files can be read, and say the same. */
export function examineGoverningFiles(paths: RootPaths): readonly Symptom[] {
  const files = readGoverningFilesApart(paths);
  return [
    ...(files.projectProblem === undefined ? [] : [unreadableProject(files.projectProblem, paths)]),
    ...(files.lockProblem === undefined ? [] : [unreadableLock(files.lockProblem, files, paths)]),
    ...missingLock(files, paths),
    ...driftOfProject(files, paths),
  ];
}

function unreadableProject({ message, hint }: SkillsError, { projectFile }: RootPaths): Symptom {
  const advice = hint ?? 'Restore it from version control, or move it away.';
  return { kind: 'project-unreadable', subject: projectFile, message, advice };
}

function unreadableLock(problem: SkillsError, { lockText }: ExaminedFiles, paths: RootPaths): Symptom {
  const { lockFile } = paths;
  if (problem.code === 'LOCK_CONFLICT') return conflictedLock(problem, lockText ?? '', paths);
  const advice = problem.hint ?? 'Restore it from version control, or move it away.';
  const symptom = { kind: 'lock-unreadable', subject: lockFile, message: problem.message, advice } as const;
  // A newer format holds what a newer version knows: it is not ours to end.
  if (SkillsError.is(problem, 'UNSUPPORTED_FORMAT')) return symptom;
  return {
    ...symptom,
    remedy: {
      does: 'puts it aside and locks what is installed; to restore it from version control keeps more',
      apply: () => {
        const aside = putAside([lockFile], paths);
        return `It was put aside in ${aside}. ${lockAnew(paths)}`;
      },
    },
  };
}

/** A conflict holds what two people decided: what they decided alike or apart is merged, and the rest is theirs to end. */
function conflictedLock({ message }: SkillsError, lockText: string, paths: RootPaths): Symptom {
  const { lockFile } = paths;
  const symptom = { kind: 'lock-unreadable', subject: lockFile } as const;
  const merged = mergeLockFiles(lockText);
  if (merged === undefined) {
    const advice =
      'Its sides cannot be read: restore one of them from version control (`git checkout --merge` makes the conflict anew while the merge is open), then run `skills install`.';
    return { ...symptom, message, advice };
  }
  const { clashes } = merged;
  const clashing = clashes.length === 0 ? '' : ` Both sides lock ${clashes.map(describeClash).join(', ')}.`;
  const advice = `Keep one of the two entries of ${clashes.map(({ name }) => name).join(', of ')} in it, remove the lines with the markers, then run \`skills install\`.`;
  const told = { ...symptom, message: `${message}${clashing}`, advice };
  return merged.text === lockText ? told : { ...told, remedy: mergeRemedy(merged, lockText, paths) };
}

function mergeRemedy({ text, packs, clashes }: MergedLockFile, lockText: string, paths: RootPaths): Remedy {
  const left = clashes.map(({ name }) => name).join(' and ');
  const does = 'puts it aside and locks the packs of both sides';
  return {
    does: clashes.length === 0 ? does : `${does}, but for ${left}, of which you have to choose an entry`,
    apply: () => {
      const { lockFile } = paths;
      if (readGoverningFilesApart(paths).lockText !== lockText) {
        throw new SkillsError('BUSY', `${lockFile} was changed meanwhile.`, { hint: 'Run it again.' });
      }
      const aside = putAside([lockFile], paths);
      writeFileDurably(lockFile, text);
      return `It was put aside in ${aside}. The packs of both sides are locked: ${packs.join(', ')}.`;
    },
  };
}

function describeClash({ name, ours, theirs }: LockClash): string {
  if (ours.version !== theirs.version) return `${name}, one as ${ours.version} and one as ${theirs.version}`;
  const [one, other] = [ours, theirs].map((entry) => new Map<string, unknown>(Object.entries(entry)));
  const fields = [...new Set([...(one?.keys() ?? []), ...(other?.keys() ?? [])])].filter(
    (key) => JSON.stringify(one?.get(key)) !== JSON.stringify(other?.get(key)),
  );
  return `${name}@${ours.version}, with another ${fields.join(' and ')}`;
}

function missingLock({ lockText, lockProblem }: ExaminedFiles, paths: RootPaths): readonly Symptom[] {
  if (lockText !== undefined || lockProblem !== undefined) return [];
  const { receipts } = readInstalled(paths);
  if (receipts.size === 0) return [];
  return [
    {
      kind: 'lock-missing',
      subject: paths.lockFile,
      message: `There is no lock file, though packs are installed (${[...receipts.keys()].toSorted().join(', ')}).`,
      advice: 'Run `skills install`.',
      remedy: {
        does: 'locks what is installed; to restore it from version control keeps more',
        apply: () => lockAnew(paths),
      },
    },
  ];
}

function driftOfProject(files: ExaminedFiles, paths: RootPaths): readonly Symptom[] {
  const { project, lock, lockProblem } = files;
  if (project === undefined || lockProblem !== undefined || Object.keys(project.packs ?? {}).length === 0) return [];
  // That there is no lock file beside installed packs is told of as such.
  if (lock === undefined && readInstalled(paths).receipts.size > 0) return [];
  try {
    checkFrozen(lock, recordedWants(files, paths.baseDir));
    return [];
  } catch (error) {
    if (!SkillsError.is(error, 'FROZEN_MISMATCH')) throw error;
    const { projectFile } = paths;
    return [{ kind: 'project-drift', subject: projectFile, message: error.message, advice: 'Run `skills install`.' }];
  }
}
