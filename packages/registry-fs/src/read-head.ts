import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  defaultSkillLimits,
  parseSimpleSkillHead,
  type ParseSkillOptions,
  type SkillHead,
  type SkillLimits,
  type SkillParse,
} from '@skillpack/core/listing';
import { entryPath } from './entry-path.js';
import { errnoOf } from './errno.js';
import { identityOf } from './file-identity.js';
import { lstatOrNothing } from './lstat-or-nothing.js';
import type { ScanCache } from './scan-cache.js';
import type { IgnoredReason } from './scan-report.js';
import type { SkillStep, WalkedFolder } from './walk-root.js';

/** What came of reading the front matter of a file on the disk. */
export type ReadHead =
  | { readonly kind: 'parsed'; readonly parse: SkillParse<SkillHead> }
  | { readonly kind: 'ignored'; readonly reason: IgnoredReason; readonly message: string }
  /** It takes the YAML library: {@link HeadReader.loadLibrary}, and read again. */
  | { readonly kind: 'declined' };

const firstRead = 4 * 1024;
// Beyond the front matter itself: what may stand before it, and both delimiters.
const slack = 4 * 1024;
const opening = Buffer.from('---\n');
const closing = Buffer.from('\n---\n');
// Without O_NONBLOCK, opening a pipe waits for a writer for ever. Windows has neither.
const reading = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Reads the front matter of SKILL.md files, and no more of each than that takes. */
export class HeadReader {
  readonly #limits: SkillLimits;
  readonly #options: ParseSkillOptions;
  readonly #cache: ScanCache | undefined;
  readonly #buffer: Buffer;
  #parse: typeof parseSimpleSkillHead = parseSimpleSkillHead;
  #recalled: { readonly place: string; readonly head: Uint8Array } | undefined;

  constructor(options: ParseSkillOptions, cache: ScanCache | undefined) {
    this.#limits = { ...defaultSkillLimits, ...options.limits };
    this.#options = options;
    this.#cache = cache;
    this.#buffer = Buffer.allocUnsafe(this.#limits.frontMatterBytes + slack);
  }

  /** Most scans need no YAML library, which takes longer to load than hundreds of skills to read. */
  async loadLibrary(): Promise<void> {
    this.#parse = (await import('./full-parser.js')).parseSkillHead;
  }

