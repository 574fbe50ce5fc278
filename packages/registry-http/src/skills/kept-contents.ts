/** What was read stays in memory as long as there is room for it: what was used last. */
export class KeptContents<Contents> {
  readonly #memoryBytes: number;
  /** By key, the one that was used last at the end. */
  readonly #kept = new Map<string, { readonly contents: Contents; readonly bytes: number }>();
  #keptBytes = 0;

  /** @param memoryBytes how much stays, in bytes. */
  constructor(memoryBytes: number) {
    this.#memoryBytes = memoryBytes;
  }

  /** What is kept under a key, which counts as used now. */
  recall(key: string): Contents | undefined {
    const known = this.#kept.get(key);
    if (known === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, known);
    return known.contents;
  }

  /** Keeps something, of so many bytes, instead of what was not used for longest; nothing that is larger than all room. */
  keep(key: string, contents: Contents, bytes: number): void {
    if (bytes > this.#memoryBytes) return;
    this.#forget(key);
    this.#kept.set(key, { contents, bytes });
    this.#keptBytes += bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#keptBytes <= this.#memoryBytes) return;
      this.#forget(oldest);
    }
  }

  /** Forgets all but these. */
  retain(keys: ReadonlySet<string>): void {
    for (const key of this.#kept.keys()) if (!keys.has(key)) this.#forget(key);
  }

  #forget(key: string): void {
    this.#keptBytes -= this.#kept.get(key)?.bytes ?? 0;
    this.#kept.delete(key);
  }
}
