import type { Sha256 } from '../digest/digest.js';
import { messageOf } from '../errors/message-of.js';
import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';
import { textWithoutCredentials } from '../errors/without-credentials.js';
import { assembleRegistry } from './assemble-registry.js';
import { boundWatch } from './bound-watch.js';
import { checkListing } from './check-listing.js';
import { compareIndexes } from './compare-indexes.js';
import { FollowedBase } from './followed-base.js';
import { makeSkillIndex } from './make-skill-index.js';
import type { MappedListing } from './map-listing.js';
import type { RegistryOptions, SkillBackend, SkillListing } from './skill-backend.js';
import type { IndexProblem, SkillEntry, SkillIndex } from './skill-entry.js';
import type { RegistryChange, SkillRegistry } from './skill-registry.js';

/** What a registry that stands on others makes of one of them. */
export interface DerivedListing extends MappedListing {
  /** Those of the base itself are told already. @default [] */
  readonly problems?: readonly IndexProblem[] | undefined;
}

/** How a registry stands on others. */
export interface Derivation extends Pick<SkillBackend, 'kind'> {
  readonly bases: readonly SkillRegistry[];
  /** What is offered of a base, given its number. */
  derive(listing: SkillListing, base: number): DerivedListing;
  /**
   * Whether the base that this was made of says how skills are loaded and what the catalogue looks like; one that was not
   * read does not. @default it does, read or not
   */
  readonly speaks?: ((derived: DerivedListing) => boolean) | undefined;
  /** Another value when `derive` would answer otherwise for the same listing. @default it never would */
  readonly revision?: (() => number) | undefined;
  /** Calls back when `revision` has changed, until the function that it returns is called. @default never */
  readonly onRevision?: ((changed: () => void) => () => void) | undefined;
  readonly search?: SkillRegistry['search'] | undefined;
}

interface Origin {
  readonly registry: SkillRegistry;
  readonly entry: SkillEntry;
}

/** Why a base could not be read. */
class Failure {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

/**
 * A registry that offers what others do, in another way. It keeps no index of its own: what they offer decides. Of
 * several, one that cannot be read is a problem until `reload`, or until what watches its place tells of it; where all
 * fail, the first error is thrown.
 */
export function deriveRegistry(derivation: Derivation, ports: { readonly sha256: Sha256 }): SkillRegistry {
  const origins = new WeakMap<SkillEntry, Origin>();
  const derived = new DerivedIndex(derivation, ports.sha256, origins);
  const originOf = (entry: SkillEntry): Origin => {
    const origin = origins.get(entry);
    if (origin === undefined) throw new Error(`No registry stands behind ${entry.location}.`);
    return origin;
  };
  return assembleRegistry({
    kind: derivation.kind,
    get loadInstructions() {
      return derived.speaking.find((base) => base.loadInstructions !== undefined)?.loadInstructions;
    },
    get promptTemplate() {
      return derived.speaking.find((base) => base.promptTemplate !== undefined)?.promptTemplate;
    },
    list: async (options = {}) => derived.list(options),
    watch: watchOf(derivation.bases),
    index: async (options) => derived.index(options),
    reload: async (options) => derived.reload(options),
    subscribe: async (listener) => subscribe(derivation, derived, listener),
    search: derivation.search,
    searchText: derivation.bases.some(({ searchText }) => searchText !== undefined)
      ? async (skill, options) => {
          const { registry, entry } = originOf(skill);
          return registry.searchText?.(entry, options);
        }
      : undefined,
    files: async (skill, options) => {
      const { registry, entry } = originOf(skill);
      return registry.files(entry, options);
    },
    bytes: async (skill, path, options) => {
      const { registry, entry } = originOf(skill);
      return registry.bytes(entry, path, options);
    },
    body: async (skill, options) => {
      const { registry, entry } = originOf(skill);
      return registry.body(entry, options);
    },
    read: async (skill, path, options) => {
      const { registry, entry } = originOf(skill);
      return registry.read(entry, path, options);
    },
  });
}

/** What is offered of one base. */
interface Part extends SkillListing {
  readonly speaks?: boolean | undefined;
}

class DerivedIndex {
  readonly #derivation: Derivation;
  readonly #sha256: Sha256;
  readonly #origins: WeakMap<SkillEntry, Origin>;
  /** Another map after each reload: what was read before says nothing of what is so afterwards. */
  #failures: Map<SkillRegistry, Failure> = new Map();
  readonly #reloaded = new Set<() => void>();
  #known: { readonly of: readonly unknown[]; readonly index: SkillIndex } | undefined;
  /** Those bases that say how skills are loaded. */
  speaking: readonly SkillRegistry[];

