import { quoted } from '@skillpack/core';
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Digest } from '@skillpack/core';
import { bytesInMemory } from './archive-bytes.js';
import { checkedChunks } from './checked-chunks.js';
import { EntryJudge } from './entry-judge.js';
import { hex } from './gunzip.js';
import { inflateChunks, inflateWithin, throwIfAborted, type InflateSum } from './inflate.js';
import { refuse } from './refuse.js';
import { maxPeek, type ScannedArchive, type ScannedContent, type ScannedFile } from './scanned-archive.js';
import type { ScanOptions } from './scan-tgz.js';
import { sha256 } from './sha256.js';
import { readZipEntries, type ZipEntry } from './zip-entries.js';
import { readZipDirectory } from './zip-records.js';

/** A file up to this size is inflated in one go. */
const wholeBytes = 4 * 1024 * 1024;
/** Inflated files are kept up to this sum; beyond it they are inflated anew for their contents. */
const keptBytes = 16 * 1024 * 1024;
const chunkSize = 256 * 1024;

interface ZipFile extends ScannedFile {
  readonly entry: ZipEntry;
  readonly kept: Buffer | undefined;
}

/**
 * Reads and judges a zip.
 *
 * @throws `ARCHIVE_REFUSED`, `INTERRUPTED`.
 */
export async function scanZip(archive: Buffer, { limits, signal }: ScanOptions): Promise<ScannedArchive> {
  const directory = readZipDirectory(archive, limits);
  const entries = readZipEntries(archive, directory, new EntryJudge(limits));
  const files = new Map<ScannedFile, ZipFile>();
  let kept = 0;
  for (const entry of entries) {
    throwIfAborted(signal);
    const file = entry.size <= wholeBytes ? scanWhole(entry, keptBytes - kept) : await scanLarge(entry, signal);
    if (entry.kind === 'folder') continue;
    if (file.kept !== undefined && entry.method === 'deflated') kept += entry.size;
    files.set(file, file);
  }
  return {
    files: [...files.values()],
    peek(file) {
      const known = files.get(file);
      if (known === undefined || file.size > maxPeek) return undefined;
      return known.kept ?? inflateWhole(known.entry);
    },
    async *contents(wanted) {
      for (const file of files.values()) if (wanted.has(file)) yield contentOf(file, signal);
    },
  };
}

function contentOf(file: ZipFile, signal: AbortSignal | undefined): ScannedContent {
  if (file.kept !== undefined) return { file, chunks: [file.kept] };
  if (file.size <= wholeBytes) return { file, chunks: lazily(() => inflateWhole(file.entry)) };
  return { file, chunks: checkedChunks(file, entryChunks(file.entry, signal)) };
}

function* lazily(make: () => Buffer): Generator<Buffer, void> {
  yield make();
}

function scanWhole(entry: ZipEntry, keep: number): ZipFile {
  const bytes = inflateWhole(entry);
  const crc = crc32(bytes);
  if (crc !== entry.crc) throw wrongChecksum(entry, crc);
  const kept = entry.method === 'stored' || bytes.length <= keep ? bytes : undefined;
  return zipFile(entry, { digest: sha256(bytes), kept });
}

async function scanLarge(entry: ZipEntry, signal: AbortSignal | undefined): Promise<ZipFile> {
  const hash = createHash('sha256');
  for await (const chunk of entryChunks(entry, signal)) hash.update(chunk);
  const digest = `sha256:${hash.digest('hex')}` as Digest; // 64 hexadecimal digits, as a digest is
  return zipFile(entry, { digest, kept: undefined });
}

function zipFile(entry: ZipEntry, result: Pick<ZipFile, 'digest' | 'kept'>): ZipFile {
  return { path: entry.path, size: entry.size, executable: entry.executable, entry, ...result };
}

function inflateWhole(entry: ZipEntry): Buffer {
  if (entry.method === 'stored') return entry.data;
  const inflated = inflateWithin(entry.data, { cap: entry.size, claimed: entry.size });
  if (inflated === undefined) throw wrongSize(entry, 'more');
  if (inflated.bytes.length < entry.size) throw wrongSize(entry, 'less');
  if (inflated.consumed !== entry.data.length) throw hiddenData(entry);
  return inflated.bytes;
}

async function* entryChunks(entry: ZipEntry, signal: AbortSignal | undefined): AsyncGenerator<Buffer, void> {
  const limit = entry.size;
  const sum = yield* entry.method === 'stored'
    ? storedChunks(entry.data, signal)
    : inflateChunks(bytesInMemory(entry.data), { limit, signal });
  if (sum.size !== entry.size) throw wrongSize(entry, sum.size > entry.size ? 'more' : 'less');
  if (sum.consumed !== entry.data.length) throw hiddenData(entry);
  if (sum.crc !== entry.crc) throw wrongChecksum(entry, sum.crc);
}

async function* storedChunks(data: Buffer, signal: AbortSignal | undefined): AsyncGenerator<Buffer, InflateSum> {
  let crc = 0;
  for (let at = 0; at < data.length; at += chunkSize) {
    throwIfAborted(signal);
    const chunk = data.subarray(at, at + chunkSize);
    crc = crc32(chunk, crc);
    yield chunk;
  }
  return { consumed: data.length, crc, size: data.length };
}

function wrongSize({ path, size }: ZipEntry, comparison: 'more' | 'less'): Error {
  return refuse('size-mismatch', `${quoted(path)} unpacks to ${comparison} than the ${size} bytes it states`, { path });
}

function hiddenData({ path }: ZipEntry): Error {
  return refuse('hidden-data', `bytes follow the compressed data of ${quoted(path)}`, { path });
}

function wrongChecksum({ path, crc }: ZipEntry, actual: number): Error {
  return refuse('bad-checksum', `${quoted(path)} has the CRC-32 ${hex(actual)}, but states ${hex(crc)}`, { path });
}
