import { readFileSync, statSync } from 'node:fs';
import {
  defaultArchiveLimits,
  formatManifest,
  isVersion,
  parseManifest,
  SkillsError,
  withoutCredentials,
  type ArchiveLimits,
  type PackFile,
  type PackFileContent,
} from '@skillpack/core';
import { sha256 } from '../archive/sha256.js';
import { asIoError, errnoOf } from '../disk/io-error.js';
import type { PackManagerPorts } from '../install/pack-manager-ports.js';
import { describePack } from '../pack/describe-pack.js';
import type { Candidate, PackSource } from '../resolve/candidate.js';
import { hintsOfPath, hintsOfUrl } from './name-hints.js';
import { derivedPackName, derivedVersion, packContentOf, type NameHints, type PackContent } from './pack-content.js';

/** A pack that was read from a path or a URL: what it offers, and its bytes. */
export interface LoadedPack {
  readonly candidate: Candidate;
  readonly content: PackContent;
  /** Of the archive, in bytes; `undefined` for a folder. */
  readonly received: number | undefined;
}

/** How a pack is loaded. */
export interface LoadOptions {
  readonly limits?: ArchiveLimits | undefined;
  readonly offline?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told of every piece of a download, in bytes. */
  readonly onProgress?: ((bytes: number) => void) | undefined;
}

type LoadPorts = Pick<PackManagerPorts, 'archives' | 'download' | 'store'>;

/**
 * Reads a pack from a folder or an archive on this machine.
 *
 * @param path absolute.
 * @throws `FILE_NOT_FOUND`, `ARCHIVE_REFUSED`, `IO_ERROR`, and what packing a folder throws.
 */
export async function loadPath(path: string, ports: LoadPorts, options: LoadOptions = {}): Promise<LoadedPack> {
  const stats = statOf(path);
  if (stats.isDirectory()) return loadFolder(path, options);
  if (!stats.isFile()) {
    throw new SkillsError('FILE_NOT_FOUND', `${path} is neither a folder nor a file.`, { data: { path } });
  }
  const bytes = readArchive(path, options.limits ?? defaultArchiveLimits);
  const source: PackSource = { kind: 'file', path, integrity: sha256(bytes) };
  return openLoaded(bytes, { source, hints: hintsOfPath(path) }, { ports, options });
}

/** Downloads a pack. @throws `OFFLINE`, `ARCHIVE_REFUSED`, and what `download` throws. */
export async function loadUrl(url: string, ports: LoadPorts, options: LoadOptions = {}): Promise<LoadedPack> {
  if (options.offline === true) {
    throw new SkillsError('OFFLINE', `${withoutCredentials(url)} would have to be downloaded.`, {
      hint: 'Do it once with the network: leave out --offline, or set SKILLS_OFFLINE=0.',
      data: { url: withoutCredentials(url) },
    });
  }
  const { archiveBytes } = options.limits ?? defaultArchiveLimits;
  const bytes = await ports.download(url, {
    maxBytes: archiveBytes,
    signal: options.signal,
    onProgress: options.onProgress,
  });
  const source: PackSource = { kind: 'url', url, integrity: sha256(bytes) };
  const loaded = await openLoaded(bytes, { source, hints: hintsOfUrl(url) }, { ports, options });
  await ports.store.put(source.integrity, bytes);
  return loaded;
}

async function openLoaded(
  bytes: Uint8Array,
  { source, hints }: { readonly source: PackSource; readonly hints: NameHints },
  { ports, options }: { readonly ports: LoadPorts; readonly options: LoadOptions },
): Promise<LoadedPack> {
  const opened = await ports.archives.open(bytes, { limits: options.limits, signal: options.signal });
  const content = await packContentOf(opened, hints);
  return { candidate: candidateOfContent(content, source), content, received: bytes.length };
}

/** A folder is read as its author would pack it, whatever it does not say of itself made up from what it holds. */
async function loadFolder(path: string, { limits, signal }: LoadOptions): Promise<LoadedPack> {
  // Loaded here because few installs are of a folder, and it brings two matchers.
  const { readPackParts } = await import('../pack/read-pack-parts.js');
  const parts = await readPackParts(path, { limits, signal });
  const { project, skills } = parts;
  const name =
    project?.name ??
    derivedPackName(
      skills.map((skill) => skill.name),
      hintsOfPath(path),
    );
  const stated = project?.version ?? (skills.length === 1 ? skills[0]?.skill.version : undefined);
  const named = { ...parts, project: { ...project, name } };
  const described = describePack(named, { version: '0.0.0' });
  const version = stated !== undefined && isVersion(stated) ? stated : derivedVersion(described.treeDigest);
  const manifestText = formatManifest({ ...described, version });
  const manifest = parseManifest(manifestText, sha256);
  const bytes = new Map(parts.files.map((file) => [file.path, file.bytes]));
  const content: PackContent = { manifest, manifestText, contents: () => contentsOf(manifest.files, bytes) };
  return { candidate: candidateOfContent(content, { kind: 'folder', path }), content, received: undefined };
}

function* contentsOf(
  files: readonly PackFile[],
  bytes: ReadonlyMap<string, Uint8Array>,
): Generator<PackFileContent, void> {
  for (const file of files) yield { file, chunks: [bytes.get(file.path) ?? new Uint8Array()] };
}

function candidateOfContent({ manifest }: PackContent, source: PackSource): Candidate {
  const { name, version, treeDigest, dependencies } = manifest;
  return { name, version, treeDigest, dependencies, skills: manifest.skills.map((skill) => skill.name), source };
}

function statOf(path: string): ReturnType<typeof statSync> & object {
  try {
    return statSync(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT' && errnoOf(error) !== 'ENOTDIR') throw asIoError(error, path);
    throw new SkillsError('FILE_NOT_FOUND', `${path} does not exist.`, {
      hint: 'A path is relative to the folder you are in; a pack from a registry is written org/name.',
      data: { path },
    });
  }
}

/** Reads an archive on this machine. @throws `ARCHIVE_REFUSED` before a larger one than allowed is read, `IO_ERROR`. */
function readArchive(path: string, { archiveBytes }: ArchiveLimits): Uint8Array {
  const { size } = statOf(path);
  if (size > archiveBytes) {
    throw new SkillsError('ARCHIVE_REFUSED', `${path} has ${size} bytes; an archive may have ${archiveBytes}.`, {
      data: { path, reason: 'archive-too-large', size, limit: archiveBytes },
    });
  }
  try {
    return readFileSync(path);
  } catch (error) {
    throw asIoError(error, path);
  }
}
