import { SkillsError } from '../errors/skills-error.js';
import { isDigest } from '../digest/is-digest.js';
import { checkListing } from '../registry/check-listing.js';
import type { SkillIndex } from '../registry/skill-entry.js';
import { developerNotes } from './developer-notes.js';
import type { RunScope } from './run-scope.js';
import { takeSnapshot } from './skill-library.js';

/** Reads the registry again; where it offers something else now, the record says so. What cannot be read stays as it was. */
export async function readIndexAnew({ id, ports, recorder, library }: RunScope): Promise<void> {
  const { registry, sha256 } = ports;
  const index = await library.patience
    .waitFor({ who: 'The registry' }, async (signal) => checkListing(await registry.reload({ signal }), registry.kind))
    .catch(keepWhatWas);
  if (index === undefined) return;
  developerNotes(ports).stale(index.problems);
  if (isSame(index, library.snapshot.given)) return;
  const snapshot = await takeSnapshot(index, { recorder, sha256 });
  if (snapshot.index.hash === library.snapshot.index.hash) return;
  await library.change(snapshot);
  await recordIndexChange({ id, recorder, library });
}

/** Looked at before the index is written down, which takes long where there are many skills. */
function isSame(index: SkillIndex, before: SkillIndex | undefined): boolean {
  return index === before || (before !== undefined && isDigest(index.hash) && index.hash === before.hash);
}

function keepWhatWas(error: unknown): undefined {
  if (!SkillsError.is(error) || SkillsError.is(error, 'INTERRUPTED')) throw error;
  return undefined;
}

/** Says that the snapshot of the library holds from now on. */
export async function recordIndexChange({
  id,
  recorder,
  library,
}: Pick<RunScope, 'id' | 'recorder' | 'library'>): Promise<void> {
  const { index, kept } = library.snapshot;
  const changed = { hash: index.hash, skills: index.skills.length, kept };
  await recorder.append(id, { type: 'index_changed', index: changed });
}