  /** Whether a folder holds a SKILL.md that the cache knows, as it was. The next folder to be read is this one. */
  recall({ path, place }: WalkedFolder): boolean {
    this.#recalled = undefined;
    if (this.#cache?.has(place) !== true) return false;
    const stat = lstatOrNothing(entryPath(path, 'SKILL.md'));
    if (stat?.isFile() !== true || stat.size > this.#limits.fileBytes) return false;
    const head = this.#cache.recall(place, identityOf(stat));
    if (head !== undefined) this.#recalled = { place, head };
    return head !== undefined;
  }

  read(step: SkillStep): ReadHead {
    const { place, name, fileName } = step;
    const options = { ...this.#options, folder: name, fileName };
    if (this.#recalled?.place === place) return asRead(this.#parse(this.#recalled.head, options));
    let descriptor: number | undefined;
    try {
      const opened = openSkillFile(step);
      if (opened === undefined) {
        return { kind: 'ignored', reason: 'link-outside', message: 'Its SKILL.md is a link that leads out of it.' };
      }
      ({ descriptor } = opened);
      const stat = fstatSync(descriptor);
      if (!stat.isFile()) return { kind: 'ignored', reason: 'not-a-file', message: 'Its SKILL.md is not a file.' };
      if (stat.size > this.#limits.fileBytes) {
        const message = `Its SKILL.md has ${stat.size} bytes; at most ${this.#limits.fileBytes} are read.`;
        return { kind: 'ignored', reason: 'too-large', message };
      }
      const { head, parse } = this.#readOpened(descriptor, stat.size, options);
      if (head !== undefined && !opened.linked && fileName === 'SKILL.md' && isVisible(parse)) {
        this.#cache?.remember(place, identityOf(stat), head);
      }
      return asRead(parse);
    } catch (error) {
      const code = errnoOf(error);
      return code === 'ENOENT' || code === 'ELOOP'
        ? { kind: 'ignored', reason: 'broken-link', message: 'Its SKILL.md is a link that leads nowhere.' }
        : { kind: 'ignored', reason: 'unreadable', message: `The system does not read its SKILL.md (${code}).` };
    } finally {
      if (descriptor !== undefined) closeSync(descriptor);
    }
  }

  /** `head`: the bytes that say all of it, where the front matter stands between two proper lines of ---. */
  #readOpened(
    descriptor: number,
    size: number,
    options: ParseSkillOptions,
  ): { readonly parse: SkillParse<SkillHead> | undefined; readonly head?: Uint8Array | undefined } {
    const begun = this.#fill(descriptor, { from: 0, to: Math.min(firstRead, this.#buffer.length), size });
    const head = this.#properHead(begun);
    if (head !== undefined) return { head, parse: this.#parse(head, options) };
    const first = this.#parse(this.#buffer.subarray(0, begun), { ...options, partial: begun < size });
    if (begun >= size || first === undefined || endsInside(first)) return { parse: first };
    const filled = this.#fill(descriptor, { from: begun, to: this.#buffer.length, size });
    const more = this.#properHead(filled);
    if (more !== undefined) return { head: more, parse: this.#parse(more, options) };
    return { parse: this.#parse(this.#buffer.subarray(0, filled), { ...options, partial: filled < size }) };
  }

  #properHead(filled: number): Uint8Array | undefined {
    if (filled < opening.length || this.#buffer.compare(opening, 0, opening.length, 0, opening.length) !== 0) {
      return undefined;
    }
    const at = this.#buffer.subarray(0, filled).indexOf(closing, opening.length - 1);
    return at === -1 ? undefined : this.#buffer.subarray(0, at + closing.length);
  }

  #fill(
    descriptor: number,
    { from, to, size }: { readonly from: number; readonly to: number; readonly size: number },
  ): number {
    let filled = from;
    while (filled < to) {
      const count = readSync(descriptor, this.#buffer, filled, to - filled, filled);
      filled += count;
      // Files that the system makes up as they are read say that they have no bytes.
      if (count === 0 || (size > 0 && filled >= size)) break;
    }
    return filled;
  }
}

// What nobody can see is written to no file but that of its author.
function isVisible(parse: SkillParse<SkillHead> | undefined): boolean {
  return (
    parse?.diagnostics.every(({ code }) => code !== 'invisible-character' && code !== 'control-character') === true
  );
}

function asRead(parse: SkillParse<SkillHead> | undefined): ReadHead {
  return parse === undefined ? { kind: 'declined' } : { kind: 'parsed', parse };
}

/** Opens the file of a skill, through a link only where that stays in its folder; `undefined` where it leads out. */
function openSkillFile({
  path,
  realPath,
  fileName,
}: SkillStep): { readonly descriptor: number; readonly linked: boolean } | undefined {
  const file = entryPath(path, fileName);
  const { O_NOFOLLOW } = constants;
  if (O_NOFOLLOW !== undefined) {
    try {
      return { descriptor: openSync(file, reading | O_NOFOLLOW), linked: false };
    } catch (error) {
      // For a link: ELOOP, or EMLINK on FreeBSD.
      if (!['ELOOP', 'EMLINK'].includes(errnoOf(error))) throw error;
    }
  } else if (!lstatSync(file).isSymbolicLink()) return { descriptor: openSync(file, reading), linked: false };
  return dirname(realpathSync(file)) === realPath ? { descriptor: openSync(file, reading), linked: true } : undefined;
}

/** Whether the front matter was closed by a line within what was read, rather than by its end. */
function endsInside({ kind, diagnostics }: SkillParse<SkillHead>): boolean {
  return (
    kind === 'skill' && !diagnostics.some(({ code }) => code === 'front-matter-unclosed' || code === 'delimiter-odd')
  );
}