  constructor(derivation: Derivation, sha256: Sha256, origins: WeakMap<SkillEntry, Origin>) {
    this.#derivation = derivation;
    this.#sha256 = sha256;
    this.#origins = origins;
    this.speaking = derivation.speaks === undefined ? derivation.bases : [];
  }

  async index(options: RegistryOptions = {}): Promise<SkillIndex> {
    const failures = this.#failures;
    return this.#make(await this.#readAll(async (base) => failures.get(base) ?? base.index(options), options));
  }

  async reload(options: RegistryOptions): Promise<SkillIndex> {
    this.#failures = new Map();
    const index = this.#make(await this.#readAll(async (base) => base.reload(options), options));
    for (const listener of this.#reloaded) listener();
    return index;
  }

  /** Calls back after each reload, until the function that it returns is called. */
  onReload(listener: () => void): () => void {
    this.#reloaded.add(listener);
    return () => void this.#reloaded.delete(listener);
  }

  isReadable(base: SkillRegistry): boolean {
    return !this.#failures.has(base);
  }

  /** Reads a base anew. @returns whether it can be read now */
  async retry(base: SkillRegistry): Promise<boolean> {
    try {
      checkListing(await base.reload(), base.kind);
    } catch {
      return false;
    }
    this.#failures = new Map([...this.#failures].filter(([failed]) => failed !== base));
    return true;
  }

  async list(options: RegistryOptions): Promise<SkillListing> {
    return joined(this.#parts(await this.#readAll(async (base) => base.list(options), options)));
  }

  async #readAll(
    read: (base: SkillRegistry) => Promise<SkillListing | Failure>,
    { signal }: RegistryOptions,
  ): Promise<readonly (SkillListing | Failure)[]> {
    const { bases } = this.#derivation;
    const known = this.#failures;
    const results = await Promise.all(
      bases.map(async (base) => {
        try {
          const result = await read(base);
          return isFailure(result) ? result : checkListing(result, base.kind);
        } catch (error) {
          // A base that says so of itself has failed like any other.
          if (signal?.aborted === true && SkillsError.is(error, 'INTERRUPTED')) throw error;
          return new Failure(error);
        }
      }),
    );
    const failures = results.filter(isFailure);
    if (failures.length > 0 && failures.length === results.length) throw failures[0]?.error;
    for (const [at, result] of results.entries()) {
      const base = bases[at];
      if (base !== undefined && isFailure(result)) known.set(base, result);
    }
    return results;
  }

  #make(results: readonly (SkillListing | Failure)[]): SkillIndex {
    const of = [...results, this.#derivation.revision?.()];
    const known = this.#known;
    if (known !== undefined && of.every((one, at) => one === known.of[at])) return known.index;
    const parts = this.#parts(results);
    const index = makeSkillIndex(joined(parts), this.#sha256);
    const { bases, speaks } = this.#derivation;
    if (speaks !== undefined) this.speaking = bases.filter((_, at) => parts[at]?.speaks === true);
    this.#known = { of, index };
    return index;
  }

  #parts(results: readonly (SkillListing | Failure)[]): readonly Part[] {
    return results.map((result, at) => this.#part(result, at));
  }

  #part(result: SkillListing | Failure, at: number): Part {
    const registry = this.#derivation.bases[at];
    if (registry === undefined) return { skills: [] };
    if (isFailure(result)) return { skills: [], problems: [unreadable(registry, result)] };
    const derived = this.#derivation.derive(result, at);
    const { skills, shadowed, problems = [] } = derived;
    for (const { entry, origin } of [...skills, ...shadowed]) this.#origins.set(entry, { registry, entry: origin });
    return {
      skills: skills.map(({ entry }) => entry),
      shadowed: shadowed.map(({ entry, by }) => ({ entry, by })),
      problems: [...(result.problems ?? []), ...problems],
      speaks: this.#derivation.speaks?.(derived),
    };
  }
}

function joined(parts: readonly Part[]): SkillListing {
  return {
    skills: parts.flatMap(({ skills }) => skills),
    shadowed: parts.flatMap(({ shadowed }) => shadowed ?? []),
    problems: parts.flatMap(({ problems }) => problems ?? []),
  };
}

function isFailure(result: SkillListing | Failure): result is Failure {
  return result instanceof Failure;
}

function unreadable({ kind }: SkillRegistry, { error }: Failure): IndexProblem {
  return {
    code: 'unreadable',
    location: kind,
    message: `The skills of ${quoted(kind)} cannot be read: ${quoted(textWithoutCredentials(messageOf(error)))}.`,
  };
}

async function subscribe(
  { bases, onRevision }: Derivation,
  derived: DerivedIndex,
  listener: (change: RegistryChange) => void,
): Promise<AsyncDisposable> {
  let last = await derived.index();
  let open = true;
  let begun = 0;
  let seen = 0;
  const look = async (): Promise<void> => {
    begun += 1;
    const number = begun;
    const now = await derived.index();
    // One that began later saw what is newer.
    if (number < seen) return;
    seen = number;
    const change = compareIndexes(last, now);
    last = now;
    if (open && change !== undefined) listener(change);
  };
  // Whoever reads the index next is told what is wrong with it.
  const changed = (): void => void look().catch(() => undefined);
  const followed = await followAll(bases, derived, changed);
  const stop = onRevision?.(changed);
  return {
    [Symbol.asyncDispose]: async () => {
      open = false;
      stop?.();
      await followed[Symbol.asyncDispose]();
    },
  };
}

/** All bases as one; of several, one that cannot be followed yet is as soon as it can. @throws the first error, where none can. */
async function followAll(
  bases: readonly SkillRegistry[],
  derived: DerivedIndex,
  changed: () => void,
): Promise<AsyncDisposable> {
  const followed = [...new Set(bases)].map((base) => ({
    base,
    following: new FollowedBase(base, { changed, retry: async () => derived.retry(base) }),
  }));
  const settled = await Promise.allSettled(followed.map(async ({ following }) => following.follow()));
  const failed = settled.filter((one) => one.status === 'rejected');
  if (failed[0] !== undefined && failed.length === followed.length) throw failed[0].reason;
  const left = followed.filter((_, at) => settled[at]?.status === 'rejected');
  await Promise.all(left.map(async ({ following }) => following.lookOut()));
  const stop = derived.onReload(() => {
    for (const { base, following } of followed) following.tryAgain(async () => derived.isReadable(base));
    changed();
  });
  return {
    [Symbol.asyncDispose]: async () => {
      stop();
      await Promise.all(followed.map(async ({ following }) => following[Symbol.asyncDispose]()));
    },
  };
}

function watchOf(bases: readonly SkillRegistry[]): SkillBackend['watch'] {
  const watches = bases.flatMap((base) => boundWatch(base) ?? []);
  if (watches.length === 0) return undefined;
  return async (changed) => openAll(watches.map(async (watch) => watch(changed)));
}

/**
 * All of them as one; of several, one that fails is left out, since the index has a problem that says so.
 *
 * @throws the first error, where all fail.
 */
async function openAll(opening: readonly Promise<AsyncDisposable>[]): Promise<AsyncDisposable> {
  const settled = await Promise.allSettled(opening);
  const opened = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const close = async (): Promise<void> => {
    await Promise.all(opened.map(async (one) => one[Symbol.asyncDispose]()));
  };
  const failed = settled.find((one) => one.status === 'rejected');
  if (failed !== undefined && opened.length === 0) throw failed.reason;
  return { [Symbol.asyncDispose]: close };
}
