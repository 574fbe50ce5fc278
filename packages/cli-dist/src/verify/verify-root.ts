import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { isPackName, SkillsError, type PackName } from '@skillpack/core';
import { recoverIfFree } from '../apply/recover-root.js';
import { asIoError } from '../disk/io-error.js';
import { advisedRefusal } from '../doctor/advised-refusal.js';
import { inodeOf, statEntry } from '../disk/stat-entry.js';
import { readGoverningFiles, readInstalled, recordFolders, type RootState } from '../lock/root-state.js';
import { listRoot } from '../root/list-root.js';
import { rootPaths, type RootPaths } from '../root/root-paths.js';
import { throwIfAborted } from '../root/root-lock.js';
import { nearestText } from '../text/nearest-text.js';
import { listUnowned } from './list-unowned.js';
import { verifyPack, type VerifiedRoot } from './verify-pack.js';
import type { VerifiedPack, VerifyOptions, VerifyReport, VerifyRequest } from './verify-report.js';

/**
 * Compares a root with what was installed into it: every file with the manifest, the manifest with the receipt, the
 * receipt with the lock file. Needs no network and no archive.
 *
 * @throws `PACK_NOT_INSTALLED`, `SKILL_NOT_FOUND` for a name that is not here, `FILE_NOT_FOUND` for a root that is any
 *   folder and does not exist, `LOCK_CONFLICT`, `INVALID_LOCK`, `INTERRUPTED`, `IO_ERROR`.
 */
export async function verifyRoot(request: VerifyRequest, options: VerifyOptions = {}): Promise<VerifyReport> {
  const { root, names = [] } = request;
  try {
    const paths = rootPaths(root);
    if (root.scope === 'other' && statEntry(paths.skillsDir) === undefined) throw noFolder(paths.skillsDir);
    const recovery = await recoverIfFree(paths);
    if (recovery !== undefined) options.onRecovered?.(recovery.outcome);
    for (let look = 1; ; look += 1) {
      const before = markOf(paths);
      const report = await compareRoot(names, paths, options);
      // Somebody who changes the root meanwhile shows the old state here and the new one there.
      if (report.ok || look === looks) return report;
      if (before.settled && before.mark === markOf(paths).mark) return report;
      await delay(look * 20, undefined, { signal: options.signal });
    }
  } catch (error) {
    throwIfAborted(options.signal);
    throw SkillsError.is(error) ? await advisedRefusal(error, { root }) : asIoError(error);
  }
}

const looks = 8;
/** For how long nothing else gets a turn, one pack aside. */
const pauseMs = 50;

interface RootMark {
  /** Another one after every change of what is installed or locked. */
  readonly mark: string;
  /** Whether no change is being carried out. */
  readonly settled: boolean;
}

function markOf(paths: RootPaths): RootMark {
  const journal = inodeOf(paths.journal);
  const records = recordFolders(paths).map(({ path }) => path);
  const inodes = [paths.lockFile, ...records].map((path) => `${path} ${inodeOf(path)}`);
  return { mark: [`${journal}`, ...inodes].join('\n'), settled: journal === undefined };
}

async function compareRoot(names: readonly string[], paths: RootPaths, options: VerifyOptions): Promise<VerifyReport> {
  const state: RootState = { ...readGoverningFiles(paths), ...readInstalled(paths) };
  const entries = listRoot(paths.skillsDir);
  const chosen = names.length === 0 ? allNames(state) : namedPacks(names, state);
  const packs: VerifiedPack[] = [];
  let paused = performance.now();
  for (const name of chosen) {
    throwIfAborted(options.signal);
    packs.push(verifyPack(name, { paths, state, entries }, options));
    options.onProgress?.({ packs: packs.length, of: chosen.length });
    if (performance.now() - paused < pauseMs) continue;
    await setImmediate(); // lets a cancellation in
    paused = performance.now();
  }
  const shadowing = await shadowingIn(chosen, { paths, state, entries });
  const locked = state.lock !== undefined || packs.length === 0;
  return {
    root: paths.skillsDir,
    ok: locked && packs.every(({ ok }) => ok) && shadowing.length === 0,
    packs,
    untracked: names.length === 0 ? untrackedIn(entries, state) : [],
    shadowing,
    locked: state.lock !== undefined,
    files: packs.reduce((sum, { files }) => sum + files, 0),
    bytes: packs.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** A folder is named to be looked at; that nothing is wrong in one that is not there is no answer. */
function noFolder(path: string): SkillsError {
  return new SkillsError('FILE_NOT_FOUND', `There is no folder ${path}.`, {
    hint: 'Look how it is spelled.',
    data: { path },
  });
}

function allNames(state: RootState): readonly PackName[] {
  const names = new Set<PackName>([...state.receipts.keys(), ...(Object.keys(state.lock?.packs ?? {}) as PackName[])]); // keys of a record of pack names
  for (const { name } of state.broken) if (name !== undefined) names.add(name);
  return [...names].toSorted();
}

function namedPacks(names: readonly string[], state: RootState): readonly PackName[] {
  const all = allNames(state);
  const chosen = names.map((name) => {
    if (isPackName(name)) {
      if (all.includes(name)) return name;
      throw notHere(
        'PACK_NOT_INSTALLED',
        `The pack ${name} is neither installed nor locked here`,
        nearestText(name, all),
      );
    }
    const owner = all.find((pack) => skillsOf(pack, state).includes(name));
    if (owner !== undefined) return owner;
    throw notHere(
      'SKILL_NOT_FOUND',
      `No installed pack has a skill ${name}`,
      nearestText(
        name,
        all.flatMap((pack) => skillsOf(pack, state)),
      ),
    );
  });
  return [...new Set(chosen)];
}

function skillsOf(name: PackName, { receipts, lock }: RootState): readonly string[] {
  return receipts.get(name)?.skills ?? lock?.packs[name]?.skills ?? [];
}

function notHere(
  code: 'PACK_NOT_INSTALLED' | 'SKILL_NOT_FOUND',
  message: string,
  nearest: string | undefined,
): SkillsError {
  return new SkillsError(code, `${message}.`, {
    hint: nearest === undefined ? '`skills list` shows what is here.' : `Did you mean ${nearest}?`,
  });
}

function untrackedIn(entries: ReadonlySet<string>, state: RootState): readonly string[] {
  // The governing files lie here too when the root is a folder of its own.
  const ours = new Set(['skillpack.json', 'skillpack-lock.json']);
  return listUnowned(entries, state.receipts.values()).filter((entry) => !entry.startsWith('.') && !ours.has(entry));
}

/** What stands in for a skill of the chosen packs. What reads skills is loaded where there is something to read. */
async function shadowingIn(
  chosen: readonly PackName[],
  { paths, state, entries }: VerifiedRoot,
): Promise<VerifyReport['shadowing']> {
  if (listUnowned(entries, state.receipts.values()).every((entry) => entry === '.skillpack')) return [];
  const { findShadows } = await import('./find-shadows.js');
  return findShadows({ skillsDir: paths.skillsDir, entries }, state.receipts.values()).filter(({ pack }) =>
    chosen.includes(pack),
  );
}
