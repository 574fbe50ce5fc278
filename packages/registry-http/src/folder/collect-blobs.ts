import { digestHex, type Digest } from '@skillpack/core';
import { blobPath } from './folder-blobs.js';
import { listPacks } from './derive-documents.js';
import type { FolderFiles } from './folder-files.js';
import { mapConcurrently } from './map-concurrently.js';
import { readVersions } from './pack-log.js';

/** Far longer than a publisher takes from its first blob to the version's file that names it. */
const keptFor = 24 * 60 * 60 * 1000;

/**
 * Removes the blobs that no version names: what publishers left that were refused or died. Younger ones than a day stay,
 * since a publisher may just be about to name them.
 *
 * @returns how many were removed.
 * @throws `INVALID_INDEX` when a version's file cannot be read, before anything is removed: nobody knows what it names.
 */
export async function collectBlobs(files: FolderFiles, now: Date): Promise<number> {
  const named = await namedBlobs(files);
  let removed = 0;
  for (const { name, kind } of await files.list('blobs/sha256')) {
    if (kind !== 'file' || !/^[0-9a-f]{64}$/u.test(name) || named.has(name)) continue;
    const path = blobPath(`sha256:${name}` as Digest); // Cast: the pattern above is that of a digest.
    const facts = await files.facts(path);
    if (facts === undefined || now.getTime() - facts.modified.getTime() <= keptFor) continue;
    await files.remove(path);
    removed += 1;
  }
  return removed;
}

/** Every digest that stands anywhere in a version's record: of archives, manifests, and whatever signatures name. */
async function namedBlobs(files: FolderFiles): Promise<ReadonlySet<string>> {
  const named = new Set<string>();
  await mapConcurrently(await listPacks(files, 'versions'), async (name) => {
    for (const { record } of (await readVersions(name, files)).values()) {
      for (const [digest] of JSON.stringify(record).matchAll(/sha256:[0-9a-f]{64}/gu)) {
        named.add(digestHex(digest as Digest)); // Cast: the pattern is that of a digest.
      }
    }
  });
  return named;
}
