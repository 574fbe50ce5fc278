import { join } from 'node:path';
import {
  formatManifest,
  formatReceipt,
  manifestFileName,
  SkillsError,
  type Digest,
  type PackManifest,
} from '@skillpack/core';
import { asIoError } from '../disk/io-error.js';
import { makeFolderDurably } from '../disk/make-folder-durably.js';
import { hasRealParents, statEntry } from '../disk/stat-entry.js';
import { writeFileDurably } from '../disk/write-file-durably.js';
import { originOf } from '../resolve/origin-of.js';
import { readStoredManifest, receiptFileName } from '../lock/root-state.js';
import { recordDir, type RootPaths } from '../root/root-paths.js';
import type { Candidate } from '../resolve/candidate.js';
import { findLinks } from '../target/plan-links.js';
import { proveContent } from './prove-content.js';
import { putAside } from './put-aside.js';
import { readGoverningFilesApart } from './read-files-apart.js';
import type { Patient, Remedy } from './symptom.js';

/**
 * How the record of a pack is written anew, where something proves what belongs in it: the manifest beside it, the
 * archive in the store, or the installed files themselves, each by the digest that is locked.
 *
 * @returns `undefined` when nothing proves it.
 */
export function recordRemedy(pack: Candidate, patient: Patient): Remedy | undefined {
  const { paths } = patient;
  const write = (manifest: PackManifest, from: string): string => {
    writeRecord({ pack, manifest }, patient);
    return `The record of ${pack.name} was written anew from the lock file and ${from}.`;
  };
  const stored = storedManifest(pack, patient);
  if (stored !== undefined) {
    return { does: 'writes the receipt anew', apply: () => write(stored, 'the manifest') };
  }
  const proved = proveContent(pack, paths);
  if (proved !== undefined) {
    const does = 'writes its record anew, since every file is, to the byte, what is locked';
    return { does, apply: () => write(proved, 'the installed files') };
  }
  return undefined;
}

/** As {@link recordRemedy}, for a pack that is known to be installed here: then its archive in the store will do. */
export function archiveRemedy(pack: Candidate, patient: Patient): Remedy | undefined {
  const { source } = pack;
  if (source.kind === 'folder' || !patient.ports.store.has(source.integrity)) return undefined;
  return {
    does: 'writes its record anew from the archive in the cache',
    apply: async () => {
      const manifest = await archivedManifest(pack, source.integrity, patient);
      writeRecord({ pack, manifest }, patient);
      return `The record of ${pack.name} was written anew from the lock file and the archive in the cache.`;
    },
  };
}

function storedManifest(pack: Candidate, { paths }: Patient): PackManifest | undefined {
  try {
    const manifest = readStoredManifest(paths, pack.name);
    return manifest !== undefined && fits(manifest, pack) ? manifest : undefined;
  } catch (error) {
    if (SkillsError.is(error)) return undefined;
    throw error;
  }
}

/** The manifest of an archive in the store, which has to be that of a pack. @throws `INTEGRITY_MISMATCH`. */
export async function archivedManifest(pack: Candidate, integrity: Digest, { ports }: Patient): Promise<PackManifest> {
  const bytes = await ports.store.get(integrity);
  const manifest = bytes === undefined ? undefined : (await ports.archives.open(bytes, {})).manifest;
  if (manifest !== undefined && fits(manifest, pack)) return manifest;
  throw new SkillsError('INTEGRITY_MISMATCH', `The archive of ${pack.name} in the cache does not prove its manifest.`, {
    data: { name: pack.name, integrity },
  });
}

function fits(manifest: PackManifest, pack: Candidate): boolean {
  if (manifest.name !== pack.name || manifest.version !== pack.version) return false;
  const skills = manifest.skills.map(({ name }) => name).toSorted();
  return manifest.treeDigest === pack.treeDigest && skills.join('/') === pack.skills.toSorted().join('/');
}

function writeRecord(
  { pack, manifest }: { readonly pack: Candidate; readonly manifest: PackManifest },
  { paths, ports }: Patient,
): void {
  const { name, version, treeDigest, skills, source } = pack;
  const folder = recordDir(paths, name);
  if (!hasRealParents(paths.skillsDir, `.skillpack/${name}/x`)) {
    throw new SkillsError('PATH_TRAVERSAL_BLOCKED', `${folder} is not a folder of skillpack’s own.`, {
      hint: 'Move it away; then run it again.',
      data: { path: folder },
    });
  }
  const { project } = readGoverningFilesApart(paths);
  const receipt = formatReceipt({
    name,
    version,
    source: originOf(pack),
    integrity: source.kind === 'folder' ? undefined : source.integrity,
    treeDigest,
    skills,
    installedAt: ports.now().toISOString(),
    installedBy: ports.version,
    links: findLinks(skills, project?.targets ?? [], paths),
  });
  try {
    makeFolderDurably(folder);
  } catch (error) {
    throw asIoError(error, folder);
  }
  // The receipt last: it is what says that the pack is installed.
  writeDocument(join(folder, manifestFileName), formatManifest(manifest), paths);
  writeDocument(join(folder, receiptFileName), receipt, paths);
}

/** A folder in its place cannot be written over, and may hold something. */
function writeDocument(path: string, text: string, paths: RootPaths): void {
  if (statEntry(path)?.isDirectory() === true) putAside([path], paths);
  writeFileDurably(path, text);
}
