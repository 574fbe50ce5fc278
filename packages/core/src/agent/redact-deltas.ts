import { unbrokenLength, withoutEscapes, writtenLength } from './record/json-escapes.js';
import { isSettled, settledLength } from './record/settled-length.js';
import { redactPart } from './redact-answer.js';

/**
 * Tells the answer of a model while it arrives, without secrets: what could be the beginning of one is held back until it
 * is known to be none. The pieces together are the answer that the record holds; where nobody knows what a function
 * takes out, they are one, at the end.
 */
export class DeltaRedactor {
  readonly #redact: (text: string) => string;
  readonly #tell: (delta: string) => void;
  #held = '';
  /** How long what is held has to be before it is looked at again: else a long word would take quadratic time. */
  #patience = 0;
  #told = '';
  #changed = false;
  #begun = false;

  constructor(redact: (text: string) => string, tell: (delta: string) => void) {
    this.#redact = redact;
    this.#tell = tell;
  }

  push(delta: string): void {
    this.#begun = true;
    this.#held += delta;
    if (this.#held.length < this.#patience) return;
    const settled = this.#settled();
    this.#patience = (this.#held.length - settled) * growth;
    if (settled === 0) return;
    const { text, changed } = redactPart(this.#held.slice(0, settled), this.#redact, { changed: this.#changed });
    this.#held = this.#held.slice(settled);
    this.#changed = changed;
    this.#emit(text.toWellFormed());
  }

  /**
   * Tells the rest, of a model that told anything while it wrote.
   *
   * @param answer as the record holds it. What was told is its beginning, else nothing more is told.
   */
  end(answer: string): void {
    if (this.#begun && answer.startsWith(this.#told)) this.#emit(answer.slice(this.#told.length));
  }

  /** How much of what is held can be told. */
  #settled(): number {
    const unbroken = this.#held.slice(0, unbrokenLength(this.#held));
    // Within a JSON text that is in another, a secret may have escapes which only whoever reads that one sees.
    const nested = /\\\\[\\/u]/u.exec(unbroken);
    const readable = nested === null ? unbroken : unbroken.slice(0, nested.index);
    const length = settledLength(withoutEscapes(readable), this.#redact);
    const written = length === 0 ? 0 : writtenLength(readable, length);
    // As it is written, with its escapes, it is redacted, too.
    return isSettled(readable, written, this.#redact) ? written : 0;
  }

  #emit(delta: string): void {
    if (delta === '') return;
    this.#told += delta;
    this.#tell(delta);
  }
}

const growth = 1.25;
