import { SKILL_LIMITS, type Skill } from '@modelcontextprotocol/server/ext/skills';
import {
  quoted,
  SkillsError,
  untilAborted,
  type RegistryOptions,
  type Sha256,
  type SkillEntry,
  type SkillFile,
} from '@skillpack/core';
import { conformingSkill } from './conforming-skill.js';
import type { ServedSkill, ServedSkills } from './served-skills.js';
import { SharedWork } from './shared-work.js';
import { fileAddress, protocolName } from './skill-address.js';

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

/** What clients are told of a skill, or why they are told nothing. */
type MadeManifest =
  /** `complete`: whether every file could be read. */
  | { readonly kind: 'told'; readonly manifest: SkillManifest; readonly complete: boolean }
  | { readonly kind: 'left-out'; readonly reason: string };

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
  // By entry: what the registry has read anew is told of anew.
  readonly #kept = new WeakMap<SkillEntry, { readonly of: string; readonly made: MadeManifest }>();

  readonly #making = new SharedWork<SkillEntry, MadeManifest>();

  constructor(served: ServedSkills, { sha256 }: { readonly sha256: Sha256 }) {
    this.#served = served;
    this.#sha256 = sha256;
  }

  /** What clients are told of a skill; `undefined` where it is not served by the extension, which `onProblem` is told. */
  async read(skill: ServedSkill, { signal, fresh = false }: ManifestOptions = {}): Promise<SkillManifest | undefined> {
    const made = await untilAborted(
      async () => this.#making.run(skill.original, async () => this.#keep(skill, fresh), fresh),
      signal,
    );
    if (made.kind === 'told') return made.manifest;
    const message = `It is not served by the extension for skills: ${made.reason}.`;
    this.#served.tell(skill, { code: 'refused', message });
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

  async #keep(skill: ServedSkill, fresh: boolean): Promise<MadeManifest> {
    const files = (await this.#served.registry.files(skill.entry)).map(asNamed);
    const of = JSON.stringify([skill.root, files.map(({ path, size }) => [path, size])]);
    const before = this.#kept.get(skill.original);
    if (!fresh && before?.of === of) return before.made;
    const made = await this.#make(skill, files);
    // What could not be read may be readable the next time.
    if (made.kind === 'left-out' || made.complete) this.#kept.set(skill.original, { of, made });
    else this.#kept.delete(skill.original);
    return made;
  }

  async #make(skill: ServedSkill, files: readonly NamedFile[]): Promise<MadeManifest> {
    const excess = excessOf(files);
    if (excess !== undefined) return { kind: 'left-out', reason: excess };
    const listed = new Map<string, ServedFile>();
    let frontMatter: Skill['frontmatter'] | undefined;
    for (const { path, own } of files) {
      let bytes = await this.#readable(skill, own);
      if (path === 'SKILL.md' && bytes !== undefined) {
        const conforming = await conformingSkill(bytes, protocolName(skill.entry));
        if (conforming.kind === 'refused') return { kind: 'left-out', reason: conforming.reason };
        if (conforming.mended !== undefined) {
          const message = `Its front matter is served written anew, as clients do not take it: ${conforming.mended}.`;
          this.#served.tell(skill, { code: 'refused', message });
        }
        ({ bytes, frontMatter } = conforming);
      }
      if (bytes === undefined) continue;
      listed.set(fileAddress(skill.root, path), { path, own, digest: this.#sha256(bytes), size: bytes.length });
    }
    const rest = excessOf([...listed.values()]);
    if (rest !== undefined) return { kind: 'left-out', reason: rest };
    if (frontMatter === undefined) return { kind: 'left-out', reason: 'it has no SKILL.md that can be read' };
    const resources = [...listed].map(([uri, { digest, size }]) => ({ uri, digest, size }));
    const sorted = resources.toSorted((left, right) => (left.uri < right.uri ? -1 : 1));
    const uri = fileAddress(skill.root, 'SKILL.md');
    const manifest = { skill: { uri, frontmatter: frontMatter, resources: sorted }, files: listed };
    return { kind: 'told', manifest, complete: listed.size === files.length };
  }

  /** A file that the registry refuses is not served, and keeps no other from being served. */
  async #readable(skill: ServedSkill, path: string): Promise<Uint8Array | undefined> {
    try {
      return await this.#bytes(skill, path, undefined);
    } catch (error) {
      if (!SkillsError.is(error)) throw error;
      this.#served.tell(skill, {
        code: 'unreadable',
        message: `It is served without ${quoted(path)}: ${error.message}`,
      });
      return undefined;
    }
  }

  async #bytes({ entry }: ServedSkill, path: string, signal: AbortSignal | undefined): Promise<Uint8Array> {
    return this.#served.registry.bytes(entry, path, { maxBytes: SKILL_LIMITS.bytes, signal });
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

/** What of a skill no client has to take. */
function excessOf(files: readonly Pick<NamedFile, 'size'>[]): string | undefined {
  if (files.length > SKILL_LIMITS.files)
    return `it has ${files.length} files; at most ${SKILL_LIMITS.files} are allowed`;
  const total = files.reduce((sum, { size }) => sum + size, 0);
  return total > SKILL_LIMITS.bytes
    ? `its files have ${total} bytes; at most ${SKILL_LIMITS.bytes} are allowed`
    : undefined;
}
