import { isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { withoutCredentials, type LockEntry, type PackName } from '@skillpack/core';
import type { Candidate } from '../resolve/candidate.js';

/** A path as the governing files write it: relative to their folder, slash-separated, unless it lies on another drive. */
export function writtenPath(path: string, baseDir: string): string {
  const inside = relative(baseDir, path);
  if (isAbsolute(inside)) return inside.split(sep).join('/');
  const slashed = inside.split(sep).join('/');
  return slashed.startsWith('../') || slashed === '..' ? slashed : `./${slashed}`;
}

/** The absolute path of a written one. */
export function readPath(path: string, baseDir: string): string {
  return resolve(baseDir, path);
}

/** A registry that is a folder beside the lock file, or below it, is written relative to it: both are moved together. */
function writtenRegistry(registry: string, baseDir: string): string {
  if (!/^file:\/\/\//iu.test(registry)) return registry;
  const written = writtenPath(fileURLToPath(registry), baseDir);
  return written.startsWith('./') ? `${written.replace(/\/$/u, '')}/` : registry;
}

function readRegistry(registry: string, baseDir: string): string {
  return registry.startsWith('./') ? pathToFileURL(`${readPath(registry, baseDir)}/`).href : registry;
}

/** How a chosen version is locked. @param place what the person asked for, and the folder of the lock file. */
export function lockEntryOf(
  candidate: Candidate,
  place: { readonly range: string | undefined; readonly baseDir: string },
): LockEntry {
  const content = {
    version: candidate.version,
    range: place.range,
    treeDigest: candidate.treeDigest,
    skills: candidate.skills,
    dependencies: candidate.dependencies,
  };
  const { source } = candidate;
  switch (source.kind) {
    case 'registry':
      return {
        ...content,
        source: 'registry',
        registry: writtenRegistry(source.registry, place.baseDir),
        integrity: source.integrity,
      };
    case 'url':
      return { ...content, source: 'url', url: withoutCredentials(source.url), integrity: source.integrity };
    case 'file':
      return { ...content, source: 'file', path: writtenPath(source.path, place.baseDir), integrity: source.integrity };
    case 'folder':
      return { ...content, source: 'folder', path: writtenPath(source.path, place.baseDir) };
  }
}

/** The version that an entry locks. */
export function candidateOfEntry(name: PackName, entry: LockEntry, baseDir: string): Candidate {
  const { version, treeDigest, skills, dependencies } = entry;
  return { name, version, treeDigest, skills, dependencies, source: sourceOfEntry(entry, baseDir) };
}

function sourceOfEntry(entry: LockEntry, baseDir: string): Candidate['source'] {
  switch (entry.source) {
    case 'registry':
      return {
        kind: 'registry',
        registry: readRegistry(entry.registry, baseDir),
        integrity: entry.integrity,
        size: undefined,
      };
    case 'url':
      return { kind: 'url', url: entry.url, integrity: entry.integrity };
    case 'file':
      return { kind: 'file', path: readPath(entry.path, baseDir), integrity: entry.integrity };
    case 'folder':
      return { kind: 'folder', path: readPath(entry.path, baseDir) };
  }
}
