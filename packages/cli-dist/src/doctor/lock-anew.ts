import {
  formatLockFile,
  isPrerelease,
  SkillsError,
  type InstallReceipt,
  type LockEntry,
  type PackManifest,
  type PackName,
} from '@skillpack/core';
import { writeFileDurably } from '../disk/write-file-durably.js';
import { lockEntryOf, writtenPath } from '../lock/lock-entry.js';
import { readInstalled, readStoredManifest } from '../lock/root-state.js';
import type { RootPaths } from '../root/root-paths.js';
import type { PackSource } from '../resolve/candidate.js';
import { readGoverningFilesApart } from './read-files-apart.js';

/**
 * Writes a lock file that locks what is installed, as receipts and manifests state it. Packs whose records contradict
 * each other are not in it. The root's lock is held.
 *
 * @returns what was done, as a sentence.
 * @throws `IO_ERROR`.
 */
export function lockAnew(paths: RootPaths): string {
  const records = [...readInstalled(paths).receipts.values()].flatMap((receipt) => {
    const manifest = manifestOf(receipt, paths);
    return manifest === undefined ? [] : [{ receipt, manifest }];
  });
  const needed = new Set(records.flatMap(({ manifest }) => Object.keys(manifest.dependencies)));
  const wanted = readGoverningFilesApart(paths).project?.packs ?? {};
  const entries = records.flatMap(({ receipt, manifest }): readonly (readonly [PackName, LockEntry])[] => {
    const { name, version, treeDigest, skills } = receipt;
    const source = sourceOf(receipt);
    if (source === undefined) return [];
    const { dependencies } = manifest;
    const own = needed.has(name) ? undefined : rangeOf(receipt, paths.baseDir);
    const place = { range: wanted[name] ?? own, baseDir: paths.baseDir };
    return [[name, lockEntryOf({ name, version, treeDigest, skills, dependencies, source }, place)]];
  });
  if (entries.length === 0) return 'Nothing that is installed could be locked.';
  writeFileDurably(paths.lockFile, formatLockFile({ packs: Object.fromEntries(entries) }));
  return `What is installed is locked anew: ${entries
    .map(([name]) => name)
    .toSorted()
    .join(', ')}.`;
}

function manifestOf({ name, treeDigest }: InstallReceipt, paths: RootPaths): PackManifest | undefined {
  try {
    const manifest = readStoredManifest(paths, name);
    return manifest?.treeDigest === treeDigest ? manifest : undefined;
  } catch (error) {
    if (SkillsError.is(error)) return undefined;
    throw error;
  }
}

function sourceOf({ source: { kind, location }, integrity }: InstallReceipt): PackSource | undefined {
  if (kind === 'folder') return { kind, path: location };
  if (integrity === undefined) return undefined;
  switch (kind) {
    case 'registry':
      return { kind, registry: location, integrity, size: undefined };
    case 'url':
      return { kind, url: location, integrity };
    case 'file':
      return { kind, path: location, integrity };
  }
}

/** As it is written of a pack that was asked for without a range. */
function rangeOf({ version, source }: InstallReceipt, baseDir: string): string {
  if (source.kind === 'url') return source.location;
  if (source.kind !== 'registry') return writtenPath(source.location, baseDir);
  return isPrerelease(version) ? version : `^${version}`;
}
