import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { digestHex, isDigest } from '@skillpack/core';
import * as z from 'zod/mini';
import { makeFolder } from '../make-folder.js';
import { sha256 } from '../sha256.js';

/** A document as it was last answered, or that there was none. */
export interface CachedDocument {
  /** 200, or 404 for a document that is known to be absent. */
  readonly status: 200 | 404;
  readonly etag: string | undefined;
  /** When it was last answered or confirmed: milliseconds since 1970. */
  readonly storedAt: number;
  /** For how long it need not be asked for again, in milliseconds. */
  readonly maxAge: number;
  readonly body: Uint8Array;
}

/**
 * Keeps answered documents by URL. A cache that cannot be read or written is an empty one, never an error. Synchronous,
 * since a thread's turn takes longer than a document of a few kilobytes.
 */
export interface DocumentCache {
  read(url: string): CachedDocument | undefined;
  write(url: string, document: CachedDocument): void;
  /** Takes note of when a document that is kept was confirmed, and for how long it is fresh from then on. */
  confirm(url: string, document: CachedDocument): void;
}

const headerSchema = z.lazy(() =>
  z.object({
    formatVersion: z.literal(1),
    url: z.string(),
    status: z.union([z.literal(200), z.literal(404)]),
    etag: z.optional(z.string().check(z.maxLength(1024))),
    storedAt: z.number().check(z.nonnegative()),
    maxAge: z.number().check(z.nonnegative(), z.maximum(24 * 60 * 60 * 1000)),
    digest: z.custom<string>((value) => typeof value === 'string' && isDigest(value)),
  }),
);

const maxEntryBytes = 64 * 1024 * 1024;

/**
 * A cache in a folder: one file an URL, its first line says what it is, the rest is the body. An entry that is damaged,
 * was made for another URL or has another digest than it says is a miss. Whoever reads a document from it parses it as
 * strictly as one from the network: the folder is no more trusted than that.
 */
export function createDocumentCache(folder: string): DocumentCache {
  const fileOf = (url: string): string => join(folder, `${digestHex(sha256(url))}.cache`);
  const write: DocumentCache['write'] = (url, document) => {
    const staged = join(folder, `${randomUUID()}.tmp`);
    try {
      makeFolder(folder, 0o700);
      writeFileSync(staged, formatEntry(url, document), { flag: 'wx', mode: 0o600 });
      renameSync(staged, fileOf(url));
    } catch {
      removeIfThere(staged);
    }
  };
  return {
    read(url) {
      try {
        const bytes = readEntry(fileOf(url));
        return bytes === undefined ? undefined : parseEntry(bytes, url);
      } catch {
        return undefined;
      }
    },
    write,
    confirm(url, document) {
      if (!overwriteTime(fileOf(url), document)) write(url, document);
    },
  };
}

function readEntry(file: string): Buffer | undefined {
  // Asked first: where nothing is, as for every document of a cold install, the error of opening costs far more.
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const facts = fstatSync(descriptor);
    return facts.isFile() && facts.size <= maxEntryBytes ? readFileSync(descriptor) : undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** Every entry begins like this; with as many digits, another time takes the place of the first. */
function beginningOf({ storedAt, maxAge }: Pick<CachedDocument, 'storedAt' | 'maxAge'>): string {
  return `{"storedAt":${storedAt},"maxAge":${maxAge},`;
}

/** Whether it was enough to write another time into an entry: by far the most frequent change, and the smallest. */
function overwriteTime(file: string, document: CachedDocument): boolean {
  const beginning = Buffer.from(beginningOf(document));
  const timeless = (text: string): string => text.replace(/\d+/u, (digits) => '0'.repeat(digits.length));
  try {
    const descriptor = openSync(file, 'r+');
    try {
      const present = Buffer.alloc(beginning.length);
      readSync(descriptor, present, 0, present.length, 0);
      if (timeless(present.toString()) !== timeless(beginning.toString())) return false;
      writeSync(descriptor, beginning, 0, beginning.length, 0);
      return true;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return false;
  }
}

/** The cache saves time: where it cannot be written, nothing fails by it. */
function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was never made, or stays, to be removed as what a dead process leaves.
  }
}

function parseEntry(bytes: Buffer, url: string): CachedDocument | undefined {
  const end = bytes.indexOf(0x0a);
  if (end === -1) return undefined;
  const read = headerSchema.safeParse(JSON.parse(bytes.toString('utf8', 0, end)));
  if (!read.success || read.data.url !== url) return undefined;
  const body = bytes.subarray(end + 1);
  if (sha256(body) !== read.data.digest) return undefined;
  const { status, etag, storedAt, maxAge } = read.data;
  return { status, etag, storedAt, maxAge, body };
}

function formatEntry(url: string, { status, etag, storedAt, maxAge, body }: CachedDocument): Buffer {
  const rest = JSON.stringify({ formatVersion: 1, url, status, etag, digest: sha256(body) });
  return Buffer.concat([Buffer.from(`${beginningOf({ storedAt, maxAge })}${rest.slice(1)}\n`), body]);
}
