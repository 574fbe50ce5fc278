import { isPrerelease, isVersionRange, SkillsError, type LockEntry, type PackName } from '@skillpack/core';
import type { PackManagerPorts } from '../install/pack-manager-ports.js';
import type { Candidate } from './candidate.js';
import { explainConflict, missingTag, packNotFound, tooComplex } from './resolution-error.js';
import type { DocumentSource } from './document-source.js';
import type { Requirement } from './requirement.js';
import { solvePacks, type SolveInput } from './solve-packs.js';

/** A pack that the person wants. */
export interface WantedPack {
  readonly name: PackName;
  /** A version range or a tag; `undefined` for whatever is newest. */
  readonly range: string | undefined;
  /** Whether it was asked for now, so that a tag is looked up again. */
  readonly explicit: boolean;
}

/** What is to be resolved. */
export interface ResolveRequest {
  readonly wanted: readonly WantedPack[];
  /** Packs that were given as a path or a URL: each is the only candidate of its name. */
  readonly pinned: ReadonlyMap<PackName, Candidate>;
  readonly locked: ReadonlyMap<PackName, { readonly candidate: Candidate; readonly entry: Pick<LockEntry, 'range'> }>;
  /** Locked packs that may move to newer versions. */
  readonly moving: ReadonlySet<PackName>;
}

/** What resolving works with. */
export interface ResolvePorts extends Pick<PackManagerPorts, 'registryFor'> {
  readonly documents: DocumentSource;
}

/** How far resolving goes. */
export interface ResolveOptions {
  /** Candidates tried, over all the rounds that documents are read in. @default 50,000 */
  readonly maxSteps?: number | undefined;
  /** Packs in one solution. @default 2,000 */
  readonly maxPacks?: number | undefined;
  /** Packs looked at that nobody asked for, and that are not locked. @default 1,000 */
  readonly maxFound?: number | undefined;
}

/** One version of every pack that is wanted. */
export type Resolution = ReadonlyMap<PackName, Candidate>;

/**
 * Chooses versions; reads index documents as they are needed, and none where the lock file has an answer.
 *
 * @throws `PACK_NOT_FOUND`, `VERSION_NOT_FOUND`, `DEPENDENCY_CONFLICT`, and what the registries throw.
 */
export async function resolvePacks(
  request: ResolveRequest,
  ports: ResolvePorts,
  options: ResolveOptions = {},
): Promise<Resolution> {
  const { maxSteps = 50_000, maxPacks = 2_000, maxFound = 1_000 } = options;
  const { documents } = ports;
  await documents.load(request.wanted.filter((wanted) => needsTag(wanted, request)).map(({ name }) => name));
  const requirements = await Promise.all(request.wanted.map((wanted) => requirementOf(wanted, request, ports)));
  const locked = new Map([...request.locked].map(([name, { candidate }]) => [name, candidate]));
  const input: Omit<SolveInput, 'documents' | 'maxSteps'> = {
    requirements,
    pinned: request.pinned,
    locked,
    moving: request.moving,
    latestFirst: new Set(request.wanted.filter(({ range }) => range === undefined).map(({ name }) => name)),
    maxPacks,
  };
  const asked = new Set([...request.wanted.map(({ name }) => name), ...request.pinned.keys(), ...locked.keys()]);
  let steps = 0;
  for (;;) {
    const solution = solvePacks({ ...input, documents: documents.known, maxSteps: maxSteps - steps });
    if (solution.kind === 'solved') return solution.packs;
    if (solution.kind === 'unsolvable') {
      throw await explainConflict(solution.conflict, { pinned: request.pinned, documents: documents.known }, ports);
    }
    steps += solution.steps;
    const needed = solution.kind === 'needs' ? solution.names : [];
    const found = [...documents.known.keys(), ...needed].filter((name) => !asked.has(name)).length;
    if (solution.kind === 'too-complex' || found > maxFound) throw tooComplex({ steps, found });
    await documents.load(solution.names);
  }
}

function isTag(range: string | undefined): range is string {
  return range !== undefined && !isVersionRange(range);
}

/** Whether a tag has to be looked up: it was asked for now, or it is not what the lock file was made for. */
function needsTag({ name, range, explicit }: WantedPack, { pinned, locked, moving }: ResolveRequest): boolean {
  if (!isTag(range) || pinned.has(name)) return false;
  return explicit || moving.has(name) || locked.get(name)?.entry.range !== range;
}

async function requirementOf(wanted: WantedPack, request: ResolveRequest, ports: ResolvePorts): Promise<Requirement> {
  const { name, range } = wanted;
  if (range === undefined) return { name, range: rangeOfAny(name, request), path: [] };
  if (!isTag(range)) return { name, range, path: [] };
  const written = { path: [], written: range };
  const locked = request.locked.get(name);
  if (request.pinned.has(name)) return { name, range: rangeOfAny(name, request), ...written };
  if (!needsTag(wanted, request) && locked !== undefined) return { name, range: locked.candidate.version, ...written };
  const known = ports.documents.known.get(name);
  if (known === undefined) throw await packNotFound({ name, requirements: [] }, ports);
  const version = known.document.head.tags[range];
  if (version === undefined) throw missingTag(name, range, known.document);
  const record = known.document.versions.find((candidate) => candidate.version === version);
  if (record !== undefined && record.yanked === null) return { name, range: version, ...written };
  throw new SkillsError(
    'VERSION_NOT_FOUND',
    `${name}@${version}, tagged ${range}, was withdrawn: ${record?.yanked ?? 'it is gone'}.`,
    {
      hint: 'Name a version range instead.',
      data: { name, tag: range, version },
    },
  );
}

/** Any version; where the only candidate is a prerelease, which no general range has, that one. */
function rangeOfAny(name: PackName, { pinned, locked, moving }: ResolveRequest): string {
  const only = pinned.get(name) ?? (moving.has(name) ? undefined : locked.get(name)?.candidate);
  return only !== undefined && isPrerelease(only.version) ? only.version : '*';
}
