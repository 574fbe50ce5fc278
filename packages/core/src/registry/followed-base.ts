import { boundWatch } from './bound-watch.js';
import type { SkillRegistry } from './skill-registry.js';

/** Who follows a base, and how it is read again. */
export interface BaseFollower {
  /** Called when what the base offers may have changed. */
  readonly changed: () => void;
  /** Reads the base anew. @returns whether it can be read now */
  readonly retry: () => Promise<boolean>;
}

/** A base that is followed until disposed. One that cannot be followed yet is looked out for, and followed once it can be. */
export class FollowedBase implements AsyncDisposable {
  readonly #base: SkillRegistry;
  readonly #follower: BaseFollower;
  #subscription: AsyncDisposable | undefined;
  #watch: AsyncDisposable | undefined;
  #working: Promise<void> = Promise.resolve();
  #ended = false;

  constructor(base: SkillRegistry, follower: BaseFollower) {
    this.#base = base;
    this.#follower = follower;
  }

  /** @throws what `subscribe` of the base throws, most often that it cannot be read. */
  async follow(): Promise<void> {
    const subscription = await this.#base.subscribe(this.#follower.changed);
    if (this.#ended) await subscription[Symbol.asyncDispose]();
    else this.#subscription = subscription;
  }

  /** From now on, what happens in the place of a base that cannot be followed has it read again; where nothing tells, only `tryAgain` does. */
  async lookOut(): Promise<void> {
    this.#watch = await boundWatch(this.#base)?.(() => this.tryAgain(this.#follower.retry)).catch(() => undefined);
  }

  /** Follows the base where it is not followed yet and can be read. */
  tryAgain(readable: () => Promise<boolean>): void {
    // One after the other: the first that succeeds is the last.
    this.#working = this.#working.then(async () => this.#try(readable)).catch(() => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    const open = [this.#subscription, this.#watch];
    this.#subscription = undefined;
    this.#watch = undefined;
    await Promise.all(open.map(async (one) => one?.[Symbol.asyncDispose]()));
  }

  async #try(readable: () => Promise<boolean>): Promise<void> {
    if (this.#ended || this.#subscription !== undefined || !(await readable())) return;
    try {
      await this.follow();
      const watch = this.#watch;
      this.#watch = undefined;
      await watch?.[Symbol.asyncDispose]();
    } finally {
      // It can be read, whether it can be followed or not.
      this.#follower.changed();
    }
  }
}
