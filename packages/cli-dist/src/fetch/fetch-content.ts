import {
  defaultArchiveLimits,
  SkillsError,
  type ArchiveFile,
  type ArchiveLimits,
  type Digest,
  type OpenedArchive,
} from '@skillpack/core';
import { startsGzip } from '../archive/gzip-header.js';
import type { InstallEvent } from '../install/install-event.js';
import type { PackManagerPorts } from '../install/pack-manager-ports.js';
import type { ByteBudget, ByteShare } from '../parallel/byte-budget.js';
import type { Candidate } from '../resolve/candidate.js';
import type { StoredArchive } from '../store/archive-store.js';
import { checkContent, checkIntegrity, hintOf, integrityOf } from './check-content.js';
import type { LoadedPack } from './load-pack.js';
import { hintsOfPath, hintsOfUrl } from './name-hints.js';
import { packContentOf, type NameHints, type PackContent } from './pack-content.js';
import { receiveArchive } from './receive-archive.js';

/** How packs are fetched. */
export interface FetchOptions {
  readonly limits?: ArchiveLimits | undefined;
  readonly offline?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: InstallEvent) => void) | undefined;
}

/** What packs are fetched with. */
export interface FetchPorts extends Pick<PackManagerPorts, 'registryFor' | 'archives' | 'store' | 'version'> {
  /** The pack at an absolute path; read once however often it is asked for. */
  loadPath(path: string): Promise<LoadedPack>;
  /** The pack behind a URL; downloaded once however often it is asked for. */
  loadUrl(url: string): Promise<LoadedPack>;
  /** What archives may take at one time. */
  readonly memory: ByteBudget;
}

/** What an archive is taken for whose size nobody has stated, until it is there. */
const unknownBytes = 1024 * 1024;
/** What reading an archive takes that stays in its file. */
const windowBytes = 4 * 1024 * 1024;

/** The content of a version, and what of it came over the network. */
export interface FetchedContent {
  readonly content: PackContent;
  /** In bytes; 0 when it was in the store or on this machine. */
  readonly downloaded: number;
  /** To be called once, when no contents are asked for any more. */
  close(): void;
}

/**
 * Gets a version's content and checks that it is the one that was chosen: its archive by its digest, its manifest by
 * name and version, its files by the tree digest.
 *
 * @throws `INTEGRITY_MISMATCH`, `ARCHIVE_REFUSED`, `OFFLINE`, `FILE_NOT_FOUND`, and what registries and `download` throw.
 */
export async function fetchContent(
  candidate: Candidate,
  ports: FetchPorts,
  options: FetchOptions,
): Promise<FetchedContent> {
  const fetched = await getContent(candidate, ports, options);
  try {
    checkContent(candidate, fetched.content);
  } catch (error) {
    fetched.close();
    throw error;
  }
  return fetched;
}

async function getContent(candidate: Candidate, ports: FetchPorts, options: FetchOptions): Promise<FetchedContent> {
  const { source } = candidate;
  if (source.kind === 'folder' || source.kind === 'file') {
    const loaded = await ports.loadPath(source.path);
    checkIntegrity(candidate, loaded);
    emitFetched(candidate, { bytes: loaded.received ?? 0, from: 'disk' }, options);
    return inMemory(loaded.content);
  }
  const hints = source.kind === 'url' ? hintsOfUrl(source.url) : hintsOfPath(candidate.name);
  const unpacked = unpackedContent(candidate, ports, options);
  if (unpacked !== undefined) return inMemory(unpacked);
  const stored = await fromStore({ candidate, hints, digest: source.integrity }, ports, options);
  if (stored !== undefined) return stored;
  if (source.kind === 'url') {
    const loaded = await ports.loadUrl(source.url);
    checkIntegrity(candidate, loaded);
    emitFetched(candidate, { bytes: loaded.received ?? 0, from: 'network' }, options);
    // The session counts what it downloads itself.
    return inMemory(loaded.content);
  }
  if (options.offline === true) throw offline(candidate);
  return fromRegistry({ candidate, hints, digest: source.integrity, stated: source.size }, ports, options);
}

interface WantedArchive {
  readonly candidate: Candidate;
  readonly hints: NameHints;
  readonly digest: Digest;
}

async function fromStore(
  { candidate, hints, digest }: WantedArchive,
  ports: FetchPorts,
  options: FetchOptions,
): Promise<FetchedContent | undefined> {
  const { store, archives, memory } = ports;
  // Asked before it is opened: what waits for its turn has no file open.
  const expected = store.sizeOf(digest);
  if (expected === undefined) return undefined;
  const share = await memory.take(expected);
  return sharing(share, async () => {
    const stored = await store.open(digest, { maxBytes: options.limits?.archiveBytes });
    if (stored === undefined) return undefined;
    return contentOf(stored, { hints, downloaded: 0 }, async () => {
      await share.resize(memoryOf(stored.archive));
      const opened = await openArchive(stored.archive, { candidate, archives }, options);
      await keepUnpacked({ candidate, opened }, ports, options);
      emitFetched(candidate, { bytes: stored.size, from: 'store' }, options);
      return opened;
    });
  });
}

async function fromRegistry(
  { candidate, hints, digest, stated }: WantedArchive & { readonly stated: number | undefined },
  { registryFor, store, archives, memory }: FetchPorts,
  options: FetchOptions,
): Promise<FetchedContent> {
  const { archiveBytes } = options.limits ?? defaultArchiveLimits;
  const size = Math.min(stated ?? archiveBytes, archiveBytes);
  const share = await memory.take(stated === undefined ? unknownBytes : size);
  return sharing(share, async () => {
    const received = await receiveArchive(
      { digest, size, stated },
      { registry: registryFor(candidate.name), store },
      { signal: options.signal, onProgress: progressOf(candidate, stated, options) },
    ).catch((error: unknown) => {
      throw blobError(candidate, error);
    });
    return contentOf(received, { hints, downloaded: received.size }, async () => {
      await share.resize(received.inMemory ? received.size : memoryOf(received.archive));
      const opened = await openArchive(received.archive, { candidate, archives }, options);
      await received.keep();
      emitFetched(candidate, { bytes: received.size, from: 'network' }, options);
      return opened;
    });
  });
}

