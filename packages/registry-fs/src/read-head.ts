import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  defaultSkillLimits,
  parseSkillHead,
  type ParseSkillOptions,
  type SkillHead,
  type SkillLimits,
  type SkillParse,
} from '@skillpack/core';
import { errnoOf } from './errno.js';
import type { IgnoredReason } from './scan-report.js';

/** What came of reading the front matter of a file on the disk. */
export type ReadHead =
  | { readonly kind: 'parsed'; readonly parse: SkillParse<SkillHead> }
  | { readonly kind: 'ignored'; readonly reason: IgnoredReason; readonly message: string };

const firstRead = 8 * 1024;
// Beyond the front matter itself: what may stand before it, and both delimiters.
const slack = 4 * 1024;

/** Reads the front matter of SKILL.md files, and no more of each than that takes. */
export class HeadReader {
  readonly #limits: SkillLimits;
  readonly #options: ParseSkillOptions;
  readonly #buffer: Uint8Array;

  constructor(options: ParseSkillOptions) {
    this.#limits = { ...defaultSkillLimits, ...options.limits };
    this.#options = options;
    this.#buffer = new Uint8Array(this.#limits.frontMatterBytes + slack);
  }

  /**
   * @param file absolute.
   * @param around the skill's folder by name, its real path, and the file's name.
   */
  read(
    file: string,
    around: { readonly folder: string; readonly realPath: string; readonly fileName: string },
  ): ReadHead {
    let descriptor: number | undefined;
    try {
      if (lstatSync(file).isSymbolicLink() && dirname(realpathSync(file)) !== around.realPath) {
        return { kind: 'ignored', reason: 'link-outside', message: 'Its SKILL.md is a link that leads out of it.' };
      }
      // Without O_NONBLOCK, opening a pipe waits for a writer for ever. Windows has neither.
      descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      const stat = fstatSync(descriptor);
      if (!stat.isFile()) return { kind: 'ignored', reason: 'not-a-file', message: 'Its SKILL.md is not a file.' };
      if (stat.size > this.#limits.fileBytes) {
        const message = `Its SKILL.md has ${stat.size} bytes; at most ${this.#limits.fileBytes} are read.`;
        return { kind: 'ignored', reason: 'too-large', message };
      }
      return { kind: 'parsed', parse: this.#parse(descriptor, { size: stat.size, ...around }) };
    } catch (error) {
      const code = errnoOf(error);
      return code === 'ENOENT' || code === 'ELOOP'
        ? { kind: 'ignored', reason: 'broken-link', message: 'Its SKILL.md is a link that leads nowhere.' }
        : { kind: 'ignored', reason: 'unreadable', message: `The system does not read its SKILL.md (${code}).` };
    } finally {
      if (descriptor !== undefined) closeSync(descriptor);
    }
  }

  #parse(
    descriptor: number,
    { size, folder, fileName }: { readonly size: number; readonly folder: string; readonly fileName: string },
  ): SkillParse<SkillHead> {
    const options = { ...this.#options, folder, fileName };
    const begun = this.#fill(descriptor, 0, Math.min(firstRead, this.#buffer.length));
    const first = parseSkillHead(this.#buffer.subarray(0, begun), { ...options, partial: begun < size });
    if (begun >= size || endsInside(first)) return first;
    const filled = this.#fill(descriptor, begun, this.#buffer.length);
    return parseSkillHead(this.#buffer.subarray(0, filled), { ...options, partial: filled < size });
  }

  #fill(descriptor: number, from: number, to: number): number {
    let filled = from;
    while (filled < to) {
      const count = readSync(descriptor, this.#buffer, filled, to - filled, filled);
      if (count === 0) break;
      filled += count;
    }
    return filled;
  }
}

/** Whether the front matter was closed by a line within what was read, rather than by its end. */
function endsInside({ kind, diagnostics }: SkillParse<SkillHead>): boolean {
  return (
    kind === 'skill' && !diagnostics.some(({ code }) => code === 'front-matter-unclosed' || code === 'delimiter-odd')
  );
}
