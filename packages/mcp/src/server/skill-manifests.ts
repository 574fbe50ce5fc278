import { SKILL_LIMITS, type Skill } from '@modelcontextprotocol/server/ext/skills';
import { untilAborted, type RegistryOptions, type Sha256, type SkillEntry, type SkillFile } from '@skillpack/core';
import { conformingSkill } from './conforming-skill.js';
import type { ServedSkill, ServedSkills } from './served-skills.js';
import { fileAddress, protocolName } from './skill-address.js';
import type { SkillsServerOptions } from './skills-server-options.js';

/** A file of a skill as clients are told of it. */
export interface ServedFile {
  readonly path: string;
  /** The path that the registry has it under. */
  readonly own: string;
  readonly digest: string;
  /** Bytes. */
  readonly size: number;
}

/** A skill as clients are told of it. */
export interface SkillManifest {
  readonly skill: Skill;
  /** By address. */
  readonly files: ReadonlyMap<string, ServedFile>;
}

/** What is kept of a skill: what clients are told of it, or why they are told nothing. */
type KeptManifest = { readonly of: string } & (
  | { readonly kind: 'told'; readonly manifest: SkillManifest }
  | { readonly kind: 'left-out'; readonly reason: string }
);

/** How a manifest is asked for. */
export interface ManifestOptions extends RegistryOptions {
  /** Whether every file is read for it, whatever was told before. @default false, one is kept while its files have the same names and sizes */
  readonly fresh?: boolean | undefined;
}

/**
 * The files of each skill with their digests, as far as clients asked for them. What is told of a skill is kept until its
 * files change; a file that is not the one that was told of is never served as if it were.
 */
export class SkillManifests {
  readonly #served: ServedSkills;
  readonly #sha256: Sha256;
  readonly #options: SkillsServerOptions;
  // By entry: what the registry has read anew is told of anew.
  readonly #kept = new WeakMap<SkillEntry, KeptManifest>();
  readonly #told = new WeakMap<SkillEntry, ReadonlySet<string>>();

  constructor(served: ServedSkills, { sha256 }: { readonly sha256: Sha256 }, options: SkillsServerOptions) {
    this.#served = served;
    this.#sha256 = sha256;
    this.#options = options;
  }

  /** What clients are told of a skill; `undefined` where it is not served by the extension, which `onProblem` is told. */
  async read(skill: ServedSkill, { signal, fresh = false }: ManifestOptions = {}): Promise<SkillManifest | undefined> {
    const kept = await untilAborted(async () => this.#keep(skill, fresh), signal);
    if (kept.kind === 'told') return kept.manifest;
    this.#tell(skill, `It is not served by the extension for skills: ${kept.reason}.`);
    return undefined;
  }

  /** A file of a skill as it is now; `undefined` where it is another one than clients were told of. */
  async content(skill: ServedSkill, file: ServedFile, { signal }: RegistryOptions): Promise<Uint8Array | undefined> {
    const bytes = await this.#bytes(skill, file.own, signal);
    const content = file.path === 'SKILL.md' ? await mended(bytes, skill) : bytes;
    if (content?.length === file.size && this.#sha256(content) === file.digest) return content;
    this.#kept.delete(skill.original);
    return undefined;
  }

  async #keep(skill: ServedSkill, fresh: boolean): Promise<KeptManifest> {
    const files = (await this.#served.registry.files(skill.entry)).map(asNamed);
    const of = JSON.stringify([skill.root, files.map(({ path, size }) => [path, size])]);
    const before = this.#kept.get(skill.original);
    if (!fresh && before?.of === of) return before;
    const kept: KeptManifest = { of, ...(await this.#make(skill, files)) };
    this.#kept.set(skill.original, kept);
    return kept;
  }

  async #make(
    skill: ServedSkill,
    files: readonly NamedFile[],
  ): Promise<
    { readonly kind: 'told'; readonly manifest: SkillManifest } | { readonly kind: 'left-out'; readonly reason: string }
  > {
    if (files.length > SKILL_LIMITS.files) {
      return { kind: 'left-out', reason: `it has ${files.length} files; at most ${SKILL_LIMITS.files} are allowed` };
    }
    const listed = new Map<string, ServedFile>();
    let total = 0;
    let frontMatter: Skill['frontmatter'] | undefined;
    for (const { path, own } of files) {
      let bytes = await this.#bytes(skill, own, undefined);
      if (path === 'SKILL.md') {
        const conforming = await conformingSkill(bytes, protocolName(skill.entry));
        if (conforming.kind === 'refused') return { kind: 'left-out', reason: conforming.reason };
        if (conforming.mended !== undefined) {
          this.#tell(
            skill,
            `Its front matter is served written anew, as clients do not take it: ${conforming.mended}.`,
          );
        }
        ({ bytes, frontMatter } = conforming);
      }
      total += bytes.length;
      if (total > SKILL_LIMITS.bytes) {
        return { kind: 'left-out', reason: `its files have more than ${SKILL_LIMITS.bytes} bytes` };
      }
      listed.set(fileAddress(skill.root, path), { path, own, digest: this.#sha256(bytes), size: bytes.length });
    }
    if (frontMatter === undefined) return { kind: 'left-out', reason: 'it has no SKILL.md' };
    const resources = [...listed].map(([uri, { digest, size }]) => ({ uri, digest, size }));
    const uri = fileAddress(skill.root, 'SKILL.md');
    return {
      kind: 'told',
      manifest: {
        skill: { uri, frontmatter: frontMatter, resources: resources.toSorted((a, b) => (a.uri < b.uri ? -1 : 1)) },
        files: listed,
      },
    };
  }

  async #bytes({ entry }: ServedSkill, path: string, signal: AbortSignal | undefined): Promise<Uint8Array> {
    return this.#served.registry.bytes(entry, path, { maxBytes: SKILL_LIMITS.bytes, signal });
  }

  #tell({ entry, original }: ServedSkill, message: string): void {
    const told = this.#told.get(original) ?? new Set();
    if (told.has(message)) return;
    this.#told.set(original, new Set([...told, message]));
    this.#options.onProblem?.({ code: 'refused', location: entry.location, message });
  }
}

async function mended(bytes: Uint8Array, { entry }: ServedSkill): Promise<Uint8Array | undefined> {
  const conforming = await conformingSkill(bytes, protocolName(entry));
  return conforming.kind === 'skill' ? conforming.bytes : undefined;
}

interface NamedFile extends Pick<ServedFile, 'path' | 'own'> {
  readonly size: number;
}

/** Some systems keep the case of a name and do not tell it apart; the protocol does. */
function asNamed({ path, size }: SkillFile, _index: number, files: readonly SkillFile[]): NamedFile {
  const manifest = path.toLowerCase() === 'skill.md' && files.every((file) => file.path !== 'SKILL.md');
  return { path: manifest ? 'SKILL.md' : path, own: path, size };
}
