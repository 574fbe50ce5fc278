import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { digestHex, isDigest } from '@skillpack/core';
import * as z from 'zod/mini';
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

/** Keeps answered documents by URL. A cache that cannot be read or written is an empty one, never an error. */
export interface DocumentCache {
  read(url: string): Promise<CachedDocument | undefined>;
  write(url: string, document: CachedDocument): Promise<void>;
}

const headerSchema = z.object({
  formatVersion: z.literal(1),
  url: z.string(),
  status: z.union([z.literal(200), z.literal(404)]),
  etag: z.optional(z.string().check(z.maxLength(1024))),
  storedAt: z.number().check(z.nonnegative()),
  maxAge: z.number().check(z.nonnegative(), z.maximum(24 * 60 * 60 * 1000)),
  digest: z.custom<string>((value) => typeof value === 'string' && isDigest(value)),
});

const maxEntryBytes = 64 * 1024 * 1024;

/**
 * A cache in a folder: one file an URL, its first line says what it is, the rest is the body. An entry that is damaged,
 * was made for another URL or has another digest than it says is a miss. Whoever reads a document from it parses it as
 * strictly as one from the network: the folder is no more trusted than that.
 */
export function createDocumentCache(folder: string): DocumentCache {
  const fileOf = (url: string): string => join(folder, `${digestHex(sha256(url))}.cache`);
  return {
    async read(url) {
      try {
        const file = fileOf(url);
        const facts = await stat(file);
        if (!facts.isFile() || facts.size > maxEntryBytes) return undefined;
        return parseEntry(await readFile(file), url);
      } catch {
        return undefined;
      }
    },
    async write(url, { status, etag, storedAt, maxAge, body }) {
      const staged = join(folder, `${randomUUID()}.tmp`);
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const handle = await open(staged, 'wx', 0o600);
        try {
          await handle.writeFile(formatEntry(url, { status, etag, storedAt, maxAge, body }));
        } finally {
          await handle.close();
        }
        await rename(staged, fileOf(url));
      } catch {
        await rm(staged, { force: true }).catch(() => undefined);
      }
    },
  };
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

function formatEntry(url: string, { body, ...facts }: CachedDocument): Buffer {
  const header = { formatVersion: 1, url, ...facts, digest: sha256(body) };
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), body]);
}
