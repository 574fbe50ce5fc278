import type { FolderContext } from './folder-context.js';
import { removeAbandoned } from './folder-files.js';
import { deriveDocuments, listPacks, type DerivedDocuments, type FolderIdentity } from './derive-documents.js';
import { problemOf, type FolderProblem } from './folder-problem.js';
import { mapConcurrently } from './map-concurrently.js';
import { blobPath } from './folder-blobs.js';
import { rebuildPack } from './rebuild-pack.js';

/** What `build` found and made. */
export interface FolderBuild extends DerivedDocuments {
  readonly versions: number;
}

/**
 * Makes every document of a registry's folder anew from the versions, their logs and the blobs, and so finishes
 * whatever a publisher that was stopped had begun. A pack that cannot be read is reported and left as it is.
 */
export async function buildFolder(context: FolderContext, identity: FolderIdentity): Promise<FolderBuild> {
  const { files } = context;
  const problems: FolderProblem[] = [];
  let versions = 0;
  await mapConcurrently(await listPacks(files, 'versions'), async (name) => {
    try {
      const document = await rebuildPack(name, files);
      for (const record of document?.versions ?? []) {
        versions += 1;
        for (const { digest } of record.archives) {
          if ((await files.facts(blobPath(digest))) !== undefined) continue;
          problems.push({ subject: `${name}@${record.version}`, message: `Its archive ${digest} is missing.` });
        }
      }
    } catch (error) {
      problems.push(problemOf(name, error));
    }
  });
  await removeAbandoned(files, context.now());
  // Nothing is remembered here: what somebody removed is to be made again.
  const derived = await deriveDocuments({ ...context, memory: undefined }, identity);
  const known = new Set(problems.map(({ subject }) => subject));
  const further = derived.problems.filter(({ subject }) => !known.has(subject));
  return { ...derived, versions, problems: [...problems, ...further] };
}
