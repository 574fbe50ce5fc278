import {
  formatPackDocument,
  parsePackDocument,
  SkillsError,
  splitPackName,
  type PackDocument,
  type PackName,
} from '@skillpack/core';
import { readManifest } from './folder-blobs.js';
import type { FolderFiles } from './folder-files.js';
import { appendToLog, foldLog, logLength, readLog, readVersions, unloggedVersions } from './pack-log.js';

/** Where a pack's index lies, relative to a registry's base. */
export function indexPath(name: PackName): string {
  const { org, base } = splitPackName(name);
  return `packs/${org}/${base}.ndjson`;
}

/** Reads a pack's index as it lies there. @throws `PACK_NOT_FOUND`, `INVALID_INDEX`. */
export async function readIndex(name: PackName, files: FolderFiles): Promise<PackDocument> {
  const bytes = await files.read(indexPath(name));
  if (bytes !== undefined) return parsePackDocument(new TextDecoder().decode(bytes), name);
  throw new SkillsError('PACK_NOT_FOUND', `The registry has no pack ${name}.`, { data: { name } });
}

/**
 * Makes a pack's index anew from its versions and its log, and finishes publications that were cut off. Right with any
 * number of processes at it, without a lock: whoever wrote an index looks at the log again afterwards, so that the last
 * index to be written is that of the whole log.
 *
 * @returns `undefined` when the pack has no version.
 */
export async function rebuildPack(name: PackName, files: FolderFiles): Promise<PackDocument | undefined> {
  for (;;) {
    const log = await readLog(name, files);
    const versions = await readVersions(name, files);
    if (versions.size === 0) return undefined;
    const unlogged = unloggedVersions(versions, log);
    if (unlogged.length > 0) {
      for (const { record, tag } of unlogged) {
        await appendToLog(name, { kind: 'publish', version: record.version, tag }, files);
      }
      continue;
    }
    const { versions: records, tags, deprecated } = foldLog(versions, log);
    // What is tagged `latest` speaks for the pack.
    const speaker = records.find(({ version }) => version === tags['latest']) ?? records.at(-1);
    if (speaker === undefined) return undefined;
    const { description, license } = await readManifest(speaker.manifest, files);
    const document = { head: { name, description, license, tags, deprecated }, versions: records };
    await writeIfChanged(indexPath(name), formatPackDocument(document), files);
    if ((await logLength(name, files)) === log.length) return document;
  }
}

/** Replaces a file, unless it has this text already: then its ETag stays as well. */
export async function writeIfChanged(path: string, text: string, files: FolderFiles): Promise<void> {
  const present = await files.read(path);
  if (present === undefined || new TextDecoder().decode(present) !== text) await files.replace(path, text);
}
