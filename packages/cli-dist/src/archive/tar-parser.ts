import { quoted } from '@skillpack/core';
import type { ArchiveRefusal } from '@skillpack/core';
import { decodeName } from './decode-name.js';
import { judgeMode } from './entry-mode.js';
import { readPaxRecords } from './pax-records.js';
import { refuse } from './refuse.js';
import { readTarHeader, tarBlock, type TarHeader } from './tar-header.js';

/** A file or a folder of a tar archive, every extension applied. */
export interface TarEntry {
  /** As written; not judged. */
  readonly name: string;
  readonly kind: 'file' | 'folder';
  /** In bytes; 0 for a folder. */
  readonly size: number;
  readonly executable: boolean;
  /** Where its bytes begin in the tar archive. */
  readonly offset: number;
}

/** Takes what a {@link TarParser} finds, in order. Whatever it throws ends the parse. */
export interface TarSink {
  entry(entry: TarEntry): void;
  /** The next bytes of the last entry. */
  data(bytes: Buffer): void;
}

/** Bytes of one long name or PAX header, and of all together. Real ones hold a path and macOS attributes. */
const maxExtension = 1024 * 1024;
const maxExtensions = 8 * maxExtension;
const maxGlobalHeaders = 1_000;
/** Tar writers fill up their last record with zeros; none has a larger one. */
const maxPadding = 1024 * 1024;

const refusedTypes: Readonly<Record<string, readonly [ArchiveRefusal, string]>> = {
  '1': ['hard-link', 'is a hard link'],
  '2': ['symbolic-link', 'is a symbolic link'],
  '3': ['device', 'is a device'],
  '4': ['device', 'is a device'],
  '6': ['fifo', 'is a FIFO'],
  S: ['sparse-file', 'is a sparse file'],
  M: ['multi-volume', 'continues a file of another volume'],
};

interface Extension {
  readonly type: 'L' | 'K' | 'x' | 'g';
  readonly parts: Buffer[];
}

/**
 * Reads a tar archive (v7, ustar, PAX, GNU) pushed in pieces of any size. Of each thing that readers understand
 * differently it accepts one form only; the rest is refused.
 */
export class TarParser {
  readonly #sink: TarSink;
  #position = 0;
  #header: Buffer | undefined;
  #headerFilled = 0;
  #dataLeft = 0;
  #paddingLeft = 0;
  #extension: Extension | undefined;
  #extensionBytes = 0;
  #globalHeaders = 0;
  /** Whether a global header was read that no file follows yet: some readers look for one right behind it. */
  #globalPending = false;
  #longName: string | undefined;
  #longLink = false;
  #paxPath: string | undefined;
  #paxSize: number | undefined;
  #pax = false;
  #zeroBlocks = 0;
  #padding = 0;

  constructor(sink: TarSink) {
    this.#sink = sink;
  }

  /** @throws `ARCHIVE_REFUSED`. */
  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      const from = at;
      if (this.#dataLeft > 0) at += this.#takeData(chunk.subarray(at, at + this.#dataLeft));
      else if (this.#paddingLeft > 0) at += this.#skipPadding(chunk.length - at);
      else if (this.#zeroBlocks === 2) at += this.#takeEnd(chunk.subarray(at));
      else at += this.#takeHeader(chunk, at);
      this.#position += at - from;
      this.#flush();
    }
  }

  /** To be called after the last piece. @throws `ARCHIVE_REFUSED`. */
  finish(): void {
    if (this.#zeroBlocks < 2) throw refuse('truncated', 'it breaks off before the end of the tar archive');
  }

  /** Whether headers were read that belong to the next file. */
  get #extended(): boolean {
    return this.#pax || this.#longName !== undefined || this.#longLink;
  }

  #takeData(bytes: Buffer): number {
    this.#dataLeft -= bytes.length;
    // A piece may be reused by whoever pushed it; an extension has to outlive it.
    if (this.#extension === undefined) this.#sink.data(bytes);
    else this.#extension.parts.push(Buffer.from(bytes));
    return bytes.length;
  }

  #skipPadding(available: number): number {
    const skipped = Math.min(available, this.#paddingLeft);
    this.#paddingLeft -= skipped;
    return skipped;
  }

  #takeEnd(bytes: Buffer): number {
    this.#padding += bytes.length;
    if (!isZero(bytes)) throw refuse('trailing-data', 'data follow the end of the tar archive');
    if (this.#padding > maxPadding) {
      throw refuse('trailing-data', `more than ${maxPadding} zeros follow the end of the tar archive`);
    }
    return bytes.length;
  }

  #takeHeader(chunk: Buffer, at: number): number {
    if (this.#headerFilled === 0 && chunk.length - at >= tarBlock) {
      this.#readBlock(chunk.subarray(at, at + tarBlock), this.#position + tarBlock);
      return tarBlock;
    }
    this.#header ??= Buffer.alloc(tarBlock);
    const taken = chunk.copy(this.#header, this.#headerFilled, at, at + tarBlock - this.#headerFilled);
    this.#headerFilled += taken;
    if (this.#headerFilled === tarBlock) {
      this.#headerFilled = 0;
      this.#readBlock(this.#header, this.#position + taken);
    }
    return taken;
  }

