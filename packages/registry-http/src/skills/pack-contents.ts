import {
  defaultArchiveLimits,
  SkillsError,
  type ArchiveLimits,
  type ArchiveReader,
  type OpenedArchive,
  type PackRegistry,
  type Sha256,
} from '@skillpack/core';
import { reasonAgainst, type RevokedDigests } from './choose-version.js';
import { KeptContents } from './kept-contents.js';
import { expectSame, type RemotePack } from './remote-pack.js';
import { SharedWork } from './shared-work.js';
import { Slots } from './slots.js';

/** What the files of remote packs are read with. */
export interface PackContentsPorts {
  readonly packs: PackRegistry;
  readonly archives: ArchiveReader;
  readonly sha256: Sha256;
}

/** How many files of remote packs are kept. */
export interface PackContentsOptions {
  /** Bytes of unpacked files that stay in memory. */
  readonly memoryBytes: number;
  readonly limits: ArchiveLimits | undefined;
}

/** Archives that are fetched, or wait in memory to be unpacked, at a time. */
const mostLoading = 8;

type Contents = ReadonlyMap<string, Uint8Array>;

/** The files of remote packs: each archive is fetched once, and kept unpacked until others need the room. */
export class PackContents {
  readonly #ports: PackContentsPorts;
  readonly #options: PackContentsOptions;
  readonly #loads = new SharedWork<Contents>();
  /** By tree digest. */
  readonly #kept: KeptContents<Contents>;
  readonly #loading = new Slots(mostLoading);
  /** One archive at a time is unpacked: each may take as much as the limits allow. */
  readonly #unpacking = new Slots(1);

  constructor(ports: PackContentsPorts, options: PackContentsOptions) {
    this.#ports = ports;
    this.#options = options;
    this.#kept = new KeptContents(options.memoryBytes);
  }

  /**
   * A file by its path in the pack; one that the manifest lists.
   *
   * @throws `VERSION_REVOKED`, `INTEGRITY_MISMATCH`, `ARCHIVE_REFUSED`, `FILE_TOO_LARGE`, `INTERRUPTED`, and what the
   * registry throws.
   */
  async read(pack: RemotePack, path: string, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const key = pack.record.treeDigest;
    const contents = this.#kept.recall(key) ?? (await this.#loads.join(key, (stop) => this.#load(pack, stop), signal));
    const bytes = contents.get(path);
    if (bytes === undefined) throw new Error(`${pack.name} was checked to hold ${path}, and does not`);
    return bytes.slice();
  }

  /** Forgets all packs but these: of one that was revoked, nothing is read any more. */
  retain(trees: ReadonlySet<string>): void {
    this.#kept.retain(trees);
  }

  async #load(pack: RemotePack, signal: AbortSignal): Promise<Contents> {
    const options = { limits: this.#options.limits, signal };
    const contents = await this.#loading.take(async () => {
      const bytes = await fetchArchive(pack, this.#ports, options);
      return this.#unpacking.take(() => unpack({ pack, bytes }, this.#ports, options), signal);
    }, signal);
    const bytes = [...contents.values()].reduce((sum, file) => sum + file.length, 0);
    this.#kept.keep(pack.record.treeDigest, contents, bytes);
    return contents;
  }
}

/** What a registry revokes, by digest. */
export async function readRevoked(
  packs: PackRegistry,
  options: { readonly signal?: AbortSignal | undefined },
): Promise<RevokedDigests> {
  return new Map((await packs.getRevocations(options)).map(({ digest, reason }) => [digest, reason]));
}

interface FetchOptions {
  readonly limits: ArchiveLimits | undefined;
  readonly signal: AbortSignal;
}

/** The archive of a pack that is not revoked: bytes with the digest that the index names. */
async function fetchArchive(
  pack: RemotePack,
  { packs, sha256 }: PackContentsPorts,
  { limits, signal }: FetchOptions,
): Promise<Uint8Array> {
  const { name, record } = pack;
  const what = `${name}@${record.version}`;
  const reason = reasonAgainst(record, await readRevoked(packs, { signal }));
  if (reason !== undefined) {
    throw new SkillsError('VERSION_REVOKED', `${what} was revoked: ${reason}.`, {
      hint: 'Nothing of it is read. Use another version.',
      data: { name, version: record.version, reason },
    });
  }
  const archive = record.archives.find(({ format }) => format === 'tgz') ?? record.archives[0];
  if (archive === undefined) {
    throw new SkillsError('REGISTRY_ERROR', `The registry names no archive of ${what}, so nothing of it can be read.`, {
      hint: 'Use another version, or tell whoever runs the registry.',
      data: { name, version: record.version },
    });
  }
  const { archiveBytes } = limits ?? defaultArchiveLimits;
  if (archive.size > archiveBytes) {
    throw new SkillsError(
      'FILE_TOO_LARGE',
      `The archive of ${what} has ${archive.size} bytes; at most ${archiveBytes} are taken.`,
      { data: { name, size: archive.size, maxBytes: archiveBytes } },
    );
  }
  const bytes = await packs.getBlob({ digest: archive.digest, size: archive.size }, { signal });
  expectSame(`The archive of ${what}`, { expected: archive.digest, actual: sha256(bytes) });
  return bytes;
}

async function unpack(
  { pack, bytes }: { readonly pack: RemotePack; readonly bytes: Uint8Array },
  { archives, sha256 }: PackContentsPorts,
  { limits, signal }: FetchOptions,
): Promise<Contents> {
  const opened = await archives.open(bytes, { limits, signal });
  try {
    return await takeContents(opened, pack, sha256);
  } finally {
    opened.release();
  }
}

/** All files of an archive that holds exactly what the manifest says. */
async function takeContents(opened: OpenedArchive, pack: RemotePack, sha256: Sha256): Promise<Contents> {
  const { name, record, manifest } = pack;
  const what = `${name}@${record.version}`;
  expectSame(`The archive of ${what}`, { expected: record.treeDigest, actual: opened.treeDigest });
  const taken = new Map<string, Uint8Array>();
  for await (const { file, chunks } of opened.contents()) {
    const bytes = new Uint8Array(file.size);
    let filled = 0;
    for await (const chunk of chunks) {
      bytes.set(chunk, filled);
      filled += chunk.length;
    }
    taken.set(file.path, bytes);
  }
  for (const { path, digest } of manifest.files) {
    const bytes = taken.get(path);
    expectSame(`${what}, ${path}`, { expected: digest, actual: bytes === undefined ? 'nothing' : sha256(bytes) });
  }
  return taken;
}
