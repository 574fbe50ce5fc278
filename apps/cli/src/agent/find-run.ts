import { quoted, SkillsError } from '@skillpack/core';
import type { ListedRun } from '@skillpack/runs-fs';
import { isOfProject, type ProjectRuns } from './project-runs.js';
import { shellLine } from './approving-command.js';
import { placeOptions } from './kept-options.js';

/**
 * The id of the run that a person means: its id, the beginning of one that no other has, or `last`, the newest of the
 * project.
 *
 * @param words those of the command line, without the program.
 * @throws `RUN_NOT_FOUND`; `USAGE` for a beginning that several have; for `last`, what the newest one cannot be read for.
 */
export async function findRun(reference: string, runs: ProjectRuns, words: readonly string[]): Promise<string> {
  const all = await runs.list();
  if (reference === 'last') return newestOf(all, runs);
  const ids = all.map(({ id }) => id);
  if (ids.includes(reference) || (await isThere(reference, runs))) return reference;
  const fitting = ids.filter((id) => id.startsWith(reference));
  const [only] = fitting;
  if (only !== undefined && fitting.length === 1) return only;
  if (only === undefined) {
    throw new SkillsError('RUN_NOT_FOUND', `No run here is called ${quoted(reference)}.`, {
      hint: `\`${shellLine(['skills', 'runs', 'list', ...placeOptions(words)])}\` shows those that are here; for those of another project, add --cwd and its folder.`,
      data: { run: reference },
    });
  }
  throw new SkillsError('USAGE', `${fitting.length} runs begin with ${quoted(reference)}.`, {
    hint: `Write more of it: ${fitting.slice(0, 5).join(', ')}${fitting.length > 5 ? ', …' : ''}.`,
    data: { run: reference, runs: fitting },
  });
}

/** As `newRunId` makes them: the time comes first. */
const idOfTime = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ-[0-9a-f]+$/u;

/** Who says `last` means no older one: where the newest cannot be read, that is the answer. */
function newestOf(all: readonly ListedRun[], { project, folder }: ProjectRuns): string {
  const last = all.find((run) => run.kind === 'run' && isOfProject(run.summary.project, project))?.id;
  const broken = all
    .flatMap(({ kind, id }) => (kind === 'broken' && idOfTime.test(id) ? [id] : []))
    .toSorted()
    .at(-1);
  if (broken !== undefined && (last === undefined || (idOfTime.test(last) && broken > last))) return broken;
  if (last !== undefined) return last;
  if (all.some(({ kind }) => kind === 'run')) {
    throw new SkillsError('RUN_NOT_FOUND', `All runs in ${folder} are of other projects; this is ${project}.`, {
      hint: 'Name one by its id, or start one here: skills run "…".',
    });
  }
  throw new SkillsError('RUN_NOT_FOUND', 'No run was recorded here yet.', { hint: 'Start one: skills run "…".' });
}

/** A list has no runs that were cut off before anything was asked. */
async function isThere(id: string, runs: ProjectRuns): Promise<boolean> {
  try {
    await runs.read(id);
    return true;
  } catch (error) {
    if (!SkillsError.is(error)) throw error;
    return error.code !== 'RUN_NOT_FOUND' && error.code !== 'USAGE';
  }
}
