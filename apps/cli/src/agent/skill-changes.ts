import { digestHex, type Digest, type RunEvent } from '@skillpack/core';
import type { StoredRun } from '@skillpack/runs-fs';
import * as z from 'zod/mini';

/** Which contents of a skill are compared. */
export interface ComparedContents {
  readonly location: string;
  /** The first digits of the digest of one, hexadecimal. */
  readonly before: string;
  /** The digest of the other. */
  readonly now: Digest;
}

const filesSchema = z.lazy(() => z.array(z.object({ path: z.string(), digest: z.string(), executable: z.boolean() })));

/** How many files are named of each kind. */
const mostNamed = 10;

/**
 * Which files differ between two contents of a skill, in words, where the record of a run has both: `changed a.sh; added
 * b.md`. Else `undefined`.
 */
export async function skillChanges(
  { events, kept }: Pick<StoredRun, 'events' | 'kept'>,
  { location, before, now }: ComparedContents,
): Promise<string | undefined> {
  const measures = events.filter((event) => event.type === 'skill_measured' && event.location === location);
  const earlier = await filesOf(measures, kept, (digest) => digestHex(digest).startsWith(before));
  const later = await filesOf(measures, kept, (digest) => digest === now);
  if (earlier === undefined || later === undefined) return undefined;
  const changed = [...later].flatMap(([path, file]) => ((earlier.get(path) ?? file) === file ? [] : [path]));
  const added = [...later.keys()].filter((path) => !earlier.has(path));
  const removed = [...earlier.keys()].filter((path) => !later.has(path));
  const parts = [listOf('changed', changed), listOf('added', added), listOf('removed', removed)].flat();
  return parts.length === 0 ? undefined : parts.join('; ');
}

/** What is said of each file, by its path. */
async function filesOf(
  measures: readonly RunEvent[],
  kept: StoredRun['kept'],
  isMeant: (digest: Digest) => boolean,
): Promise<ReadonlyMap<string, string> | undefined> {
  for (const event of measures.toReversed()) {
    if (event.type !== 'skill_measured' || event.digest === undefined || event.kept === undefined) continue;
    if (!isMeant(event.digest)) continue;
    const files = filesSchema.parse(JSON.parse(new TextDecoder().decode(await kept(event.kept.digest))));
    return new Map(files.map(({ path, digest, executable }) => [path, `${digest} ${executable}`]));
  }
  return undefined;
}

function listOf(how: string, paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  const more = paths.length - mostNamed;
  return [`${how} ${paths.slice(0, mostNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`];
}
