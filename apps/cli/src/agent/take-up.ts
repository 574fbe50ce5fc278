import { SkillsError } from '@skillpack/core';
import type { ResumedRun, RunFolder } from '@skillpack/runs-fs';
import { showCommand } from './resume-command.js';

/**
 * Opens the record of a run that goes on.
 *
 * @param words those of the command line, without the program.
 * @throws `BUSY` while another process works on it; `USAGE` for one that has ended; what `RunFolder.resume` throws.
 */
export async function takeUp(id: string, runs: RunFolder, words: readonly string[]): Promise<ResumedRun> {
  const resumed = await runs.resume(id).catch((cause: unknown) => {
    throw SkillsError.is(cause, 'BUSY') ? notCutOff(id, { finished: false, words }) : cause;
  });
  // It may have ended since it was read.
  if (resumed.events.at(-1)?.type !== 'run_finished') return resumed;
  await resumed.journal.close();
  throw notCutOff(id, { finished: true, words });
}

/** The error for a run that cannot go on: it has ended, or somebody works on it. */
export function notCutOff(
  id: string,
  { finished, words }: { readonly finished: boolean; readonly words: readonly string[] },
): SkillsError {
  const show = showCommand(id, words);
  const data = { run: id };
  if (finished) {
    return new SkillsError('USAGE', `The run ${id} has ended; nothing of it is open.`, {
      hint: `Its answer: ${show}`,
      data,
    });
  }
  return new SkillsError('BUSY', `Another process works on the run ${id}.`, {
    hint: `How far it is: ${show}. Wait until it has ended, or end it.`,
    data,
  });
}
