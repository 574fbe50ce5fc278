import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { escapedJson, isPackName, type Digest, type PackName, type Revocation } from '@skillpack/core';
import { readText } from '../disk/read-text.js';
import { statEntry } from '../disk/stat-entry.js';
import { writeFileByRename } from '../disk/write-file-durably.js';
import type { RootPaths } from '../root/root-paths.js';

const notesBytes = 8 * 1024 * 1024;

interface Note extends Revocation {
  readonly name: PackName;
}

/** Content that can have been revoked. */
export interface RevocableContent {
  readonly name: PackName;
  readonly treeDigest: Digest;
  /** Of the archive; `undefined` for a folder. */
  readonly integrity: Digest | undefined;
}

/**
 * What registries have revoked of the packs of a root, as far as they were asked: so that what needs no network tells
 * of it too. There is no file as long as nothing was revoked. It warns, and proves nothing.
 */
export class RevocationNotes {
  readonly #path: string;
  #known: readonly Note[] | undefined;

  constructor({ controlDir }: RootPaths) {
    this.#path = join(controlDir, '.revoked.json');
  }

  /** Whether nothing is known against anything. */
  get empty(): boolean {
    return this.#read().length === 0;
  }

  /** Why this very content was revoked; `undefined` when nothing is known against it. */
  reasonAgainst({ name, treeDigest, integrity }: RevocableContent): string | undefined {
    return this.#read().find((note) => note.name === name && [treeDigest, integrity].includes(note.digest))?.reason;
  }

  /** Takes note of what was asked about packs: which of them are revoked, and that the others are not (any more). */
  update(asked: readonly PackName[], revoked: ReadonlyMap<PackName, Revocation>): void {
    const before = this.#read();
    const others = before.filter(({ name }) => !asked.includes(name));
    const notes = [...others, ...[...revoked].map(([name, { digest, reason }]) => ({ name, digest, reason }))];
    const sorted = notes.toSorted((left, right) => (left.name < right.name ? -1 : 1));
    if (JSON.stringify(sorted) === JSON.stringify(before)) return;
    this.#known = sorted;
    try {
      if (sorted.length === 0) rmSync(this.#path, { force: true });
      else writeFileByRename(this.#path, formatNotes(sorted), { durable: false });
    } catch {
      // A root that cannot be written: it is asked again next time.
    }
  }

  /** Read once: a stranger's file may be long, and is asked about every pack. */
  #read(): readonly Note[] {
    this.#known ??= this.#readFile();
    return this.#known;
  }

  #readFile(): readonly Note[] {
    try {
      if (statEntry(this.#path)?.isFile() !== true) return [];
      const document: unknown = JSON.parse(readText(this.#path, notesBytes) ?? '');
      return notesIn(document);
    } catch {
      return [];
    }
  }
}

function formatNotes(revoked: readonly Note[]): string {
  return `${escapedJson({ formatVersion: 1, revoked }, 2)}\n`;
}

/** A file of a root may be a stranger's: what is no note is passed over. */
function notesIn(document: unknown): readonly Note[] {
  if (typeof document !== 'object' || document === null || !('revoked' in document)) return [];
  return Array.isArray(document.revoked) ? document.revoked.filter(isNote) : [];
}

function isNote(value: unknown): value is Note {
  if (typeof value !== 'object' || value === null) return false;
  if (!('name' in value && 'digest' in value && 'reason' in value)) return false;
  const { name, digest, reason } = value;
  if (typeof name !== 'string' || typeof digest !== 'string' || typeof reason !== 'string') return false;
  return isPackName(name) && /^sha256:[0-9a-f]{64}$/u.test(digest) && reason.length <= 1024;
}
