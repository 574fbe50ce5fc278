import { existsSync } from 'node:fs';
import {
  isPrerelease,
  isVersionRange,
  satisfiesRange,
  SkillsError,
  withoutCredentials,
  type LockEntry,
  type PackName,
} from '@skillpack/core';
import type { LoadedPack } from '../fetch/load-pack.js';
import { candidateOfEntry, writtenPath } from '../lock/lock-entry.js';
import type { RootState } from '../lock/root-state.js';
import { checkFrozen } from '../plan/check-frozen.js';
import { recordedWants, type RecordedWant } from '../plan/wanted-pack.js';
import type { Candidate } from '../resolve/candidate.js';
import { resolvePacks, type Resolution, type WantedPack } from '../resolve/resolve-packs.js';
import type { InstallSession } from './install-session.js';

/** What is wanted, and the versions that were chosen for it. */
export interface ResolvedWants {
  readonly resolution: Resolution;
  /** Pack to range, tag, path or URL, as the governing files write it; dependencies are not in it. */
  readonly written: ReadonlyMap<PackName, string>;
  /** Of {@link written}, what was asked for now. */
  readonly explicit: ReadonlySet<PackName>;
}

/** One pack that is wanted, from wherever. */
interface Want {
  readonly name: PackName;
  /** `undefined` for whatever is newest of a registry's, or for a pack that was given as a path or a URL. */
  readonly range: string | undefined;
  /** As the governing files write it; `undefined` where that follows from the version that is chosen. */
  readonly written: string | undefined;
  readonly explicit: boolean;
  readonly pinned: Candidate | undefined;
}

/**
 * Finds out what a root is to have: what its files want and what was asked for now, versions chosen.
 *
 * @throws what resolving and loading throw, `INVALID_PROJECT`, `FROZEN_MISMATCH`, `USAGE`.
 */
export async function resolveWants(session: InstallSession, state: RootState): Promise<ResolvedWants> {
  const { paths, options } = session;
  const recorded = recordedWants(state, paths.baseDir);
  if (options.frozen === true) return frozenWants(session, state, recorded);
  const explicit = await explicitWants(session, recorded);
  const names = new Set(explicit.map(({ name }) => name));
  const others = recorded.filter(({ name }) => !names.has(name));
  const wants = [...explicit, ...(await Promise.all(others.map((want) => wantOf(want, session, state))))];
  const resolution = await resolvePacks(
    {
      wanted: wants.map(({ name, range, explicit: asked }): WantedPack => ({ name, range, explicit: asked })),
      pinned: new Map(wants.flatMap(({ name, pinned }) => (pinned === undefined ? [] : [[name, pinned] as const]))),
      locked: lockedCandidates(session, state, explicit),
      moving: movingOf(session, state),
    },
    { registryFor: session.ports.registryFor, documents: session.documents },
  );
  const written = new Map(wants.map((want) => [want.name, writtenOf(want, resolution.get(want.name))]));
  return { resolution, written, explicit: names };
}

function frozenWants(session: InstallSession, state: RootState, recorded: readonly RecordedWant[]): ResolvedWants {
  if (session.aim.specs.length > 0) {
    throw new SkillsError('USAGE', 'A frozen install takes no packs: it installs exactly what is locked.', {
      hint: 'Leave out --frozen, or the packs.',
    });
  }
  const lock = checkFrozen(state.lock, recorded);
  const entries = Object.entries(lock.packs).map(([key, entry]) => {
    const name = key as PackName; // a key of a record of pack names
    return { name, entry, candidate: candidateOfEntry(name, entry, session.paths.baseDir) };
  });
  return {
    resolution: new Map(entries.map(({ name, candidate }) => [name, candidate])),
    written: new Map(
      entries.flatMap(({ name, entry }) => (entry.range === undefined ? [] : [[name, entry.range] as const])),
    ),
    explicit: new Set(),
  };
}

async function explicitWants(session: InstallSession, recorded: readonly RecordedWant[]): Promise<readonly Want[]> {
  const wants = new Map<PackName, Want>();
  for (const spec of session.aim.specs) {
    const want = await explicitWant(spec, session, recorded);
    const other = wants.get(want.name);
    if (other !== undefined && (other.written !== want.written || other.range !== want.range)) {
      throw new SkillsError('USAGE', `${want.name} is asked for twice, as ${shown(other)} and as ${shown(want)}.`, {
        hint: 'Only one version of a pack can be installed.',
      });
    }
    wants.set(want.name, want);
  }
  return [...wants.values()];
}

