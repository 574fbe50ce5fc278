import {
  createSkillRegistry,
  quoted,
  SkillsError,
  visibleText,
  type IndexProblem,
  type RegistryOptions,
  type SkillBackend,
  type SkillEntry,
  type SkillFile,
  type SkillIndex,
  type SkillRegistry,
} from '@skillpack/core';
import { hasOwnName, SkillAddresses } from './skill-address.js';
import type { SkillsServerOptions, SkillsServerPorts } from './skills-server-options.js';

/** A skill that is served. */
export interface ServedSkill {
  /** As tools and prompts have it. */
  readonly entry: SkillEntry;
  /** As the registry has it. */
  readonly original: SkillEntry;
  /** What its addresses begin with: `skill://org/pdf`. */
  readonly root: string;
}

/** What is served at one moment. */
export interface ServedIndex {
  readonly index: SkillIndex;
  /** By root, in the order of the roots. */
  readonly skills: ReadonlyMap<string, ServedSkill>;
}

/** What of a registry is served: what the options allow of it, at addresses that say nothing of this machine. */
export class ServedSkills {
  /** What tools and prompts read. */
  readonly registry: SkillRegistry;
  readonly #base: SkillRegistry;
  readonly #options: SkillsServerOptions;
  /** By entry: what the registry has read anew is told of anew. */
  readonly #told = new WeakMap<SkillEntry, ReadonlySet<string>>();
  /** Of the files that the registry named, by entry. */
  readonly #paths = new WeakMap<SkillEntry, ReadonlySet<string>>();
  #listed: ReadonlyMap<string, ServedSkill> = new Map();
  #current: (ServedIndex & { readonly of: SkillIndex }) | undefined;

  constructor(registry: SkillRegistry, ports: SkillsServerPorts, options: SkillsServerOptions) {
    this.#base = registry;
    this.#options = options;
    this.registry = createSkillRegistry(this.#backend(), ports, {
      searchBodies: registry.searchText !== undefined,
    });
  }

  /** What is served now: the registry behind it may have been read anew since the last call. */
  async current({ signal }: RegistryOptions = {}): Promise<ServedIndex> {
    const of = await this.#index({ signal });
    if (this.#current?.of === of) return this.#current;
    const index = await this.registry.reload({ signal });
    const skills = [...this.#listed.values()].toSorted((left, right) => (left.root < right.root ? -1 : 1));
    this.#current = { of, index, skills: new Map(skills.map((skill) => [skill.root, skill])) };
    return this.#current;
  }

  async #index(options: RegistryOptions): Promise<SkillIndex> {
    try {
      return await this.#base.index(options);
    } catch (error) {
      if (SkillsError.is(error, 'INTERRUPTED')) throw error;
      this.#options.onProblem?.({
        code: 'unreadable',
        location: this.#base.kind,
        message: visibleText(messageOf(error)),
      });
      throw this.#wordsFor(error, 'The skills cannot be read');
    }
  }

  #backend(): SkillBackend {
    const base = this.#base;
    const { promptTemplate } = base;
    return {
      kind: base.kind,
      ...(promptTemplate === undefined ? {} : { promptTemplate }),
      list: async (options) => {
        this.#listed = this.#list((await this.#index(options)).skills);
        return { skills: [...this.#listed.values()].map(({ entry }) => entry) };
      },
      files: async (skill, options) => {
        const found = this.#find(skill);
        return (await this.#files(found, options)).filter(({ path }) => this.#allows(found.original, path));
      },
      bytes: async (skill, path, options) => {
        const found = this.#find(skill);
        if (!(await this.#offers(found, path, options))) {
          throw new SkillsError('FILE_NOT_FOUND', `The skill ${quoted(skill.name)} has no file ${quoted(path)}.`);
        }
        return this.#read(found, quoted(path), async () => base.bytes(found.original, path, options));
      },
    };
  }

  #list(skills: readonly SkillEntry[]): ReadonlyMap<string, ServedSkill> {
    const addresses = new SkillAddresses();
    const listed = new Map<string, ServedSkill>();
    const allowed = skills.filter((skill) => this.#allows(skill, 'SKILL.md'));
    // Whoever has its name as it is keeps its address, whoever else comes.
    for (const original of allowed.toSorted((left, right) => Number(hasOwnName(right)) - Number(hasOwnName(left)))) {
      const root = addresses.add(original);
      const entry = this.#options.showFolders === true ? original : { ...original, location: root };
      listed.set(entry.location, { entry, original, root });
    }
    return listed;
  }

  #find({ name, location }: SkillEntry): ServedSkill {
    const found = this.#listed.get(location);
    if (found !== undefined) return found;
    throw new SkillsError('SKILL_NOT_FOUND', `The skill ${quoted(name)} is not served (any more).`);
  }

  async #files(skill: ServedSkill, options: RegistryOptions): Promise<readonly SkillFile[]> {
    const { original } = skill;
    const files = await this.#read(skill, 'The list of files', async () => this.#base.files(original, options));
    this.#paths.set(original, new Set(files.map(({ path }) => path)));
    return files;
  }

  /** A registry may have a file under other ways to write its name, too, of which a policy knows nothing. */
  async #offers(skill: ServedSkill, path: string, options: RegistryOptions): Promise<boolean> {
    const { original } = skill;
    if (!this.#allows(original, path)) return false;
    if (this.#options.allows === undefined || this.#paths.get(original)?.has(path) === true) return true;
    return (await this.#files(skill, options)).some((file) => file.path === path);
  }

  #allows(skill: SkillEntry, path: string): boolean {
    return this.#options.allows?.(skill, path) ?? true;
  }

  /** Tells `onProblem` of a skill, once for each time that the registry is read. */
  tell({ entry, original }: ServedSkill, { code, message }: Pick<IndexProblem, 'code' | 'message'>): void {
    const told = this.#told.get(original) ?? new Set();
    if (told.has(message)) return;
    this.#told.set(original, new Set([...told, message]));
    this.#options.onProblem?.({ code, location: entry.location, message: visibleText(message) });
  }

  /** A client reads what went wrong; where it may not learn of folders, not in the words of a file system. */
  async #read<Value>(skill: ServedSkill, what: string, read: () => Promise<Value>): Promise<Value> {
    try {
      return await read();
    } catch (error) {
      const code = SkillsError.is(error) ? error.code : 'REGISTRY_ERROR';
      if (code === 'INTERRUPTED' || code === 'FILE_NOT_FOUND') throw error;
      this.tell(skill, { code: 'unreadable', message: `${what} cannot be read: ${messageOf(error)}` });
      throw this.#wordsFor(error, `${what} of the skill ${quoted(skill.entry.name)} cannot be read`);
    }
  }

  #wordsFor(error: unknown, message: string): SkillsError {
    const code = SkillsError.is(error) ? error.code : 'REGISTRY_ERROR';
    const reason = this.#options.showFolders === true ? `: ${quoted(messageOf(error))}` : '';
    return new SkillsError(code, `${message}${reason}.`, { cause: error });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
