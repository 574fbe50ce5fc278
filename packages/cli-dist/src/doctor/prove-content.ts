import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import {
  comparePaths,
  defaultArchiveLimits,
  formatManifest,
  parseManifest,
  parseSkillHead,
  SkillsError,
  treeDigestOf,
  type Digest,
  type ManifestSkill,
  type PackFile,
  type PackManifest,
} from '@skillpack/core';
import { sha256 } from '../archive/sha256.js';
import { isLossyName } from '../disk/raw-names.js';
import { statEntry } from '../disk/stat-entry.js';
import { isByProduct } from '../verify/is-by-product.js';
import type { Candidate } from '../resolve/candidate.js';
import type { RootPaths } from '../root/root-paths.js';

/**
 * A manifest for a pack of which nothing but its skills is left, where these are, to the byte, what its tree digest
 * says. What only its own manifest stated (licence, keywords, requirements) is not in it. On Windows, where files have
 * no execute bit, a pack with programs cannot be proved.
 *
 * @returns `undefined` when the skills are not all there, were changed or hold anything else.
 */
export function proveContent(pack: Omit<Candidate, 'source'>, paths: RootPaths): PackManifest | undefined {
  const { name, version, skills, dependencies, treeDigest } = pack;
  const walk = new SkillWalk(paths.skillsDir);
  if (!skills.every((skill) => walk.add(skill))) return undefined;
  if (treeDigestOf(walk.files, sha256) !== treeDigest) return undefined;
  const described = skills.map((skill): ManifestSkill => ({
    name: skill,
    path: skill,
    description: descriptionIn(walk.heads.get(skill) ?? ''),
  }));
  const manifest: PackManifest = {
    name,
    version,
    description: described[0]?.description ?? '',
    keywords: [],
    skills: described,
    dependencies,
    requires: {},
    files: walk.files.toSorted((left, right) => comparePaths(left.path, right.path)),
    treeDigest,
  };
  try {
    return parseManifest(formatManifest(manifest), sha256);
  } catch (error) {
    if (SkillsError.is(error)) return undefined;
    throw error;
  }
}

function descriptionIn(skillFile: string): string {
  const parse = parseSkillHead(skillFile, { partial: true });
  return parse.kind === 'skill' ? (parse.skill.description?.slice(0, 1024) ?? '') : '';
}

const chunk = Buffer.allocUnsafe(1024 * 1024);
const headBytes = 64 * 1024;

/** The regular files of skills, within the limits of a pack. */
class SkillWalk {
  readonly files: PackFile[] = [];
  /** The beginning of the SKILL.md of each skill. */
  readonly heads = new Map<string, string>();
  readonly #top: string;
  #bytes = 0;

  constructor(top: string) {
    this.#top = top;
  }

  /** @returns whether the skill is there, and holds nothing that no pack could hold. */
  add(skill: string): boolean {
    if (statEntry(join(this.#top, skill))?.isDirectory() !== true) return false;
    return this.#addFolder(skill, 1);
  }

  #addFolder(folder: string, depth: number): boolean {
    if (depth > defaultArchiveLimits.depth) return false;
    return readdirSync(join(this.#top, folder), { withFileTypes: true }).every((entry) => {
      const path = `${folder}/${entry.name}`;
      if (isLossyName(entry.name)) return false;
      if (entry.isDirectory()) return this.#addFolder(path, depth + 1);
      if (isByProduct(path)) return true;
      return entry.isFile() && this.files.length < defaultArchiveLimits.entries && this.#addFile(path);
    });
  }

  #addFile(path: string): boolean {
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    const descriptor = openSync(join(this.#top, path), O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0));
    try {
      const stats = fstatSync(descriptor);
      this.#bytes += stats.size;
      if (this.#bytes > defaultArchiveLimits.unpackedBytes) return false;
      const hashing = createHash('sha256');
      let size = 0;
      for (let read = readSync(descriptor, chunk); read > 0; read = readSync(descriptor, chunk)) {
        if (size === 0 && /^[^/]+\/SKILL\.md$/u.test(path)) {
          this.heads.set(path.slice(0, path.indexOf('/')), chunk.toString('utf8', 0, Math.min(read, headBytes)));
        }
        hashing.update(chunk.subarray(0, read));
        size += read;
      }
      // 64 hexadecimal digits, as a digest is.
      const digest = `sha256:${hashing.digest('hex')}` as Digest;
      this.files.push({ path, size, digest, executable: (stats.mode & 0o111) !== 0 });
      return true;
    } finally {
      closeSync(descriptor);
    }
  }
}
