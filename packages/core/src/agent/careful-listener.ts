/** Listeners of whoever asked: what one throws ends nothing, and is thrown once all is done. */
export class CarefulListener {
  #thrown: { readonly error: unknown } | undefined;

  /** One that is told no more once it threw. */
  wrap<Told extends readonly unknown[]>(
    listen: ((...told: Told) => void) | undefined,
  ): ((...told: Told) => void) | undefined {
    if (listen === undefined) return undefined;
    let listening = true;
    return (...told) => {
      if (!listening) return;
      try {
        listen(...told);
      } catch (error) {
        listening = false;
        this.#thrown ??= { error };
      }
    };
  }

  /** @throws what a listener threw. */
  check(): void {
    if (this.#thrown !== undefined) throw this.#thrown.error;
  }
}
