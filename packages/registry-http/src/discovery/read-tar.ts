import { quoted, type ArchiveLimits, type ArchiveRefusal } from '@skillpack/core';
import { AdmittedEntries, type AnnouncedEntry } from './admitted-entries.js';
import { decodeName } from './decode-name.js';
import { readPaxRecords } from './pax-records.js';
import { refuseArchive } from './refuse-archive.js';
import { isZero, readTarHeader, tarBlock, untilZero, type TarHeader } from './tar-header.js';

/** A file of a skill as its archive has it. */
export interface UnpackedFile {
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

/** Bytes of one long name or PAX header: real ones hold a path and what macOS adds. */
const maxExtension = 1024 * 1024;
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

interface TarEntry extends AnnouncedEntry {
  readonly bytes: Uint8Array;
}

/**
 * The files of a tar archive (v7, ustar, PAX, GNU), by path. Of each thing that readers understand differently it accepts
 * one form only; the rest is refused, and with one entry all of them. The bytes are those of the archive, not copies.
 *
 * @throws `ARCHIVE_REFUSED`.
 */
export function readTar(tar: Uint8Array, limits: ArchiveLimits): ReadonlyMap<string, UnpackedFile> {
  const files = new Map<string, UnpackedFile>();
  const admitted = new AdmittedEntries(limits);
  for (const entry of readEntries(tar)) {
    const path = admitted.admit(entry);
    if (path !== undefined) files.set(path, { bytes: entry.bytes, executable: (entry.mode & 0o111) !== 0 });
  }
  admitted.finish();
  return files;
}

/** What headers before that of a file say of it. */
interface Extensions {
  /** A global one was read that no file follows yet. */
  global?: true;
  longName?: Uint8Array;
  pax?: { readonly path: Uint8Array | undefined; readonly size: number | undefined };
}

function* readEntries(tar: Uint8Array): Generator<TarEntry> {
  let extensions: Extensions = {};
  let globals = 0;
  for (let at = 0; ;) {
    const block = tar.subarray(at, at + tarBlock);
    if (block.length < tarBlock) throw refuseArchive('truncated', 'it breaks off before the end of the tar archive');
    if (isZero(block)) {
      if (Object.keys(extensions).length > 0)
        throw refuseArchive('bad-header', 'a PAX or GNU header belongs to no file');
      checkEnd(tar.subarray(at + tarBlock));
      return;
    }
    const header = readTarHeader(block);
    const data = tar.subarray(at + tarBlock, at + tarBlock + header.size);
    if (data.length < header.size) throw refuseArchive('truncated', 'it breaks off within a file');
    at += tarBlock + Math.ceil(header.size / tarBlock) * tarBlock;
    if (header.type === 'g' && (globals += 1) > maxGlobalHeaders) {
      throw refuseArchive('too-many-entries', 'it has too many global PAX headers');
    }
    if (header.type === 'x' || header.type === 'g' || header.type === 'L') extend(extensions, header, data);
    else {
      yield readEntry(header, extensions, data);
      extensions = {};
    }
  }
}

/** Two blocks of zeros end an archive, and only zeros fill up its last record. */
function checkEnd(rest: Uint8Array): void {
  if (rest.length < tarBlock) throw refuseArchive('truncated', 'it breaks off before the end of the tar archive');
  if (rest.length > maxPadding || !isZero(rest)) {
    throw refuseArchive('trailing-data', 'data follow the end of the tar archive');
  }
}

function extend(extensions: Extensions, { type, size }: TarHeader, data: Uint8Array): void {
  if (size > maxExtension) throw refuseArchive('bad-header', 'its long names and PAX headers are too large');
  // Readers disagree on which of two headers a file has its name of, and on where a global one may stand.
  if (extensions.pax !== undefined || extensions.longName !== undefined) {
    throw refuseArchive('bad-header', 'a file has two headers that extend its own');
  }
  if (type === 'g') {
    readPaxRecords(data, 'global');
    extensions.global = true;
  } else if (type === 'x') extensions.pax = readPaxRecords(data, 'entry');
  else extensions.longName = untilZero(data);
}

function readEntry(header: TarHeader, { longName, pax }: Extensions, bytes: Uint8Array): TarEntry {
  const { type, mode, size, linked } = header;
  const name = decodeName(longName ?? pax?.path ?? header.name);
  const refused = refusedTypes[type];
  if (refused !== undefined) throw refuseArchive(refused[0], `${quoted(name)} ${refused[1]}`, { path: name });
  if (type !== '0' && type !== '5' && type !== '\0') {
    throw refuseArchive('unknown-entry-type', `${quoted(name)} is of the unknown type ${quoted(type)}`, { path: name });
  }
  // Before there was a type for folders, the slash made one: for some readers in the header's own name alone.
  const slash = name.endsWith('/');
  const half = type === '\0' && slash !== (header.name.at(-1) === 0x2f);
  const folder = type === '5' || (type === '\0' && slash);
  // Some readers skip what is a link by half, others read it.
  if (linked || half || (folder && size > 0) || (!folder && slash)) {
    throw refuseArchive('bad-header', `${quoted(name)} is not what its header calls it`, { path: name });
  }
  if (pax?.size !== undefined && pax.size !== size) {
    const what = `${quoted(name)} has ${size} bytes in one header, ${pax.size} in another`;
    throw refuseArchive('header-mismatch', what, { path: name });
  }
  return { name, kind: folder ? 'folder' : 'file', size, mode, bytes };
}
