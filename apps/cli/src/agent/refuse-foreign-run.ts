import { SkillsError } from '@skillpack/core';
import type { StoredRun } from '@skillpack/runs-fs';
import { shellLine } from './approving-command.js';
import { withoutPlaces } from './kept-options.js';
import { isOfProject, type ProjectRuns } from './project-runs.js';

/**
 * @param words those of the command line, without the program.
 * @throws `USAGE` for a run of another project: it would be offered the skills of this one, and work on its files.
 */
export function refuseForeignRun(
  { id, events: [first] }: Pick<StoredRun, 'id' | 'events'>,
  { project, folder }: ProjectRuns,
  words: readonly string[],
): void {
  const recorded = first?.type === 'run_started' ? first.options.project : undefined;
  if (project === undefined || recorded === undefined || isOfProject(recorded, project)) return;
  const command = ['skills', ...withoutPlaces(words, { last: id }), '--cwd', recorded, '--runs-dir', folder];
  throw new SkillsError('USAGE', `The run ${id} is one of the project ${recorded}, and this is ${project}.`, {
    hint: `To go on with it there: ${shellLine(command)}`,
    data: { run: id, expected: project, actual: recorded },
  });
}
