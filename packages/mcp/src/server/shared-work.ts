interface Running<Value> {
  readonly result: Promise<Value>;
  next: Promise<Value> | undefined;
}

/** Work that many ask for at once: it is done once for all who wait, and once more for those who came while it was done. */
export class SharedWork<Key extends object, Value> {
  readonly #running = new WeakMap<Key, Running<Value>>();

  /** @param fresh whether what was begun before may have missed what is to be seen. */
  async run(key: Key, work: () => Promise<Value>, fresh: boolean): Promise<Value> {
    const running = this.#running.get(key);
    if (running === undefined) return this.#start(key, work);
    if (!fresh) return running.result;
    return (running.next ??= running.result.then(ignore, ignore).then(async () => this.#start(key, work)));
  }

  async #start(key: Key, work: () => Promise<Value>): Promise<Value> {
    const running: Running<Value> = { result: work(), next: undefined };
    this.#running.set(key, running);
    try {
      return await running.result;
    } finally {
      if (this.#running.get(key) === running) this.#running.delete(key);
    }
  }
}

function ignore(): void {
  // Whoever asked for it is told.
}
