import { quoted } from '@skillpack/core';
import { refuse } from './refuse.js';

const types = new Map([
  [0o010000, 'fifo'],
  [0o020000, 'device'],
  [0o060000, 'device'],
  [0o120000, 'symbolic-link'],
] as const);

/** What an archive says of an entry besides its bytes. */
export interface ModedEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder';
  /** Type and permissions as in `st_mode`; a type of 0 says nothing. */
  readonly mode: number;
}

/**
 * Judges a Unix mode: the type in it must be the type of the entry, and nothing may be setuid, setgid or sticky.
 *
 * @throws `ARCHIVE_REFUSED`.
 */
export function judgeMode({ name, kind, mode }: ModedEntry): void {
  const type = mode & 0o170000;
  const special = types.get(type as 0o010000); // The map answers for every number.
  if (special !== undefined) throw refuse(special, `${quoted(name)} is a ${special.replace('-', ' ')}`, { path: name });
  const expected = kind === 'file' ? 0o100000 : 0o040000;
  const other = kind === 'file' ? 0o040000 : 0o100000;
  if (type === other) {
    throw refuse('bad-header', `${quoted(name)} is called a ${kind}, but has the mode of something else`, {
      path: name,
    });
  }
  if (type !== 0 && type !== expected) {
    throw refuse('unknown-entry-type', `${quoted(name)} is neither a file nor a folder`, { path: name });
  }
  if ((mode & 0o7000) !== 0) {
    throw refuse('special-mode', `${quoted(name)} is setuid, setgid or sticky (mode ${(mode & 0o7777).toString(8)})`, {
      path: name,
      mode: mode & 0o7777,
    });
  }
}
