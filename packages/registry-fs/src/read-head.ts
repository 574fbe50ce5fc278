import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import {
  defaultSkillLimits,
  parseSimpleSkillHead,
  SkillsError,
  type ParseSkillOptions,
  type SkillHead,
  type SkillLimits,
  type SkillParse,
} from '@skillpack/core/listing';
import { ConfinedFolder } from './confined/confined-folder.js';
import { folderAccessHere } from './confined/folder-access-here.js';
import { entryPath } from './entry-path.js';
import { errnoOf } from './errno.js';
import { isReadAsUsual, keptHead, recallHead } from './kept-head.js';
import { lstatOrNothing } from './lstat-or-nothing.js';
import type { ScanCache } from './scan-cache.js';
import type { IgnoredReason } from './scan-report.js';
import type { SkillFolder, WalkedFolder } from './walk-root.js';

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
  readonly #usual: boolean;
  #parse: typeof parseSimpleSkillHead = parseSimpleSkillHead;

  constructor(options: ParseSkillOptions, cache: ScanCache | undefined) {
    this.#limits = { ...defaultSkillLimits, ...options.limits };
    this.#options = options;
    this.#cache = cache;
    this.#usual = isReadAsUsual(options);
    this.#buffer = Buffer.allocUnsafe(this.#limits.frontMatterBytes + slack);
  }

  /** Most scans need no YAML library, which takes longer to load than hundreds of skills to read. */
  async loadLibrary(): Promise<void> {
    this.#parse = (await import('./full-parser.js')).parseSkillHead;
  }

  /** What the cache knows of a folder that holds a SKILL.md as it was. */
  recall({ path, place, name }: WalkedFolder): ReadHead | undefined {
    const known = this.#cache?.find(place);
    if (known === undefined) return undefined;
    const stat = lstatOrNothing(entryPath(path, 'SKILL.md'));
    if (stat?.isFile() !== true || stat.size > this.#limits.fileBytes) return undefined;
    const kept = this.#cache?.recall(known, stat);
    if (typeof kept === 'string') return asRead(this.#parse(kept, { ...this.#options, folder: name }));
    const parse = this.#usual ? recallHead(kept, name) : undefined;
    return parse === undefined ? undefined : { kind: 'parsed', parse };
  }

  read(step: SkillFolder): ReadHead {
    const { name, place } = step.folder;
    const { fileName } = step;
    const options = { ...this.#options, folder: name, fileName };
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
      if (parse !== undefined && head !== undefined && !opened.linked && fileName === 'SKILL.md' && isVisible(parse)) {
        const kept = (this.#usual ? keptHead(parse, name) : undefined) ?? textOf(head);
        if (kept !== undefined) this.#cache?.remember(place, stat, kept);
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
function isVisible({ diagnostics }: SkillParse<SkillHead>): boolean {
  return diagnostics.every(({ code }) => code !== 'invisible-character' && code !== 'control-character');
}

/** The text of front matter that is UTF-8: of other bytes, the text does not say what they were. */
function textOf(head: Uint8Array): string | undefined {
  return isUtf8(head) ? new TextDecoder().decode(head) : undefined;
}

function asRead(parse: SkillParse<SkillHead> | undefined): ReadHead {
  return parse === undefined ? { kind: 'declined' } : { kind: 'parsed', parse };
}

/** Opens the file of a skill, through a link only where that stays in its folder; `undefined` where it leads out. */
function openSkillFile({
  folder: { path, realPath },
  fileName,
}: SkillFolder): { readonly descriptor: number; readonly linked: boolean } | undefined {
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
  return openLinked(realPath, fileName);
}

function openLinked(
  realPath: string,
  fileName: string,
): { readonly descriptor: number; readonly linked: boolean } | undefined {
  const access = folderAccessHere();
  const folder = new ConfinedFolder(realPath, access);
  try {
    return { descriptor: access.open(folder.find([fileName])), linked: true };
  } catch (error) {
    if (SkillsError.is(error, 'PATH_TRAVERSAL_BLOCKED')) return undefined;
    throw error;
  } finally {
    folder.close();
  }
}

/** Whether the front matter was closed by a line within what was read, rather than by its end. */
function endsInside({ kind, diagnostics }: SkillParse<SkillHead>): boolean {
  return (
    kind === 'skill' && !diagnostics.some(({ code }) => code === 'front-matter-unclosed' || code === 'delimiter-odd')
  );
}
