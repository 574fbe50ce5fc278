import { SkillsError } from '@skillpack/core';
import type { RunFolder, StoredRun } from '@skillpack/runs-fs';
import { findRun } from './find-run.js';

/**
 * The record of the run that a person means, with at least its first event.
 *
 * @throws what `findRun` throws; `INVALID_RECORD`, `UNSUPPORTED_FORMAT` and what else it cannot be read for; `BUSY` while
 * its first event is being written.
 */
export async function readRun(reference: string, runs: RunFolder): Promise<StoredRun> {
  const id = await findRun(reference, runs);
  const record = await read(id, runs);
  if (record.events.length > 0) return record;
  if (record.cutOff) {
    throw new SkillsError('INVALID_RECORD', `The run ${id} was cut off before its first event: nothing is recorded.`, {
      hint: `Ask it anew: skills run "…". The folder .agents/runs/${id} of the project can be removed.`,
      data: { run: id, folder: record.folder },
    });
  }
  throw new SkillsError('BUSY', `The run ${id} is just being begun by another process.`, {
    hint: 'Run this again in a moment.',
    data: { run: id, folder: record.folder },
  });
}

async function read(id: string, runs: RunFolder): Promise<StoredRun> {
  try {
    return await runs.read(id);
  } catch (error) {
    if (!SkillsError.is(error, 'INVALID_RECORD')) throw error;
    throw new SkillsError('INVALID_RECORD', error.message, {
      hint: `Nothing is done with it. Look at .agents/runs/${id} of the project, and remove that folder when you do not need it.`,
      cause: error,
      data: { ...error.data, run: id },
    });
  }
}