function shown({ range, written }: Want): string {
  return range ?? written ?? 'whatever is newest';
}

async function explicitWant(
  spec: InstallSession['aim']['specs'][number],
  session: InstallSession,
  recorded: readonly RecordedWant[],
): Promise<Want> {
  switch (spec.kind) {
    case 'registry': {
      const { name, range } = spec;
      const before = recorded.find((want) => want.name === name);
      // Asked for again without a range: what is recorded goes on holding.
      if (range === undefined && before?.source.kind === 'registry') {
        return { name, range: before.source.range, written: before.written, explicit: false, pinned: undefined };
      }
      return { name, range, written: range, explicit: true, pinned: undefined };
    }
    case 'path': {
      const path = session.absolute(spec.path);
      return pinnedWant(await session.loadPath(path), writtenPath(path, session.paths.baseDir));
    }
    case 'url':
      return pinnedWant(await session.loadUrl(spec.url), withoutCredentials(spec.url));
  }
}

function pinnedWant({ candidate }: LoadedPack, written: string): Want {
  return { name: candidate.name, range: undefined, written, explicit: true, pinned: candidate };
}

/** What a governing file wants. A folder or an archive on this machine is looked at anew each time, as far as it is there. */
async function wantOf(recorded: RecordedWant, session: InstallSession, state: RootState): Promise<Want> {
  const { name, source, written } = recorded;
  const want = { name, written, explicit: false };
  if (source.kind === 'registry') return { ...want, range: source.range, pinned: undefined };
  const locked = lockedCandidate(name, session, state);
  const pinned = { ...want, range: undefined };
  if (source.kind === 'url') {
    const moves = session.aim.moving === 'all' || session.aim.moving.has(name);
    if (locked?.source.kind === 'url' && locked.source.url === withoutCredentials(source.url) && !moves) {
      return { ...pinned, pinned: locked };
    }
    return { ...pinned, pinned: sameName(name, written, await session.loadUrl(source.url)) };
  }
  if (locked !== undefined && !existsSync(source.path)) return { ...pinned, pinned: locked };
  return { ...pinned, pinned: sameName(name, written, await session.loadPath(source.path)) };
}

function sameName(name: PackName, written: string, { candidate }: LoadedPack): Candidate {
  if (candidate.name === name) return candidate;
  throw new SkillsError(
    'INVALID_PROJECT',
    `${name} is wanted from ${written}, but that is the pack ${candidate.name}.`,
    {
      hint: `Write it as "${candidate.name}": "${written}".`,
      data: { name, written, actual: candidate.name },
    },
  );
}

function lockedCandidate(name: PackName, session: InstallSession, state: RootState): Candidate | undefined {
  const entry = state.lock?.packs[name];
  return entry === undefined ? undefined : candidateOfEntry(name, entry, session.paths.baseDir);
}

/** Packs that were given as a path are no answer to somebody who now asks a registry for them. */
function lockedCandidates(
  session: InstallSession,
  state: RootState,
  explicit: readonly Want[],
): ReadonlyMap<PackName, { readonly candidate: Candidate; readonly entry: LockEntry }> {
  const asked = new Set(explicit.filter(({ pinned }) => pinned === undefined).map(({ name }) => name));
  return new Map(
    Object.entries(state.lock?.packs ?? {}).flatMap(([key, entry]) => {
      const name = key as PackName; // a key of a record of pack names
      if (asked.has(name) && entry.source !== 'registry') return [];
      return [[name, { entry, candidate: candidateOfEntry(name, entry, session.paths.baseDir) }] as const];
    }),
  );
}

function movingOf({ aim }: InstallSession, { lock }: RootState): ReadonlySet<PackName> {
  if (aim.moving !== 'all') return aim.moving;
  return new Set(Object.keys(lock?.packs ?? {}) as PackName[]); // keys of a record of pack names
}

/** How a pack is written down that was asked for without a range: compatible with what was chosen. */
function writtenOf({ range, written }: Want, chosen: Candidate | undefined): string {
  if (chosen === undefined) throw new Error('a wanted pack was not resolved');
  const holds =
    written !== undefined && (range === undefined || !isVersionRange(range) || satisfiesRange(chosen.version, range));
  if (holds) return written;
  return isPrerelease(chosen.version) ? chosen.version : `^${chosen.version}`;
}
