import {
  defaultArchiveLimits,
  SkillsError,
  type ArchiveLimits,
  type DiscoverySkill,
  type Sha256,
} from '@skillpack/core';
import { KeptContents } from '../skills/kept-contents.js';
import { SharedWork } from '../skills/shared-work.js';
import { Slots } from '../skills/slots.js';
import { fetchBytes } from './fetch-bytes.js';
import type { UnpackedFile } from './read-tar.js';
import { unpackSkill } from './unpack-skill.js';

/** What artifacts are fetched with. */
export interface ArtifactPorts {
  readonly fetch: typeof globalThis.fetch;
  readonly sha256: Sha256;
}

/** How artifacts are fetched, and how many are kept. */
export interface ArtifactOptions {
  readonly memoryBytes: number;
  readonly limits: ArchiveLimits | undefined;
  readonly timeout: number;
}

/** A skill whose artifact may be fetched. */
export interface OfferedSkill extends Pick<DiscoverySkill, 'name' | 'type' | 'digest'> {
  readonly url: URL;
}

type Contents = ReadonlyMap<string, UnpackedFile>;

/** Artifacts that are fetched, or wait in memory to be unpacked, at a time. */
const mostLoading = 4;

/** The files of discovered skills: each artifact is fetched once, and kept unpacked until others need the room. */
export class ArtifactContents {
  readonly #ports: ArtifactPorts;
  readonly #options: ArtifactOptions;
  readonly #loads = new SharedWork<Contents>();
  readonly #loading = new Slots(mostLoading);
  /** By digest: what has the same bytes has the same files. */
  readonly #kept: KeptContents<Contents>;

  constructor(ports: ArtifactPorts, options: ArtifactOptions) {
    this.#ports = ports;
    this.#options = options;
    this.#kept = new KeptContents(options.memoryBytes);
  }

  /**
   * The files of a skill, by path.
   *
   * @throws `INTEGRITY_MISMATCH`, `ARCHIVE_REFUSED`, `FILE_TOO_LARGE`, `INTERRUPTED`, and what fetching throws.
   */
  async read(skill: OfferedSkill, signal: AbortSignal | undefined): Promise<Contents> {
    const key = `${skill.type} ${skill.digest}`;
    // Whether bytes can be had is said for one address, and not for another one.
    const work = `${key} ${skill.url.href}`;
    return this.#kept.recall(key) ?? this.#loads.join(work, (stop) => this.#load(skill, key, stop), signal);
  }

  async #load(skill: OfferedSkill, key: string, signal: AbortSignal): Promise<Contents> {
    const contents = await this.#loading.take(() => this.#fetch(skill, signal), signal);
    const sizes = [...contents.values()].map(({ bytes }) => bytes.length);
    this.#kept.keep(
      key,
      contents,
      sizes.reduce((sum, size) => sum + size, 0),
    );
    return contents;
  }

  async #fetch({ name, type, digest, url }: OfferedSkill, signal: AbortSignal): Promise<Contents> {
    const { timeout, limits = defaultArchiveLimits } = this.#options;
    const maxBytes = type === 'archive' ? limits.archiveBytes : limits.fileBytes;
    const bytes = await fetchBytes(url, this.#ports.fetch, { maxBytes, timeout, signal });
    const actual = this.#ports.sha256(bytes);
    if (actual !== digest) {
      throw new SkillsError(
        'INTEGRITY_MISMATCH',
        `What ${url.href} has for ${name} has the digest ${actual}, expected ${digest}.`,
        {
          hint: 'Nothing of it is used. Read the index again; if that does not help, tell whoever runs the host.',
          data: { expected: digest, actual },
        },
      );
    }
    if (type === 'archive') return unpackSkill(bytes, limits);
    return new Map([['SKILL.md', { bytes, executable: false }]]);
  }
}
