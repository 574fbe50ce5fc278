import { quoted, judgePath, type ArchiveLimits } from '@skillpack/core';
import { PathTree } from './path-tree.js';
import { refuse, refusePath } from './refuse.js';

/** A file or a folder, as an archive announces it. */
export interface AnnouncedEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder';
  /** In bytes. */
  readonly size: number;
}

/** Judges the entries of one archive, each by itself and all together. */
export class EntryJudge {
  readonly #limits: ArchiveLimits;
  readonly #tree = new PathTree();
  #entries = 0;
  #bytes = 0;

  constructor(limits: ArchiveLimits) {
    this.#limits = limits;
  }

  /**
   * @returns the path, without a leading `./` and a folder's trailing slash; `undefined` for the root folder itself.
   * @throws `ARCHIVE_REFUSED`.
   */
  admit(entry: AnnouncedEntry): string | undefined {
    this.#count(entry);
    const path = barePath(entry);
    if (path === undefined) return undefined;
    const problem = judgePath(path, this.#limits);
    if (problem !== undefined) throw refusePath(problem, entry.name);
    const conflict = this.#tree.add(path, entry.kind);
    if (conflict === undefined) return path;
    throw refuse(conflict.reason, `${quoted(path)} ${conflictText[conflict.reason]} ${quoted(conflict.other)}`, {
      path,
      other: conflict.other,
    });
  }

  #count({ name, size }: AnnouncedEntry): void {
    const { entries, fileBytes, unpackedBytes } = this.#limits;
    this.#entries += 1;
    if (this.#entries > entries) {
      throw refuse('too-many-entries', `it has more than ${entries} entries`, { limit: entries });
    }
    if (size > fileBytes) {
      throw refuse(
        'file-too-large',
        `${quoted(name)} has ${size} bytes, more than the ${fileBytes} allowed for a file`,
        {
          path: name,
          size,
          limit: fileBytes,
        },
      );
    }
    this.#bytes += size;
    if (this.#bytes > unpackedBytes) {
      throw refuse('unpacked-too-large', `its files have more than the ${unpackedBytes} bytes allowed in all`, {
        limit: unpackedBytes,
      });
    }
  }
}

const conflictText = {
  'duplicate-path': 'is there twice, as',
  'case-collision': 'is on some systems the same as',
  'file-as-folder': 'would need a file and a folder of one name,',
} as const;

function barePath({ name, kind }: AnnouncedEntry): string | undefined {
  if (kind === 'folder' && (name === '.' || name === './')) return undefined;
  const start = name.startsWith('./') ? 2 : 0;
  const end = kind === 'folder' && name.endsWith('/') ? name.length - 1 : name.length;
  return name.slice(start, Math.max(start, end));
}