/** What an archive takes in bytes while it is read: only a .tgz is read where it lies. */
function memoryOf(archive: Uint8Array | ArchiveFile): number {
  if (archive instanceof Uint8Array) return archive.length;
  const start = new Uint8Array(2);
  archive.read(start, 0);
  return startsGzip(start) ? windowBytes : archive.size;
}

/** Content that has a share of the memory until it is closed; without content, the share is given back. */
async function sharing<Content extends FetchedContent | undefined>(
  share: ByteShare,
  fetch: () => Promise<Content>,
): Promise<Content> {
  let fetched: Content | undefined;
  try {
    fetched = await fetch();
  } finally {
    if (fetched === undefined) share.release();
  }
  if (fetched === undefined) return fetched;
  const { close } = fetched;
  return {
    ...fetched,
    close() {
      close();
      share.release();
    },
  };
}

function inMemory(content: PackContent): FetchedContent {
  return { content, downloaded: 0, close() {} };
}

/** The content of an archive that stays open, and takes memory, until it is closed; a failure closes it. */
async function contentOf(
  archive: Pick<StoredArchive, 'close'>,
  { hints, downloaded }: { readonly hints: NameHints; readonly downloaded: number },
  open: () => Promise<OpenedArchive>,
): Promise<FetchedContent> {
  try {
    const opened = await open();
    const close = (): void => {
      opened.release();
      archive.close();
    };
    return { content: await packContentOf(opened, hints), downloaded, close };
  } catch (error) {
    archive.close();
    throw error;
  }
}

async function openArchive(
  archive: Uint8Array | ArchiveFile,
  { candidate, archives }: { readonly candidate: Candidate } & Pick<FetchPorts, 'archives'>,
  options: FetchOptions,
): Promise<OpenedArchive> {
  try {
    return await archives.open(archive, options);
  } catch (error) {
    throw refusedPack(candidate, error);
  }
}

/** Many are read at one time: which of them was refused, its own error does not know. */
function refusedPack({ name, version }: Candidate, error: unknown): unknown {
  if (!SkillsError.is(error, 'ARCHIVE_REFUSED') && !SkillsError.is(error, 'INTEGRITY_MISMATCH')) return error;
  return new SkillsError(error.code, `${name}@${version}: ${error.message}`, {
    hint: error.hint,
    cause: error,
    data: { ...error.data, name, version },
  });
}

/** That a registry does not have what nobody but the lock file says it has may be the fault of either. */
function blobError(candidate: Candidate, error: unknown): unknown {
  if (!SkillsError.is(error, 'BLOB_NOT_FOUND') || candidate.source.kind !== 'registry') return error;
  if (candidate.source.size !== undefined) return error;
  const { name, version } = candidate;
  return new SkillsError('BLOB_NOT_FOUND', `${error.message} The lock file says that it is ${name}@${version}.`, {
    hint: hintOf(candidate, 'If it was not, `skills update` locks what the registry has; or tell whoever runs it.'),
    cause: error,
    data: { ...error.data, name, version },
  });
}

/** What an earlier install judged, by the limits that an install has unless it is told others. */
function unpackedContent(
  candidate: Candidate,
  { store, version }: FetchPorts,
  options: FetchOptions,
): PackContent | undefined {
  const integrity = integrityOf(candidate.source);
  if (integrity === undefined || options.limits !== undefined) return undefined;
  const unpacked = store.getUnpacked(integrity, { judge: version, treeDigest: candidate.treeDigest });
  if (unpacked === undefined) return undefined;
  const { manifest, manifestText, files } = unpacked;
  emitFetched(candidate, { bytes: files.reduce((sum, { file }) => sum + file.size, 0), from: 'store' }, options);
  return { manifest, manifestText, contents: () => files };
}

/** Of an archive that is installed again: most are installed once. One without a manifest is called by where it came from. */
async function keepUnpacked(
  { candidate, opened }: { readonly candidate: Candidate; readonly opened: OpenedArchive },
  { store, version }: FetchPorts,
  options: FetchOptions,
): Promise<void> {
  const { manifest } = opened;
  const integrity = integrityOf(candidate.source);
  if (manifest === undefined || integrity === undefined || options.limits !== undefined) return;
  await store.putUnpacked(integrity, { manifest, contents: () => opened.contents(), judge: version });
}

function progressOf(
  { name, version }: Candidate,
  total: number | undefined,
  { onEvent }: FetchOptions,
): (bytes: number) => void {
  let received = 0;
  return (bytes) => {
    received += bytes;
    onEvent?.({ kind: 'fetching', name, version, received, total });
  };
}

function emitFetched(
  { name, version }: Candidate,
  { bytes, from }: { readonly bytes: number; readonly from: 'network' | 'store' | 'disk' },
  { onEvent }: FetchOptions,
): void {
  onEvent?.({ kind: 'fetched', name, version, bytes, from });
}

function offline({ name, version, source }: Candidate): SkillsError {
  return new SkillsError('OFFLINE', `${name}@${version} is not in the cache, and the network must not be used.`, {
    hint:
      'Do it once with the network: leave out --offline, or set SKILLS_OFFLINE=0. Where that does not help, the cache ' +
      'keeps nothing: `skills cache info` tells why.',
    data: { name, version, integrity: integrityOf(source) },
  });
}
