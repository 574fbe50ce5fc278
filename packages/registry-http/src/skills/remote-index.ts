import {
  SkillsError,
  visibleText,
  type Digest,
  type IndexProblem,
  type IndexProblemCode,
  type PackManifest,
  type PackName,
  type PackRegistry,
  type Sha256,
  type VersionRecord,
} from '@skillpack/core';
import { mapConcurrently } from '../folder/map-concurrently.js';
import { chooseVersion, reasonAgainst, type RevokedDigests, type WantedPack } from './choose-version.js';
import { expectSame, packLocation, readRemotePack, type RemotePack } from './remote-pack.js';

/** Where packs are looked up. */
export interface RemoteIndexPorts {
  readonly packs: PackRegistry;
  readonly sha256: Sha256;
}

/** How packs are looked up. */
export interface ReadIndexOptions {
  readonly revoked: RevokedDigests;
  readonly signal: AbortSignal | undefined;
}

/** The packs that could be had, and what is to be said of them and the others. */
export interface ReadIndex {
  readonly found: readonly RemotePack[];
  readonly problems: readonly IndexProblem[];
}

/** UTF-16 code units of what somebody else's error says. */
const longestReason = 500;

type ReadPack =
  | { readonly kind: 'read'; readonly pack: RemotePack | undefined; readonly problem: IndexProblem | undefined }
  | { readonly kind: 'failed'; readonly error: SkillsError };

/** Looks packs up, again and again, and remembers what they were. */
export class RemoteIndex {
  readonly #ports: RemoteIndexPorts;
  readonly #lastGood = new Map<string, RemotePack>();
  /** The tree of each version that was seen: a published version never changes. */
  readonly #trees = new Map<string, Digest>();

  constructor(ports: RemoteIndexPorts) {
    this.#ports = ports;
  }

  /** @throws `INTERRUPTED`; what the registry throws where no pack at all can be had from it. */
  async read(wanted: readonly WantedPack[], options: ReadIndexOptions): Promise<ReadIndex> {
    const results = await mapConcurrently(wanted, (pack) => this.#read(pack, options));
    const failures = results.flatMap((result) => (result.kind === 'failed' ? [result.error] : []));
    const [first] = failures;
    if (first !== undefined && failures.length === results.length && failures.every(isOutOfReach)) throw first;
    const found: RemotePack[] = [];
    const problems: IndexProblem[] = [];
    for (const [position, result] of results.entries()) {
      const pack = wanted[position];
      if (pack === undefined) continue;
      const { pack: read, problem } = result.kind === 'read' ? result : this.#fallBack(pack, result.error, options);
      if (problem !== undefined) problems.push(problem);
      if (read === undefined) this.#lastGood.delete(keyOf(pack));
      else {
        this.#lastGood.set(keyOf(pack), read);
        found.push(read);
      }
    }
    return { found, problems };
  }

  async #read(wanted: WantedPack, { revoked, signal }: ReadIndexOptions): Promise<ReadPack> {
    const { name } = wanted;
    try {
      const document = await this.#ports.packs.getPack(name, { signal });
      const { record, problem } = chooseVersion(document, wanted, revoked);
      const said = problem === undefined ? undefined : this.#problem(wanted, problem.code, problem.message);
      if (record === undefined) return { kind: 'read', pack: undefined, problem: said };
      this.#checkTree(`${name}@${record.version}`, record);
      const known = this.#knownManifest(wanted, record);
      const pack =
        known === undefined
          ? await readRemotePack({ name, record }, this.#ports, { signal })
          : { name, record, manifest: known };
      return { kind: 'read', pack, problem: said };
    } catch (error) {
      if (signal?.aborted === true) throw error;
      return { kind: 'failed', error: SkillsError.is(error) ? error : foreignError(name, error) };
    }
  }

  #checkTree(version: string, { treeDigest }: VersionRecord): void {
    const before = this.#trees.get(version);
    if (before === undefined) this.#trees.set(version, treeDigest);
    else expectSame(`The index, of the tree of ${version},`, { expected: before, actual: treeDigest });
  }

  #knownManifest(wanted: WantedPack, record: VersionRecord): PackManifest | undefined {
    const known = this.#lastGood.get(keyOf(wanted));
    return known?.record.manifest === record.manifest && known.record.treeDigest === record.treeDigest
      ? known.manifest
      : undefined;
  }

  /** What was good stays while the registry cannot be asked; what was revoked meanwhile does not. */
  #fallBack(
    wanted: WantedPack,
    error: SkillsError,
    { revoked }: ReadIndexOptions,
  ): { readonly pack: RemotePack | undefined; readonly problem: IndexProblem } {
    const known = this.#lastGood.get(keyOf(wanted));
    if (known !== undefined && isOutOfReach(error) && reasonAgainst(known.record, revoked) === undefined) {
      return { pack: known, problem: this.#problem(wanted, 'stale', error.message) };
    }
    const code = SkillsError.isKind(error, 'not-found') ? 'missing' : 'unreadable';
    return { pack: undefined, problem: this.#problem(wanted, code, error.message) };
  }

  #problem({ name }: WantedPack, code: IndexProblemCode, message: string): IndexProblem {
    return { code, location: packLocation(this.#ports.packs.location, name), message };
  }
}

function keyOf({ name, range }: WantedPack): string {
  return range === undefined ? name : `${name}@${range}`;
}

/** What a registry throws that somebody else wrote: one pack that it cannot give is no reason to lose the others. */
function foreignError(name: PackName, error: unknown): SkillsError {
  const said = error instanceof Error ? `: ${visibleText(error.message.slice(0, longestReason))}` : '';
  return new SkillsError('REGISTRY_ERROR', `The registry failed for ${name}${said}.`, { cause: error });
}

function isOutOfReach(error: SkillsError): boolean {
  return SkillsError.isKind(error, 'unavailable') || SkillsError.isKind(error, 'permission');
}
