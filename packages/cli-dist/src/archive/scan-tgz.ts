import { createHash, type Hash } from 'node:crypto';
import type { ArchiveLimits, Digest } from '@skillpack/core';
import { EntryJudge } from './entry-judge.js';
import { ForwardReader } from './forward-reader.js';
import { gunzipChunks, gunzipWithin } from './gunzip.js';
import { PeekedFiles } from './peeked-files.js';
import { checkedChunks } from './checked-chunks.js';
import type { ScannedArchive, ScannedContent, ScannedFile } from './scanned-archive.js';
import { sha256 } from './sha256.js';
import { TarParser, type TarEntry } from './tar-parser.js';

/** Up to this size, unpacked, an archive is inflated once and kept; a larger one is inflated anew for its contents. */
const keptBytes = 16 * 1024 * 1024;

/** How an archive is scanned. */
export interface ScanOptions {
  readonly limits: ArchiveLimits;
  readonly signal: AbortSignal | undefined;
}

interface TarFile extends ScannedFile {
  readonly offset: number;
}

/**
 * Reads and judges a gzipped tar archive.
 *
 * @throws `ARCHIVE_REFUSED`, `INTERRUPTED`.
 */
export async function scanTgz(archive: Buffer, options: ScanOptions): Promise<ScannedArchive> {
  const unpacked = gunzipWithin(archive, keptBytes);
  return unpacked === undefined ? scanStream(archive, options) : scanBuffer(unpacked, options);
}

function scanBuffer(tar: Buffer, { limits }: ScanOptions): ScannedArchive {
  const judge = new EntryJudge(limits);
  const files: TarFile[] = [];
  const bytesOf = ({ offset, size }: { readonly offset: number; readonly size: number }) =>
    tar.subarray(offset, offset + size);
  const admitted: (TarEntry & { readonly path: string })[] = [];
  const parser = new TarParser({
    entry(entry) {
      const path = judge.admit(entry);
      if (path !== undefined && entry.kind === 'file') admitted.push({ ...entry, path });
    },
    data() {},
  });
  parser.push(tar);
  parser.finish();
  for (const { path, size, executable, offset } of admitted) {
    files.push({ path, size, executable, offset, digest: sha256(bytesOf({ offset, size })) });
  }
  const views = new Map<ScannedFile, Buffer>(files.map((file) => [file, bytesOf(file)]));
  return {
    files,
    peek: (file) => views.get(file),
    *contents(wanted) {
      for (const [file, view] of views) if (wanted.has(file)) yield { file, chunks: [view] };
    },
  };
}

async function scanStream(archive: Buffer, { limits, signal }: ScanOptions): Promise<ScannedArchive> {
  const collector = new FileCollector(limits);
  const parser = new TarParser(collector);
  for await (const chunk of gunzipChunks(archive, signal)) {
    parser.push(chunk);
  }
  parser.finish();
  const { files, peeked } = collector;
  return {
    files,
    peek: (file) => peeked.bytesOf(file.path),
    contents: (wanted) => streamContents(archive, { files: files.filter((file) => wanted.has(file)), signal }),
  };
}

async function* streamContents(
  archive: Buffer,
  { files, signal }: { readonly files: readonly TarFile[]; readonly signal: AbortSignal | undefined },
): AsyncGenerator<ScannedContent> {
  const reader = new ForwardReader(gunzipChunks(archive, signal));
  try {
    for (const file of files) {
      yield { file, chunks: checkedChunks(file, reader.range(file.offset, file.size)) };
    }
  } finally {
    await reader.close();
  }
}

/** Hashes files while they stream past. */
class FileCollector {
  readonly files: TarFile[] = [];
  readonly peeked = new PeekedFiles();
  readonly #judge: EntryJudge;
  #current: { readonly entry: TarEntry; readonly path: string; readonly hash: Hash; left: number } | undefined;

  constructor(limits: ArchiveLimits) {
    this.#judge = new EntryJudge(limits);
  }

  entry(entry: TarEntry): void {
    const path = this.#judge.admit(entry);
    if (path === undefined || entry.kind === 'folder') return;
    this.peeked.start(path, entry.size);
    this.#current = { entry, path, hash: createHash('sha256'), left: entry.size };
    this.#complete();
  }

  data(bytes: Buffer): void {
    if (this.#current === undefined) return;
    this.#current.hash.update(bytes);
    this.#current.left -= bytes.length;
    this.peeked.data(bytes);
    this.#complete();
  }

  #complete(): void {
    if (this.#current === undefined || this.#current.left > 0) return;
    const { entry, path, hash } = this.#current;
    const digest = `sha256:${hash.digest('hex')}` as Digest; // 64 hexadecimal digits, as a digest is
    this.files.push({ path, size: entry.size, executable: entry.executable, offset: entry.offset, digest });
    this.#current = undefined;
  }
}
