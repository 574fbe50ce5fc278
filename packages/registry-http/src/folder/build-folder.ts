import type { Digest, VersionRecord } from '@skillpack/core';
import { collectBlobs } from './collect-blobs.js';
import type { FolderContext } from './folder-context.js';
import { removeAbandoned, type FolderFiles } from './folder-files.js';
import { deriveDocuments, listPacks, type DerivedDocuments, type FolderIdentity } from './derive-documents.js';
import { problemOf, type FolderProblem } from './folder-problem.js';
import { mapConcurrently } from './map-concurrently.js';
import { blobPath, judgeBlob } from './folder-blobs.js';
import { rebuildPack } from './rebuild-pack.js';

/** What `build` found and made. */
export interface FolderBuild extends DerivedDocuments {
  readonly versions: number;
  /** Blobs that no version named for a day, and that were removed. */
  readonly collected: number;
}

/** How a registry's folder is built. */
export interface BuildFolderOptions {
  /** Whether every blob is read and hashed, instead of only looked for. @default true */
  readonly hashBlobs?: boolean | undefined;
}

/**
 * Makes every document of a registry's folder anew from the versions, their logs and the blobs, and so finishes
 * whatever a publisher that was stopped had begun. A pack that cannot be read is reported and left as it is, and so is
 * a blob that is missing or damaged. Where nothing is wrong, blobs that no version names are removed after a day.
 */
export async function buildFolder(
  context: FolderContext,
  identity: FolderIdentity,
  options: BuildFolderOptions = {},
): Promise<FolderBuild> {
  const { files } = context;
  // First, since it may be what fills the disk.
  await removeAbandoned(files, context.now());
  const problems: FolderProblem[] = [];
  let versions = 0;
  await mapConcurrently(await listPacks(files, 'versions'), async (name) => {
    try {
      const document = await rebuildPack(name, files);
      for (const record of document?.versions ?? []) {
        versions += 1;
        const subject = `${name}@${record.version}`;
        problems.push(...(await judgeBlobs(record, files, options)).map((message) => ({ subject, message })));
      }
    } catch (error) {
      problems.push(problemOf(name, error));
    }
  });
  // What a version names that cannot be read, nobody knows.
  const collected = problems.length === 0 ? await collectBlobs(files, context.now()) : 0;
  // Nothing is remembered here: what somebody removed is to be made again.
  const derived = await deriveDocuments({ ...context, memory: undefined }, identity);
  const known = new Set(problems.map(({ subject }) => subject));
  const further = derived.problems.filter(({ subject }) => !known.has(subject));
  return { ...derived, versions, collected, problems: [...problems, ...further] };
}

/** What is wrong with the blobs of a version. */
async function judgeBlobs(
  { archives, manifest }: VersionRecord,
  files: FolderFiles,
  { hashBlobs = true }: BuildFolderOptions,
): Promise<readonly string[]> {
  const blobs: readonly (readonly [what: string, digest: Digest])[] = [
    ...archives.map(({ digest }) => ['archive', digest] as const),
    ['manifest', manifest],
  ];
  const found: string[] = [];
  for (const [what, digest] of blobs) {
    const there = hashBlobs ? await judgeBlob(digest, files) : (await files.facts(blobPath(digest))) && 'fine';
    if (there === 'fine') continue;
    found.push(
      `Its ${what} ${digest} is ${there ?? 'missing'}. Publish the version again from the same archive, which replaces it.`,
    );
  }
  return found;
}