  #readBlock(block: Buffer, dataOffset: number): void {
    if (isZero(block)) {
      if (this.#extended || this.#globalPending) {
        throw refuse('bad-header', 'a PAX or GNU header belongs to no file');
      }
      this.#zeroBlocks += 1;
      return;
    }
    if (this.#zeroBlocks > 0) throw refuse('trailing-data', 'data follow the end of the tar archive');
    const header = readTarHeader(block);
    if (header.type === 'L' || header.type === 'K' || header.type === 'x' || header.type === 'g') {
      this.#startExtension(header.type, header.size);
    } else {
      this.#startEntry(header, dataOffset);
    }
    this.#paddingLeft = (tarBlock - (header.size % tarBlock)) % tarBlock;
  }

  #startExtension(type: Extension['type'], size: number): void {
    this.#extensionBytes += size;
    if (size > maxExtension || this.#extensionBytes > maxExtensions) {
      throw refuse('bad-header', 'its long names and PAX headers are too large');
    }
    if (type === 'g') {
      if (this.#extended) throw refuse('bad-header', 'a global PAX header stands between a file and its own headers');
      this.#globalHeaders += 1;
      this.#globalPending = true;
      if (this.#globalHeaders > maxGlobalHeaders)
        throw refuse('too-many-entries', 'it has too many global PAX headers');
    }
    this.#extension = { type, parts: [] };
    this.#dataLeft = size;
  }

  /** Reads an extension once its data are complete. */
  #flush(): void {
    if (this.#extension === undefined || this.#dataLeft > 0) return;
    const { type, parts } = this.#extension;
    const data = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
    this.#extension = undefined;
    if (type === 'g') readPaxRecords(data, 'global');
    else if (type === 'x') this.#takePax(data);
    else this.#takeLongName(type, data);
  }

  #takePax(data: Buffer): void {
    if (this.#pax) throw refuse('bad-header', 'a file has two PAX headers');
    if (this.#longName !== undefined || this.#longLink) throw mixed();
    const { path, size } = readPaxRecords(data, 'entry');
    this.#pax = true;
    this.#paxPath = path;
    this.#paxSize = size;
  }

  #takeLongName(type: 'L' | 'K', data: Buffer): void {
    const known = type === 'K' ? this.#longLink : this.#longName !== undefined;
    if (known) throw refuse('bad-header', 'a file has two long names');
    if (this.#pax) throw mixed();
    if (type === 'K') {
      this.#longLink = true;
      return;
    }
    const end = data.indexOf(0);
    if (end !== -1 && !isZero(data.subarray(end))) {
      throw refuse('path-control-character', 'a long name contains a zero byte');
    }
    this.#longName = decodeName(end === -1 ? data : data.subarray(0, end));
  }

  #startEntry(header: TarHeader, offset: number): void {
    const name = this.#longName ?? this.#paxPath ?? decodeName(header.name);
    const refused = refusedTypes[header.type];
    if (refused !== undefined) throw refuse(refused[0], `${quoted(name)} ${refused[1]}`, { path: name });
    // Some readers skip such an entry without a word, others read it.
    if (this.#longLink || header.linked)
      throw refuse('bad-header', `${quoted(name)} has the target of a link, but is none`, { path: name });
    // Where the two differ, readers disagree on where the next header is.
    if (this.#paxSize !== undefined && this.#paxSize !== header.size) {
      throw refuse(
        'header-mismatch',
        `${quoted(name)} has ${header.size} bytes in one header, ${this.#paxSize} in another`,
        {
          path: name,
        },
      );
    }
    this.#longName = undefined;
    this.#paxPath = undefined;
    this.#paxSize = undefined;
    this.#pax = false;
    this.#globalPending = false;
    const kind = kindOf(header, name);
    judgeMode({ name, kind, mode: header.mode });
    this.#sink.entry({ name, kind, size: header.size, executable: (header.mode & 0o111) !== 0, offset });
    this.#dataLeft = header.size;
  }
}

/** Some readers take what a PAX header says for the GNU header behind it, its size above all. */
function mixed(): Error {
  return refuse('bad-header', 'a file has a PAX header and a GNU header');
}

function kindOf({ type, size, name: own }: TarHeader, name: string): TarEntry['kind'] {
  if (type !== '0' && type !== '5' && type !== '\u0000') {
    throw refuse('unknown-entry-type', `${quoted(name)} is of the unknown type ${quoted(type)}`, { path: name });
  }
  // Before there was a type for folders, the slash made one: for some readers in the header's own name alone.
  if (type === '\u0000' && name.endsWith('/') !== (own.at(-1) === slash)) {
    throw refuse('bad-header', `${quoted(name)} is a folder by one of its names alone`, { path: name });
  }
  const kind = type === '5' || (type === '\u0000' && name.endsWith('/')) ? 'folder' : 'file';
  if (kind === 'folder' && size !== 0)
    throw refuse('bad-header', `the folder ${quoted(name)} has contents`, { path: name });
  if (kind === 'file' && name.endsWith('/')) {
    throw refuse('bad-header', `${quoted(name)} is called a file, but named as a folder`, { path: name });
  }
  return kind;
}

const slash = 0x2f;
const zeros = Buffer.alloc(64 * 1024);

function isZero(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; at += zeros.length) {
    const part = bytes.subarray(at, at + zeros.length);
    if (part.compare(zeros, 0, part.length) !== 0) return false;
  }
  return true;
}
