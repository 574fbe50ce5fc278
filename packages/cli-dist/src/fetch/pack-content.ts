import {
  comparePaths,
  digestHex,
  isPackName,
  isPackNamePart,
  isVersion,
  suggestSkillName,
  treeDigestOf,
  type Digest,
  type ManifestSkill,
  type OpenedArchive,
  type PackFileContent,
  type PackManifest,
  type PackName,
  type SkillHead,
} from '@skillpack/core';
import { readBeginning } from '../archive/read-beginning.js';
import { sha256 } from '../archive/sha256.js';
import { readSkillHead } from '../archive/read-skill-head.js';
import { headBytes } from '../archive/skill-name-in.js';

/** A pack whose bytes are at hand: judged, and described by a manifest, its own or one derived from what it holds. */
export interface PackContent {
  readonly manifest: PackManifest;
  /** What `formatManifest` makes of {@link manifest}, where it is at hand. */
  readonly manifestText?: string | undefined;
  /** Every file of {@link manifest}, in any order; paths as it lists them. May be called more than once. */
  contents(): AsyncIterable<PackFileContent> | Iterable<PackFileContent>;
}

/** What a pack without a manifest is called by. */
export interface NameHints {
  /** The organisation: `local` for what lies on this machine, else made from the host. */
  readonly org: string;
  /** The name of the archive or the folder, without its ending. */
  readonly base: string;
}

/**
 * The content of an opened archive. Where it has no manifest, one is derived: the name from its only skill, else from
 * `hints.base`; the version from `metadata.version` of its only skill where that is a version, else
 * `0.0.0+<12 digits of the tree digest>`, so that other content is another version.
 */
export async function packContentOf(opened: OpenedArchive, hints: NameHints): Promise<PackContent> {
  const { manifest } = opened;
  if (manifest !== undefined) return { manifest, contents: () => opened.contents() };
  const heads = await readHeads(opened);
  const prefix = opened.layout === 'skill' ? `${folderOfSingle(heads.get('SKILL.md'), hints)}/` : '';
  const files = opened.files
    .map((file) => ({ ...file, path: prefix + file.path }))
    .toSorted((left, right) => comparePaths(left.path, right.path));
  const skills = [...heads].map(([path, head]) => describeSkill(prefix + path, head));
  const treeDigest = treeDigestOf(files, sha256);
  const only = heads.size === 1 ? [...heads.values()][0] : undefined;
  const derived: PackManifest = {
    name: derivedPackName(
      skills.map((skill) => skill.name),
      hints,
    ),
    version: only?.version !== undefined && isVersion(only.version) ? only.version : derivedVersion(treeDigest),
    description: only?.description?.slice(0, 1024) ?? `${skills.length} skills`,
    license: only?.license?.slice(0, 256),
    keywords: [],
    skills: skills.toSorted((left, right) => comparePaths(left.path, right.path)),
    dependencies: {},
    requires: {},
    files,
    treeDigest,
  };
  return { manifest: derived, contents: () => prefixed(opened, prefix) };
}

async function* prefixed(opened: OpenedArchive, prefix: string): AsyncGenerator<PackFileContent, void> {
  for await (const { file, chunks } of opened.contents()) {
    yield { file: { ...file, path: prefix + file.path }, chunks };
  }
}

/** The heads of every SKILL.md at the place of one, by path; `undefined` for one that cannot be read. */
async function readHeads(opened: OpenedArchive): Promise<ReadonlyMap<string, SkillHead | undefined>> {
  const pattern = opened.layout === 'skill' ? /^SKILL\.md$/u : /^[^/]+\/SKILL\.md$/u;
  const heads = new Map<string, SkillHead | undefined>();
  for await (const { file, chunks } of opened.contents()) {
    if (!pattern.test(file.path)) continue;
    const parse = await readSkillHead(await readBeginning(chunks, headBytes), { partial: file.size > headBytes });
    heads.set(file.path, parse.kind === 'skill' ? parse.skill : undefined);
  }
  return heads;
}

/** A skill that lies at the root of an archive has no folder, so it is installed under its name. */
function folderOfSingle(head: SkillHead | undefined, { base }: NameHints): string {
  const name = head?.name;
  return name !== undefined && isPackNamePart(name) ? name : nameFrom(base);
}

function describeSkill(path: string, head: SkillHead | undefined): ManifestSkill {
  const folder = path.slice(0, path.indexOf('/'));
  return { name: folder, path: folder, description: head?.description?.slice(0, 1024) ?? '' };
}

/** The name of a pack that states none: that of its only skill, else from where it lies. */
export function derivedPackName(skills: readonly string[], hints: NameHints): PackName {
  const [only, second] = skills;
  const base = only !== undefined && second === undefined ? only : hints.base;
  const name = `${nameFrom(hints.org)}/${nameFrom(base)}`;
  if (!isPackName(name)) throw new Error(`no pack name: ${name}`);
  return name;
}

/** The version of a pack that states none: other content is another version. */
export function derivedVersion(treeDigest: Digest): string {
  return `0.0.0+${digestHex(treeDigest).slice(0, 12)}`;
}

function nameFrom(text: string): string {
  const suggested = suggestSkillName(text) ?? '';
  if (isPackNamePart(suggested)) return suggested;
  // Nothing of it can stand in a name (or it is the name of a device on Windows): its digest can.
  return `skill-${digestHex(sha256(text)).slice(0, 8)}`;
}
