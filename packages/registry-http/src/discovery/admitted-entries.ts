import { findPathConflict, judgePath, pathProblems, quoted, type ArchiveLimits } from '@skillpack/core';
import { refuseArchive } from './refuse-archive.js';

/** A file or a folder, as an archive announces it. */
export interface AnnouncedEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder';
  /** In bytes. */
  readonly size: number;
  /** Type and permissions as in `st_mode`; a type of 0 says nothing. */
  readonly mode: number;
}

/** Judges the entries of one archive, each by itself and all together, before a byte of any is used. */
export class AdmittedEntries {
  readonly #limits: ArchiveLimits;
  readonly #files: string[] = [];
  // A folder may be named more than once; what stands for it here is a file that cannot be in it.
  readonly #folders = new Set<string>();
  #entries = 0;
  #bytes = 0;

  constructor(limits: ArchiveLimits) {
    this.#limits = limits;
  }

  /** @returns the path of a file, without a leading `./`; `undefined` for a folder. @throws `ARCHIVE_REFUSED`. */
  admit(entry: AnnouncedEntry): string | undefined {
    const { name, kind } = entry;
    this.#count(entry);
    judgeMode(entry);
    const bare = name.replace(/^\.\//u, '');
    const path = kind === 'folder' ? bare.replace(/\/$/u, '') : bare;
    if (kind === 'folder' && (name === '.' || name === './')) return undefined;
    const problem = judgePath(path, this.#limits);
    if (problem !== undefined) throw refuseArchive(problem, `${quoted(name)} ${pathProblems[problem]}`, { path });
    if (kind === 'folder') this.#folders.add(`${path}/.`);
    else this.#files.push(path);
    return kind === 'folder' ? undefined : path;
  }

  /** To be called after the last entry. @throws `ARCHIVE_REFUSED` for paths that cannot stand side by side. */
  finish(): void {
    const conflict = findPathConflict([...this.#folders, ...this.#files]);
    if (conflict === undefined) return;
    const { kind, path, other } = conflict;
    throw refuseArchive(kind, `${quoted(path)} and ${quoted(other)} cannot stand side by side`, { path, other });
  }

  #count({ name, size }: AnnouncedEntry): void {
    const { entries, fileBytes, unpackedBytes } = this.#limits;
    this.#entries += 1;
    this.#bytes += size;
    if (this.#entries > entries) {
      throw refuseArchive('too-many-entries', `it has more than ${entries} entries`, { limit: entries });
    }
    if (size > fileBytes) {
      const what = `${quoted(name)} has ${size} bytes, more than the ${fileBytes} allowed for a file`;
      throw refuseArchive('file-too-large', what, { path: name, size, limit: fileBytes });
    }
    if (this.#bytes > unpackedBytes) {
      const what = `its files have more than the ${unpackedBytes} bytes allowed in all`;
      throw refuseArchive('unpacked-too-large', what, { limit: unpackedBytes });
    }
  }
}

/** Nothing may be setuid, setgid or sticky, or of another type than it says. */
function judgeMode({ name, kind, mode }: AnnouncedEntry): void {
  const type = mode & 0o170000;
  if ((mode & 0o7000) === 0 && (type === 0 || type === (kind === 'folder' ? 0o040000 : 0o100000))) return;
  throw refuseArchive('special-mode', `${quoted(name)} has the mode ${mode.toString(8)}`, { path: name, mode });
}
