import { quoted, SkillsError } from '@skillpack/core';
import type { RunFolder } from '@skillpack/runs-fs';

/**
 * The id of the run that a person means: its id, the beginning of one that no other has, or `last`.
 *
 * @throws `RUN_NOT_FOUND`; `USAGE` for a beginning that several have.
 */
export async function findRun(reference: string, runs: RunFolder): Promise<string> {
  const all = await runs.list();
  const ids = all.map(({ id }) => id);
  if (reference === 'last') {
    const last = all.find(({ kind }) => kind === 'run');
    if (last !== undefined) return last.id;
    throw new SkillsError('RUN_NOT_FOUND', 'No run was recorded here yet.', { hint: 'Start one: skills run "…".' });
  }
  if (ids.includes(reference)) return reference;
  const fitting = ids.filter((id) => id.startsWith(reference));
  const [only] = fitting;
  if (only !== undefined && fitting.length === 1) return only;
  if (only === undefined) {
    throw new SkillsError('RUN_NOT_FOUND', `No run here is called ${quoted(reference)}.`, {
      hint: '`skills runs list` shows those there are.',
      data: { run: reference },
    });
  }
  throw new SkillsError('USAGE', `${fitting.length} runs begin with ${quoted(reference)}.`, {
    hint: `Write more of it: ${fitting.slice(0, 5).join(', ')}${fitting.length > 5 ? ', …' : ''}.`,
    data: { run: reference, runs: fitting },
  });
}
