import { SkillsError } from '@skillpack/core';
import { readInstalled } from '../lock/root-state.js';
import { checkFrozen } from '../plan/check-frozen.js';
import { recordedWants } from '../plan/wanted-pack.js';
import type { RootPaths } from '../root/root-paths.js';
import { lockAnew } from './lock-anew.js';
import { putAside } from './put-aside.js';
import { readGoverningFilesApart, type ExaminedFiles } from './read-files-apart.js';
import type { Symptom } from './symptom.js';

/** Looks whether the governing files can be read, and say the same. */
export function examineGoverningFiles(paths: RootPaths): readonly Symptom[] {
  const files = readGoverningFilesApart(paths);
  return [
    ...(files.projectProblem === undefined ? [] : [unreadableProject(files.projectProblem, paths)]),
    ...(files.lockProblem === undefined ? [] : [unreadableLock(files.lockProblem, paths)]),
    ...missingLock(files, paths),
    ...driftOfProject(files, paths),
  ];
}

function unreadableProject({ message, hint }: SkillsError, { projectFile }: RootPaths): Symptom {
  const advice = hint ?? 'Restore it from version control, or move it away.';
  return { kind: 'project-unreadable', subject: projectFile, message, advice };
}

function unreadableLock(problem: SkillsError, paths: RootPaths): Symptom {
  const { lockFile } = paths;
  const advice = problem.hint ?? 'Restore it from version control, or move it away.';
  const symptom = { kind: 'lock-unreadable', subject: lockFile, message: problem.message, advice } as const;
  // A conflict holds what two people decided, and a newer format what a newer version knows: neither is ours to end.
  if (SkillsError.is(problem, 'LOCK_CONFLICT') || SkillsError.is(problem, 'UNSUPPORTED_FORMAT')) return symptom;
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
