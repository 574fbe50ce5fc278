import {
  parsePackSpec,
  quoted,
  SkillsError,
  type ArchiveLimits,
  type ArchiveReader,
  type ManifestSkill,
  type PackRegistry,
  type RegistryOptions,
  type Sha256,
  type SkillBackend,
  type SkillEntry,
  type SkillListing,
  type SkillScope,
} from '@skillpack/core';
import { reasonAgainst, type RevokedDigests, type WantedPack } from './choose-version.js';
import { PackContents, readRevoked } from './pack-contents.js';
import { RemoteIndex } from './remote-index.js';
import { filesOfSkill, remoteEntry, type RemotePack } from './remote-pack.js';

/** Which packs of a registry are offered: those that are named, as `org/pdf`, `org/pdf@^1` or `org/pdf@beta`; or the first that a search finds. */
export type RemoteSelection =
  | { readonly kind: 'packs'; readonly specs: readonly string[] }
  /** `limit`: how many packs at most. @default 20 */
  | { readonly kind: 'search'; readonly words: string; readonly limit?: number | undefined };

/** What remote skills are read with. */
export interface RemoteSkillsPorts {
  /** Opens archives that nobody vouches for; `createArchiveReader` of `@skillpack/cli-dist` makes one. */
  readonly archives: ArchiveReader;
  readonly sha256: Sha256;
}

/** Which remote skills are offered, and how. */
export interface RemoteSkillsOptions {
  readonly from: RemoteSelection;
  /** @default 'other' */
  readonly scope?: SkillScope | undefined;
  /** Bytes of unpacked packs that stay in memory. A larger pack is read, and fetched again when it is asked for again. @default 128 MiB */
  readonly memoryBytes?: number | undefined;
  /** What archives are held to. @default defaultArchiveLimits */
  readonly limits?: ArchiveLimits | undefined;
}

interface ListedSkill {
  readonly pack: RemotePack;
  readonly skill: ManifestSkill;
}

/** Skills of earlier listings that can still be read. */
const mostReadable = 2_000;

/**
 * The skills of a registry's packs, without installing them. Listing reads index documents and manifests; the first file
 * that is asked for fetches the archive of its pack, which is checked against the digests of the index and the manifest.
 *
 * A revoked version is neither listed nor read, a yanked one only where exactly it is named. A pack that cannot be read
 * is a problem of the listing; where it could be read before, it stays as it was. What only a SKILL.md says (its
 * allowed tools, whether a model may call it) is known once its body is read.
 *
 * `list` throws when the revocations cannot be had, or no pack at all can be: what a registry made of it showed stays.
 *
 * @throws `INVALID_SPEC`, `INVALID_PACK_NAME`, `INVALID_RANGE` for a spec that names no pack of a registry.
 * @example
 * ```ts
 * const backend = remoteSkills(packs, { archives, sha256 }, { from: { kind: 'packs', specs: ['org/pdf@^1'] } });
 * const registry = createSkillRegistry(backend, { sha256 });
 * ```
 */
export function remoteSkills(
  packs: PackRegistry,
  ports: RemoteSkillsPorts,
  options: RemoteSkillsOptions,
): SkillBackend {
  const { from, scope = 'other', memoryBytes = 128 * 1024 * 1024, limits } = options;
  const named = from.kind === 'packs' ? from.specs.map(parseSpec) : [];
  const index = new RemoteIndex({ packs, sha256: ports.sha256 });
  const contents = new PackContents({ packs, ...ports }, { memoryBytes, limits });
  let listed: ReadonlyMap<string, ListedSkill> = new Map();
  const find = ({ name, location }: SkillEntry): ListedSkill => {
    const found = listed.get(location);
    if (found !== undefined) return found;
    throw new SkillsError('SKILL_NOT_FOUND', `${packs.location} does not offer the skill ${quoted(name)} (any more).`, {
      data: { name, location },
    });
  };
  return {
    kind: 'remote',
    async list({ signal }: RegistryOptions): Promise<SkillListing> {
      const revoked = await readRevoked(packs, { signal });
      const wanted = from.kind === 'packs' ? named : await searchPacks(packs, from, signal);
      const { found, problems } = await index.read(wanted, { revoked, signal });
      const next = new Map<string, ListedSkill>();
      const skills: SkillEntry[] = [];
      for (const pack of found) {
        for (const skill of pack.manifest.skills) {
          const entry = remoteEntry(pack, skill, { registry: packs.location, scope, sha256: ports.sha256 });
          if (!next.has(entry.location)) skills.push(entry);
          next.set(entry.location, { pack, skill });
        }
      }
      listed = new Map([...stillReadable(listed, revoked), ...next]);
      contents.retain(new Set([...listed.values()].map(({ pack }) => pack.record.treeDigest)));
      return { skills, problems };
    },
    async files(entry) {
      const { pack, skill } = find(entry);
      return filesOfSkill(pack, skill).map(({ path, size, executable }) => ({ path, size, executable }));
    },
    async bytes(entry, path, { maxBytes, signal }) {
      const { pack, skill } = find(entry);
      const place = `${skill.path}/${path}`;
      const file = pack.manifest.files.find((candidate) => candidate.path === place);
      if (file === undefined) {
        throw new SkillsError('FILE_NOT_FOUND', `The skill ${skill.name} has no file ${quoted(path)}.`, {
          data: { skill: skill.name, path: path.slice(0, 1024) },
        });
      }
      if (file.size > maxBytes) {
        throw new SkillsError(
          'FILE_TOO_LARGE',
          `${place} of ${pack.name} has ${file.size} bytes; at most ${maxBytes} are read.`,
          { data: { size: file.size, maxBytes } },
        );
      }
      return contents.read(pack, place, signal);
    },
  };
}

/** Whoever still has an earlier listing can go on reading what it names, unless that was revoked. */
function stillReadable(
  listed: ReadonlyMap<string, ListedSkill>,
  revoked: RevokedDigests,
): readonly (readonly [string, ListedSkill])[] {
  const readable = [...listed].filter(([, { pack }]) => reasonAgainst(pack.record, revoked) === undefined);
  return readable.slice(-mostReadable);
}

function parseSpec(text: string): WantedPack {
  const spec = parsePackSpec(text);
  if (spec.kind === 'registry') return { name: spec.name, range: spec.range };
  throw new SkillsError('INVALID_SPEC', `${quoted(text)} is no pack of a registry.`, {
    hint: 'Name it as org/pdf, org/pdf@^1 or org/pdf@beta.',
  });
}

async function searchPacks(
  packs: PackRegistry,
  { words, limit = 20 }: Extract<RemoteSelection, { kind: 'search' }>,
  signal: AbortSignal | undefined,
): Promise<readonly WantedPack[]> {
  const names = new Set((await packs.search(words, { limit, signal })).map(({ name }) => name));
  return [...names].slice(0, limit).map((name) => ({ name, range: undefined }));
}
