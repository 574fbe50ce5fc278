import { compareVersions, isPrerelease, SkillsError, type PackDocument, type PackName } from '@skillpack/core';
import { recoverIfFree } from '../apply/recover-root.js';
import { asIoError } from '../disk/io-error.js';
import { advisedRefusal } from '../doctor/advised-refusal.js';
import type { PackManagerPorts } from '../install/pack-manager-ports.js';
import { candidateOfEntry } from '../lock/lock-entry.js';
import { readGoverningFiles, readInstalled, type RootState } from '../lock/root-state.js';
import { boundedMap } from '../parallel/bounded-map.js';
import { recordedWants } from '../plan/wanted-pack.js';
import { DocumentSource } from '../resolve/document-source.js';
import { resolvePacks, type Resolution } from '../resolve/resolve-packs.js';
import { rootPaths, type RootPaths } from '../root/root-paths.js';
import { askRevocations, type AskedContent } from '../trust/ask-revocations.js';
import { RevocationNotes } from '../trust/revocation-notes.js';
import { knownRevoked } from '../trust/revoked-packs.js';
import type { OutdatedOptions, OutdatedPack, OutdatedReport, OutdatedRequest } from './outdated-report.js';

const width = 64;

/**
 * Looks up which installed packs have newer versions: one conditional request a pack, many at once; and which are
 * revoked, which the root remembers. Changes nothing else.
 *
 * @throws `LOCK_CONFLICT`, `INVALID_LOCK`, `INVALID_PROJECT`, `INTERRUPTED`, `IO_ERROR`. A pack that cannot be looked up
 *   is told of in the report.
 */
export async function outdatedPacks(
  request: OutdatedRequest,
  ports: Pick<PackManagerPorts, 'registryFor'>,
  options: OutdatedOptions = {},
): Promise<OutdatedReport> {
  try {
    const paths = rootPaths(request.root);
    const recovery = await recoverIfFree(paths);
    if (recovery !== undefined) options.onRecovered?.(recovery.outcome);
    const state: RootState = { ...readGoverningFiles(paths), ...readInstalled(paths) };
    return await lookUp({ paths, state }, ports, options);
  } catch (error) {
    throw SkillsError.is(error) ? await advisedRefusal(error, { root: request.root }) : asIoError(error);
  }
}

interface LookedAt {
  readonly paths: RootPaths;
  readonly state: RootState;
}

async function lookUp(
  subject: LookedAt,
  ports: Pick<PackManagerPorts, 'registryFor'>,
  options: OutdatedOptions,
): Promise<OutdatedReport> {
  const { state } = subject;
  const installed = [...state.receipts.values()].filter(({ source }) => source.kind === 'registry');
  const documents = new DocumentSource(ports, options);
  const failed: { readonly name: PackName; readonly reason: string }[] = [];
  const revocations = lookUpRevoked(subject, ports, options);
  // It is waited for below, and until then its failure is nobody's.
  revocations.catch(() => undefined);
  await boundedMap(
    installed,
    async ({ name }) => {
      try {
        await documents.load([name]);
      } catch (error) {
        if (!SkillsError.is(error) || error.code === 'INTERRUPTED') throw error;
        failed.push({ name, reason: error.message });
      }
    },
    { width },
  );
  const { revoked, unasked } = await revocations;
  failed.push(...unasked.filter(({ name }) => !failed.some((pack) => pack.name === name)));
  const wanted = await resolveNewest(subject, { registryFor: ports.registryFor, documents });
  const outdated = installed.flatMap(({ name, version }) => {
    const document = documents.known.get(name)?.document;
    if (document === undefined) return [];
    const newest = wanted?.get(name)?.version ?? version;
    return outdatedPack({ name, version, newest, range: state.lock?.packs[name]?.range }, document);
  });
  for (const { name } of installed) {
    if (documents.known.has(name) && documents.known.get(name) === undefined) {
      failed.push({ name, reason: `${ports.registryFor(name).location} has no pack ${name}.` });
    }
  }
  const byName = (left: { readonly name: string }, right: { readonly name: string }): number =>
    left.name < right.name ? -1 : 1;
  return {
    checked: installed.length,
    outdated: outdated.toSorted(byName),
    notInstalled: lockedAlone(state).toSorted(byName),
    revoked,
    failed: failed.toSorted(byName),
  };
}

