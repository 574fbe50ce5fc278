import {
  describeVersion,
  SkillsError,
  type PublishedPack,
  type PublishRequest,
  type RegistryReadOptions,
} from '@skillpack/core';
import { sha256 } from '../sha256.js';
import { blobPath, writeBlob } from './folder-blobs.js';
import type { FolderContext } from './folder-context.js';
import { appendToLog, createVersion, isRepublication, readVersion, type StoredVersion } from './pack-log.js';
import { rebuildPack } from './rebuild-pack.js';

// A version is a file name here, and a file name has at most 255 bytes.
const maxVersionLength = 128;

/**
 * Publishes an archive: its blobs, then the version's file, created only if absent, which is the moment of publication;
 * then the pack's log and index. Stopped anywhere, the next publication or build of the pack finishes it.
 *
 * @throws `VERSION_EXISTS` when other content is published under the version, `INVALID_MANIFEST`, `ARCHIVE_REFUSED`.
 */
export async function publishToFolder(
  { archive, tag }: PublishRequest,
  context: FolderContext,
  options: RegistryReadOptions,
): Promise<PublishedPack> {
  const { files } = context;
  const { manifest, format } = await context.archives.open(archive, { signal: options.signal });
  if (manifest === undefined) {
    throw new SkillsError('INVALID_MANIFEST', 'The archive has no manifest.json, so nothing says which pack it is.', {
      hint: 'Build the archive with `skills pack`.',
    });
  }
  const { name, version } = manifest;
  if (version.length > maxVersionLength) {
    throw new SkillsError('INVALID_VERSION', `The version of ${name} has ${version.length} characters.`, {
      hint: `A registry takes versions of up to ${maxVersionLength} characters.`,
    });
  }
  const digest = sha256(archive);
  const facts = { archives: [{ format, digest, size: archive.length }], published: context.now() };
  const described = describeVersion(manifest, facts, sha256);
  const offered: StoredVersion = { record: described.record, tag: tag ?? null };

  // Looked at first, so that what is refused leaves no blob; the creation below decides.
  const earlier = await readVersion(name, version, files);
  if (earlier !== undefined && !isRepublication(earlier, offered)) throw versionExists(earlier, offered, name);
  const manifestBytes = new TextEncoder().encode(described.manifest.text);
  const blobs = {
    archive: { digest, content: archive },
    manifest: { digest: described.manifest.digest, content: manifestBytes },
  };
  const wroteArchive = await writeBlob(blobs.archive, files, context.now());
  const wroteManifest = await writeBlob(blobs.manifest, files, context.now());
  const present = await createVersion(name, offered, files);
  if (present !== undefined && !isRepublication(present, offered)) throw versionExists(present, offered, name);
  // Whoever collects blobs may have looked before the version named these: from here on they are left alone.
  for (const blob of Object.values(blobs)) {
    if ((await files.facts(blobPath(blob.digest))) === undefined) await writeBlob(blob, files, context.now());
  }
  if (present === undefined) await appendToLog(name, { kind: 'publish', version, tag: offered.tag }, files);

  const document = await rebuildPack(name, files);
  const record = document?.versions.find((other) => other.version === version);
  if (document === undefined || record === undefined) {
    throw new SkillsError('IO_ERROR', `${name}@${version} was published and is gone from the folder.`);
  }
  // The same content in other bytes is a blob that nobody asks for.
  const listed = record.archives.some((other) => other.digest === digest);
  const repaired = present !== undefined && (wroteManifest || (wroteArchive && listed));
  return { name, record, tags: document.head.tags, created: present === undefined, repaired };
}

function versionExists(present: StoredVersion, offered: StoredVersion, name: string): SkillsError {
  const { version, treeDigest } = present.record;
  const difference =
    treeDigest === offered.record.treeDigest
      ? 'the same files with another manifest'
      : `the files ${treeDigest}; these are ${offered.record.treeDigest}`;
  return new SkillsError('VERSION_EXISTS', `${name}@${version} is published already, with ${difference}.`, {
    hint: 'A published version never changes. Publish a new version.',
    data: { name, version, published: treeDigest, offered: offered.record.treeDigest },
  });
}
