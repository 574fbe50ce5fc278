import { messageOf } from '../errors/message-of.js';
import { quoted } from '../errors/quoted.js';
import { textWithoutCredentials } from '../errors/without-credentials.js';
import { compareIndexes } from './compare-indexes.js';
import type { RegistryOptions, SkillBackend } from './skill-backend.js';
import type { SkillIndex } from './skill-entry.js';
import type { RegistryChange } from './skill-registry.js';
import { untilAborted } from '../errors/until-aborted.js';

interface Load {
  readonly result: Promise<SkillIndex>;
  readonly controller: AbortController;
  waiting: number;
}

/** Where an index comes from. */
export interface IndexSource extends Pick<SkillBackend, 'kind' | 'watch'> {
  /** Reads it. */
  read(options: RegistryOptions): Promise<SkillIndex>;
  /** What is offered before it was read for the first time. @default undefined, it is read when it is asked for */
  readonly before?: SkillIndex | undefined;
}

/** The last good index of a source: read once however many ask, kept until it is read anew, not lost by a failure. */
export class KeptIndex {
  readonly #source: IndexSource;
  readonly #listeners = new Set<(change: RegistryChange) => void>();
  #kept: SkillIndex | undefined;
  #everRead = false;
  #running: Load | undefined;
  #next: Load | undefined;
  #watching: Promise<AsyncDisposable> | undefined;

  constructor(source: IndexSource) {
    this.#source = source;
    this.#kept = source.before;
  }

  async index(options: RegistryOptions = {}): Promise<SkillIndex> {
    return this.#kept ?? this.refresh(options);
  }

  /** Reads anew, or waits for a load that runs already. */
  async refresh(options: RegistryOptions = {}): Promise<SkillIndex> {
    return this.#wait(this.#running ?? this.#next ?? this.#start(), options);
  }

  /** Never joins a load that began before it was called: that may have missed what is to be seen. */
  async reload(options: RegistryOptions = {}): Promise<SkillIndex> {
    const running = this.#running;
    // One that follows another has not begun yet, even where the other has just ended.
    if (running === undefined) return this.#wait(this.#next ?? this.#start(), options);
    return this.#wait((this.#next ??= this.#startAfter(running.result)), options);
  }

  async subscribe(listener: (change: RegistryChange) => void): Promise<AsyncDisposable> {
    await this.index();
    const own = (change: RegistryChange): void => listener(change);
    this.#listeners.add(own);
    try {
      await (this.#watching ??= this.#source.watch?.(() => void this.reload().catch(ignore)));
    } catch (error) {
      this.#listeners.delete(own);
      this.#watching = undefined;
      throw error;
    }
    return { [Symbol.asyncDispose]: async () => this.#unsubscribe(own) };
  }

  async #unsubscribe(listener: (change: RegistryChange) => void): Promise<void> {
    if (!this.#listeners.delete(listener) || this.#listeners.size > 0) return;
    const watching = this.#watching;
    this.#watching = undefined;
    await (await watching)?.[Symbol.asyncDispose]();
  }

  #start(): Load {
    const load = this.#makeLoad(async (signal) => this.#load(signal));
    return (this.#running = load);
  }

  #startAfter(before: Promise<unknown>): Load {
    const load = this.#makeLoad(async (signal) => {
      await before.catch(ignore);
      this.#running = load;
      this.#next = undefined;
      return this.#load(signal);
    });
    return load;
  }

  #makeLoad(work: (signal: AbortSignal) => Promise<SkillIndex>): Load {
    const controller = new AbortController();
    const result = work(controller.signal).finally(() => this.#end(load));
    const load: Load = { controller, result, waiting: 0 };
    // Where nobody waits any more, nobody is told.
    result.catch(ignore);
    return load;
  }

  #end(load: Load): void {
    if (this.#running === load) this.#running = undefined;
    if (this.#next === load) this.#next = undefined;
  }

  async #load(signal: AbortSignal): Promise<SkillIndex> {
    try {
      const read = await untilAborted(async () => this.#source.read({ signal }), signal);
      const before = this.#kept;
      this.#kept = read;
      this.#everRead = true;
      if (before !== undefined) this.#announce(before, this.#kept);
      return this.#kept;
    } catch (error) {
      if (this.#kept === undefined || !this.#everRead || signal.aborted) throw error;
      return (this.#kept = withStale(this.#kept, this.#source.kind, error));
    }
  }

  #announce(before: SkillIndex, after: SkillIndex): void {
    if (this.#listeners.size === 0) return;
    const change = compareIndexes(before, after);
    if (change === undefined) return;
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch {
        // What one listener does wrong is kept from the others, and from whoever reads the index.
      }
    }
  }

  /** A load goes on as long as anybody waits for it. */
  async #wait(load: Load, { signal }: RegistryOptions): Promise<SkillIndex> {
    load.waiting += 1;
    try {
      return await untilAborted(async () => load.result, signal);
    } finally {
      load.waiting -= 1;
      if (load.waiting === 0 && signal?.aborted === true) {
        this.#end(load);
        load.controller.abort(signal.reason);
      }
    }
  }
}

function withStale(index: SkillIndex, kind: string, error: unknown): SkillIndex {
  return {
    skills: index.skills,
    shadowed: index.shadowed,
    problems: [
      ...index.problems.filter(({ code, location }) => code !== 'stale' || location !== kind),
      {
        code: 'stale',
        location: kind,
        message: `The skills could not be read again, ${quoted(textWithoutCredentials(messageOf(error)))}; those of before are shown.`,
      },
    ],
    get hash() {
      return index.hash;
    },
  };
}

function ignore(): void {
  // Whoever asked for it is told.
}