function lockedAlone({ lock, receipts }: RootState): OutdatedReport['notInstalled'] {
  return Object.entries(lock?.packs ?? {}).flatMap(([key, { version }]) => {
    const name = key as PackName; // a key of a record of pack names
    return receipts.has(name) ? [] : [{ name, version }];
  });
}

/** Asks which installed packs are revoked, and has the root remember it. */
async function lookUpRevoked(
  { paths, state }: LookedAt,
  ports: Pick<PackManagerPorts, 'registryFor'>,
  options: OutdatedOptions,
): Promise<Pick<OutdatedReport, 'revoked'> & { readonly unasked: OutdatedReport['failed'] }> {
  const contents = [...state.receipts.values()].map(({ name, treeDigest, integrity, source }): AskedContent => ({
    name,
    treeDigest,
    integrity,
    offered: source.kind === 'registry',
  }));
  const { asked, revoked, unchecked } = await askRevocations(contents, ports, options);
  new RevocationNotes(paths).update([...asked], revoked);
  const unasked = contents.flatMap(({ name, offered }) => {
    const problem = offered
      ? unchecked.find(({ registry }) => registry === ports.registryFor(name).location)
      : undefined;
    return problem === undefined ? [] : [{ name, reason: `Whether it is revoked is not known: ${problem.reason}` }];
  });
  return { revoked: knownRevoked(paths), unasked };
}

/** What an update would choose; `undefined` where it could not: then nothing is known of what is wanted. */
async function resolveNewest(
  { paths, state }: LookedAt,
  ports: Parameters<typeof resolvePacks>[1],
): Promise<Resolution | undefined> {
  const locked = Object.entries(state.lock?.packs ?? {}).map(([key, entry]) => {
    const name = key as PackName; // a key of a record of pack names
    return { name, entry, candidate: candidateOfEntry(name, entry, paths.baseDir) };
  });
  const elsewhere = locked.filter(({ entry }) => entry.source !== 'registry');
  const wanted = recordedWants(state, paths.baseDir).map(({ name, source }) => ({
    name,
    range: source.kind === 'registry' ? source.range : undefined,
    explicit: false,
  }));
  const known = new Set([...locked.map(({ name }) => name), ...ports.documents.known.keys()]);
  try {
    return await resolvePacks(
      {
        wanted: wanted.filter(({ name }) => known.has(name)),
        pinned: new Map(elsewhere.map(({ name, candidate }) => [name, candidate])),
        locked: new Map(locked.map(({ name, entry, candidate }) => [name, { entry, candidate }])),
        moving: new Set(locked.map(({ name }) => name).filter((name) => ports.documents.known.get(name) !== undefined)),
      },
      ports,
    );
  } catch (error) {
    if (!SkillsError.is(error) || SkillsError.is(error, 'INTERRUPTED')) throw error;
    return undefined;
  }
}

interface InstalledVersion {
  readonly name: PackName;
  readonly version: string;
  readonly newest: string;
  readonly range: string | undefined;
}

function outdatedPack(
  { name, version, newest, range }: InstalledVersion,
  { head, versions }: PackDocument,
): readonly OutdatedPack[] {
  const latest = head.tags['latest'] ?? newestStable(versions) ?? version;
  const yanked = versions.find((record) => record.version === version)?.yanked ?? null;
  const behind = newest !== version || compareVersions(latest, version) > 0;
  if (!behind && yanked === null && head.deprecated === null) return [];
  return [{ name, current: version, range, wanted: newest, latest, yanked, deprecated: head.deprecated }];
}

function newestStable(versions: PackDocument['versions']): string | undefined {
  return versions
    .filter(({ version, yanked }) => yanked === null && !isPrerelease(version))
    .map(({ version }) => version)
    .toSorted(compareVersions)
    .at(-1);
}
