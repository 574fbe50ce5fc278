import { createHash } from 'node:crypto';
import { digestHex, parseManifest, SkillsError, type Digest, type PackManifest } from '@skillpack/core';
import { sha256 } from '../sha256.js';
import type { FolderFiles } from './folder-files.js';

/** Where a blob lies, relative to a registry's base. */
export function blobPath(digest: Digest): string {
  return `blobs/sha256/${digestHex(digest)}`;
}

/** From then on a blob that no version names may be collected at any moment, so a publisher writes it anew. */
const oldAfter = 60 * 60 * 1000;

/** A blob that is to be there. */
export interface WantedBlob {
  readonly digest: Digest;
  readonly content: Uint8Array;
}

/**
 * Writes a blob unless it is there; one that was damaged is replaced, and one that is old gets the time of now.
 *
 * @returns whether it was missing or damaged.
 */
export async function writeBlob({ digest, content }: WantedBlob, files: FolderFiles, now: Date): Promise<boolean> {
  const path = blobPath(digest);
  const present = await files.read(path);
  const whole = present !== undefined && sha256(present) === digest;
  const facts = whole ? await files.facts(path) : undefined;
  if (facts !== undefined && now.getTime() - facts.modified.getTime() <= oldAfter) return false;
  await files.replace(path, content);
  return !whole;
}

/** Whether a blob is as its name says, by hashing all of it; a large one is never in memory as a whole. */
export async function judgeBlob(digest: Digest, files: FolderFiles): Promise<'fine' | 'missing' | 'damaged'> {
  const path = blobPath(digest);
  const facts = await files.facts(path);
  if (facts === undefined) return 'missing';
  if (facts.size === 0) return 'damaged';
  const hash = createHash('sha256');
  for await (const chunk of await files.stream(path, { first: 0, last: facts.size - 1 })) hash.update(chunk);
  return hash.digest('hex') === digestHex(digest) ? 'fine' : 'damaged';
}

/**
 * Reads a blob and checks that it is what its name says.
 *
 * @throws `BLOB_NOT_FOUND`, `FILE_TOO_LARGE`, `INTEGRITY_MISMATCH`.
 */
export async function readBlob(digest: Digest, maxBytes: number, files: FolderFiles): Promise<Uint8Array> {
  await checkSize(digest, maxBytes, files);
  const bytes = await files.read(blobPath(digest));
  if (bytes === undefined) throw notThere(digest);
  checkDigest(sha256(bytes), digest);
  return bytes;
}

/**
 * As {@link readBlob}, in pieces: only after the last one it is known that they are what the name says.
 *
 * @throws as {@link readBlob}.
 */
export async function* streamBlob(
  digest: Digest,
  maxBytes: number,
  files: FolderFiles,
): AsyncGenerator<Uint8Array, void> {
  const size = await checkSize(digest, maxBytes, files);
  const hash = createHash('sha256');
  if (size > 0) {
    for await (const chunk of await files.stream(blobPath(digest), { first: 0, last: size - 1 })) {
      hash.update(chunk);
      yield chunk;
    }
  }
  checkDigest(`sha256:${hash.digest('hex')}`, digest);
}

async function checkSize(digest: Digest, maxBytes: number, files: FolderFiles): Promise<number> {
  const facts = await files.facts(blobPath(digest));
  if (facts === undefined) throw notThere(digest);
  if (facts.size <= maxBytes) return facts.size;
  throw new SkillsError('FILE_TOO_LARGE', `The blob ${digest} has ${facts.size} bytes; expected at most ${maxBytes}.`, {
    data: { expected: maxBytes, actual: facts.size },
  });
}

function notThere(digest: Digest): SkillsError {
  return new SkillsError('BLOB_NOT_FOUND', `The registry has no blob ${digest}.`, { data: { digest } });
}

function checkDigest(actual: string, digest: Digest): void {
  if (actual === digest) return;
  throw new SkillsError('INTEGRITY_MISMATCH', `The blob ${digest} has the digest ${actual}.`, {
    hint: 'The file was damaged. Publish the version again from its archive, which replaces it.',
    data: { expected: digest, actual },
  });
}

const maxManifestBytes = 16 * 1024 * 1024;

/** Reads a manifest that a version's record names. */
export async function readManifest(digest: Digest, files: FolderFiles): Promise<PackManifest> {
  return parseManifest(new TextDecoder().decode(await readBlob(digest, maxManifestBytes, files)), sha256);
}
