import { openRunFolder } from '@skillpack/runs-fs';
import { SkillsError } from '@skillpack/core';
import { shellLine } from '../agent/approving-command.js';
import { resumingCommand } from '../agent/resume-command.js';

/**
 * The command line that goes on with a run, where its record has something to go on with.
 *
 * @param words those of the command line that was cut off, without the program.
 */
export async function commandToResumeRecord(
  { runsDir, id }: { readonly runsDir: string; readonly id: string },
  words: readonly string[],
): Promise<string | undefined> {
  try {
    const { events } = await openRunFolder(runsDir).read(id);
    const asked = events.some(({ type }) => type === 'request_received');
    return asked ? shellLine(resumingCommand(id, { words, trusted: false })) : undefined;
  } catch (error) {
    if (SkillsError.is(error)) return undefined;
    throw error;
  }
}
