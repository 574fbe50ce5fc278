import { SkillsError } from '@skillpack/core';
import type { StoredRun } from '@skillpack/runs-fs';
import { findRun } from './find-run.js';
import type { ProjectRuns } from './project-runs.js';

/**
 * The record of the run that a person means, with at least its first event.
 *
 * @param words those of the command line, without the program.
 * @throws what `findRun` throws; `INVALID_RECORD`, `UNSUPPORTED_FORMAT` and what else it cannot be read for; `BUSY` while
 * its first event is being written.
 */
export async function readRun(reference: string, runs: ProjectRuns, words: readonly string[]): Promise<StoredRun> {
  const id = await findRun(reference, runs, words);
  const record = await orBroken(id, runs, async () => runs.read(id));
  if (record.events.length > 0) {
    return { ...record, kept: async (digest) => orBroken(id, runs, async () => record.kept(digest)) };
  }
  const { folder, cutOff, summaryProblem } = record;
  if (summaryProblem !== undefined) throw broken(id, { ...summaryProblem, folder });
  const data = { run: id, folder };
  if (cutOff) {
    throw new SkillsError('INVALID_RECORD', `The run ${id} was cut off before its first event: nothing is recorded.`, {
      hint: `Ask it anew: skills run "…". The folder ${folder} can be removed.`,
      data,
    });
  }
  throw new SkillsError('BUSY', `The run ${id} is just being begun by another process.`, {
    hint: 'Run this again in a moment.',
    data,
  });
}

/** What a record says; where it cannot be relied on, with what to do about it. */
async function orBroken<Value>(id: string, runs: ProjectRuns, read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (!SkillsError.is(error, 'INVALID_RECORD')) throw error;
    const listed = (await runs.list()).find((run) => run.id === id);
    throw broken(id, { message: error.message, folder: listed?.folder, cause: error });
  }
}

interface Broken {
  readonly message: string;
  readonly folder: string | undefined;
  readonly cause?: SkillsError | undefined;
}

function broken(id: string, { message, folder = 'its folder', cause }: Broken): SkillsError {
  return new SkillsError('INVALID_RECORD', message, {
    hint: `Nothing is done with it. Look at ${folder}, and remove that when you do not need it.`,
    cause,
    data: { ...cause?.data, run: id },
  });
}
