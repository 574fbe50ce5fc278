import type { FolderContext } from './folder-context.js';
import { removeAbandoned } from './folder-files.js';
import {
  deriveDocuments,
  listPacks,
  problemOf,
  type DerivedDocuments,
  type FolderIdentity,
  type FolderProblem,
} from './derive-documents.js';
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
  for (const name of await listPacks(files, 'versions')) {
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
  }
  await removeAbandoned(files, context.now());
  const derived = await deriveDocuments(context, identity);
  const known = new Set(problems.map(({ subject }) => subject));
  const further = derived.problems.filter(({ subject }) => !known.has(subject));
  return { ...derived, versions, problems: [...problems, ...further] };
}
