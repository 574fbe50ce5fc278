import { manifestFileName } from '@skillpack/core';
import { isLitter, skillFileName } from './archive-layout.js';
import { maxPeek } from './scanned-archive.js';

/**
 * Keeps, of files that stream past, those that may tell what the archive is: manifest.json at the root, and
 * manifest.json and SKILL.md in the first folder as long as no second one shows that it encloses nothing.
 */
export class PeekedFiles {
  readonly #kept = new Map<string, Buffer[]>();
  #folder: string | undefined;
  #several = false;
  #current: Buffer[] | undefined;

  /** A file begins. */
  start(path: string, size: number): void {
    this.#current = undefined;
    if (isLitter(path)) return;
    const [top = '', second, ...rest] = path.split('/');
    if (second === undefined) this.#several ||= top !== manifestFileName;
    else this.#enter(top);
    const wanted =
      path === manifestFileName ||
      (!this.#several && rest.length === 0 && (second === manifestFileName || second === skillFileName));
    if (!wanted || size > maxPeek) return;
    this.#current = [];
    this.#kept.set(path, this.#current);
  }

  /** The next bytes of the file that began last. */
  data(bytes: Buffer): void {
    this.#current?.push(Buffer.from(bytes));
  }

  bytesOf(path: string): Buffer | undefined {
    const parts = this.#kept.get(path);
    return parts === undefined ? undefined : Buffer.concat(parts);
  }

  #enter(folder: string): void {
    this.#folder ??= folder;
    if (this.#folder === folder || this.#several) return;
    this.#several = true;
    for (const path of this.#kept.keys()) if (path !== manifestFileName) this.#kept.delete(path);
  }
}
