import { rmSync } from 'node:fs';
import { SkillsError } from '@skillpack/core';
import { readJournal, type Journal } from '../apply/journal.js';
import { recoverRoot } from '../apply/recover-root.js';
import { statEntry } from '../disk/stat-entry.js';
import { temporaryFiles } from '../disk/temporary-files.js';
import type { RootPaths } from '../root/root-paths.js';
import { putAside } from './put-aside.js';
import type { Symptom } from './symptom.js';

/** Looks for traces of processes that died. */
export function examineLeftovers(paths: RootPaths): readonly Symptom[] {
  return [...examineJournal(paths), ...examineTemporaryFiles(paths)];
}

/** Looks for a change that was not carried out whole. */
export function examineJournal(paths: RootPaths): readonly Symptom[] {
  const advice = 'Let nothing change the root until `skills doctor --repair` has ended well.';
  if (statEntry(paths.journal) !== undefined) {
    const unreadable = journalOf(paths) === 'unreadable';
    const message = unreadable
      ? 'The journal of an install cannot be read.'
      : 'An install was decided, but not carried out whole.';
    const remedy = unreadable
      ? putJournalAside(paths)
      : recover(paths, 'carries it through, or removes what is left of it');
    return [{ kind: 'unfinished-install', subject: paths.journal, message, advice, remedy }];
  }
  if (statEntry(paths.staging) === undefined) return [];
  const message = 'An install was interrupted before it changed anything.';
  return [{ kind: 'leftover-staging', subject: paths.staging, message, advice, remedy: recover(paths, 'removes it') }];
}

function examineTemporaryFiles(paths: RootPaths): readonly Symptom[] {
  const files = [...new Set([paths.controlDir, paths.baseDir])].flatMap(temporaryFiles);
  return files.map((path) => ({
    kind: 'leftover-temporary-file',
    subject: path,
    message: 'A file was being written when its process died.',
    advice: 'Remove it.',
    remedy: {
      does: 'removes it',
      apply: () => {
        rmSync(path, { force: true });
        return 'It was removed.';
      },
    },
  }));
}

/** A link to nowhere is a journal that cannot be read, too. */
function journalOf(paths: RootPaths): Journal | 'unreadable' {
  try {
    return readJournal(paths.journal) ?? 'unreadable';
  } catch (error) {
    if (SkillsError.is(error)) return 'unreadable';
    throw error;
  }
}

// What it swapped out may hold somebody's work, and nothing says any more which of it does.
function putJournalAside(paths: RootPaths): Symptom['remedy'] {
  return {
    does: 'puts it aside, with what is staged',
    apply: () => {
      const entries = [paths.journal, paths.staging].filter((path) => statEntry(path) !== undefined);
      return `It was put aside in ${putAside(entries, paths)}.`;
    },
  };
}

function recover(paths: RootPaths, does: string): Symptom['remedy'] {
  return {
    does,
    apply: async () => {
      const recovery = await recoverRoot(paths);
      const done = recovery?.outcome === 'finished' ? 'It was carried through.' : 'What was left of it was removed.';
      return [done, ...(recovery?.backups ?? []).map((backup) => `What stood in its way is in ${backup}.`)].join(' ');
    },
  };
}
