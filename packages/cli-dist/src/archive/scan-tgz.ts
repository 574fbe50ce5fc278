import { createHash, type Hash } from 'node:crypto';
import { SkillsError, type ArchiveFile, type ArchiveLimits, type Digest } from '@skillpack/core';
import { bytesInMemory, type ArchiveBytes } from './archive-bytes.js';
import { ArchiveWindow } from './archive-window.js';
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
  if (unpacked !== undefined) return scanBuffer(unpacked, options);
  const bytes = bytesInMemory(archive);
  return scanStream({ first: bytes, again: () => bytes }, options);
}

/**
 * As {@link scanTgz}, of an archive in a file, which is never in memory as a whole. It is read twice: the first time,
 * while it is judged, it has to have its digest; the second time each of its files has to have the digest of the first.
 *
 * @throws `ARCHIVE_REFUSED`, `INTEGRITY_MISMATCH`, `INTERRUPTED`, `IO_ERROR`.
 */
export async function scanTgzFile(file: ArchiveFile, options: ScanOptions): Promise<ScannedArchive> {
  const judged = new ArchiveWindow(file, { verified: true });
  const scanned = await scanStream({ first: judged, again: () => new ArchiveWindow(file) }, options).catch(
    (error: unknown) => {
      // What has another digest is not what somebody published: its publisher is not to be blamed for it.
      if (SkillsError.is(error, 'ARCHIVE_REFUSED')) judged.verify();
      throw error;
    },
  );
  judged.verify();
  return scanned;
}

/** An archive that is read several times. */
interface ReadAgain {
  readonly first: ArchiveBytes;
  again(): ArchiveBytes;
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
      if (tar.length === 0) throw new Error('The contents of an archive were asked for after its release.');
      for (const [file, view] of views) if (wanted.has(file)) yield { file, chunks: [view] };
    },
    release() {
      // What is smaller shares its memory with others, in the pool of Node’s buffers. Cast: zlib allocates no shared memory.
      if (tar.length >= Buffer.poolSize) (tar.buffer as ArrayBuffer).transfer(0);
    },
  };
}

async function scanStream({ first, again }: ReadAgain, { limits, signal }: ScanOptions): Promise<ScannedArchive> {
  const collector = new FileCollector(limits);
  const parser = new TarParser(collector);
  for await (const chunk of gunzipChunks(first, signal)) {
    parser.push(chunk);
  }
  parser.finish();
  const { files, peeked } = collector;
  return {
    files,
    peek: (file) => peeked.bytesOf(file.path),
    contents: (wanted) => streamContents(again(), { files: files.filter((file) => wanted.has(file)), signal }),
  };
}

async function* streamContents(
  archive: ArchiveBytes,
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
