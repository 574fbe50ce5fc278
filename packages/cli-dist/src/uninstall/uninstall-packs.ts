import { join } from 'node:path';
import { SkillsError, type LockFile, type PackName } from '@skillpack/core';
import { commitChanges } from '../apply/commit-changes.js';
import { judgeAnew } from '../apply/judge-anew.js';
import { isUnsettled, recoverRoot } from '../apply/recover-root.js';
import { StagingFolder } from '../apply/staging-folder.js';
import { standingAt, type Standing } from '../apply/standing.js';
import { asIoError } from '../disk/io-error.js';
import { statEntry } from '../disk/stat-entry.js';
import { advisedRefusal } from '../doctor/advised-refusal.js';
import type { DoctorPorts } from '../doctor/symptom.js';
import { defaultLockTimeout } from '../install/apply-install.js';
import { backUpFiles } from '../install/back-up-files.js';
import { governingTexts } from '../install/governing-texts.js';
import { dropMoves, dropRecord } from '../install/stage-install.js';
import { readGoverningFiles, readInstalled, readStoredManifest, type RootState } from '../lock/root-state.js';
import { lockRoot, type RootLock } from '../root/root-lock.js';
import { rootPaths, type RootPaths } from '../root/root-paths.js';
import { findLinks, obsoleteLinks } from '../target/plan-links.js';
import { RevocationNotes } from '../trust/revocation-notes.js';
import { findEdits } from '../verify/find-edits.js';
import { checkRecorded } from './check-recorded.js';
import { planUninstall, type UninstallPlan } from './plan-uninstall.js';
import type { RemovedPack, UninstallOptions, UninstallReport, UninstallRequest } from './uninstall-report.js';

/**
 * Removes packs: exactly the files that were installed. Edited and added files stay where they are, unless `force`;
 * what was there only for a removed pack goes too. A crash leaves everything or nothing of it.
 *
 * @throws `PACK_NOT_INSTALLED`, `SKILL_NOT_FOUND`, `STILL_NEEDED`, `USAGE`, `LOCK_CONFLICT`, `BUSY`, `INTERRUPTED`,
 *   `IO_ERROR`, and `FOLDER_NOT_OWNED` where a skill is there and the record that says whose it is was lost: nothing was
 *   changed.
 */
export async function uninstallPacks(
  request: UninstallRequest,
  ports: DoctorPorts,
  options: UninstallOptions = {},
): Promise<UninstallReport> {
  try {
    const paths = rootPaths(request.root);
    const { dryRun = false } = options;
    // Before the lock is taken: a name that is not here must not leave as much as a folder.
    if (dryRun || !isUnsettled(paths)) {
      const removal = decide(request.names, paths, options);
      if (dryRun) return describe(removal, { paths, options, backups: [] });
    }
    return await removeLocked(request.names, { paths, now: ports.now }, options);
  } catch (error) {
    throw SkillsError.is(error) ? await advisedRefusal(error, { root: request.root, ports }) : asIoError(error);
  }
}

/** What goes, and what of it stays. */
interface Removal {
  readonly state: RootState;
  readonly plan: UninstallPlan;
  readonly packs: readonly RemovedPack[];
  readonly texts: ReturnType<typeof governingTexts>;
  /** What stood at every place that is to be changed, before anything about it was judged. */
  readonly judged: ReadonlyMap<string, Standing | undefined>;
}

function decide(names: readonly string[], paths: RootPaths, { force = false, save = true }: UninstallOptions): Removal {
  const state: RootState = { ...readGoverningFiles(paths), ...readInstalled(paths) };
  const installed = installedSkills(state, paths);
  const wanted = new Set(Object.keys(state.project?.packs ?? {}) as PackName[]); // keys of a record of pack names
  const plan = planUninstall({ names, force, installed, lock: state.lock, wanted });
  checkRecorded({ names: plan.keys(), installed, state }, paths);
  const places = [...plan.keys()].flatMap((name) => [...(installed.get(name) ?? []), `.skillpack/${name}`]);
  const judged = new Map(places.map((place) => [place, standingAt(join(paths.skillsDir, place))]));
  const packs = [...plan].map(([name, reason]): RemovedPack => {
    const skills = installed.get(name) ?? [];
    const kept = force ? [] : findEdits({ name, skills }, paths).flatMap(({ edited }) => edited);
    const version = state.receipts.get(name)?.version ?? state.lock?.packs[name]?.version ?? 'unknown';
    return { name, version, skills, reason, kept };
  });
  const without = <Value>(record: Readonly<Record<PackName, Value>>): Record<PackName, Value> =>
    Object.fromEntries(Object.entries(record).filter(([name]) => !plan.has(name as PackName))) as Record<
      PackName,
      Value
    >;
  const saved = state.project?.packs ?? {};
  const texts = governingTexts(
    {
      packs: without<LockFile['packs'][PackName]>(state.lock?.packs ?? {}),
      saved: save ? without<string>(saved) : saved,
    },
    { files: state, paths },
  );
  return { state, plan, packs, texts, judged };
}

/** Skills by pack; those of a pack whose receipt is broken, by its manifest. */
function installedSkills(state: RootState, paths: RootPaths): ReadonlyMap<PackName, readonly string[]> {
  const skills = new Map([...state.receipts].map(([name, receipt]) => [name, receipt.skills]));
  for (const { name } of state.broken) {
    if (name === undefined) continue;
    try {
      const manifest = readStoredManifest(paths, name);
      skills.set(name, manifest?.name === name ? manifest.skills.map((skill) => skill.name) : []);
    } catch (error) {
      if (!SkillsError.is(error)) throw error;
      skills.set(name, []);
    }
  }
  return skills;
}

interface Place {
  readonly paths: RootPaths;
  readonly now: () => Date;
}

async function removeLocked(
  names: readonly string[],
  { paths, now }: Place,
  options: UninstallOptions,
): Promise<UninstallReport> {
  const timeout = options.lockTimeout ?? defaultLockTimeout;
  const lock = await lockRoot(paths, {
    timeout,
    signal: options.signal,
    onWait: (holder) => options.onEvent?.({ kind: 'waiting', holder, timeout }),
  });
  let prune = false;
  try {
    const recovery = await recoverRoot(paths);
    if (recovery !== undefined) options.onEvent?.({ kind: 'recovered', outcome: recovery.outcome });
    const report = await judgeAnew(async () => {
      const removal = decide(names, paths, options);
      const backups = await stageAndCommit(removal, { paths, now, lock }, options);
      return describe(removal, { paths, options, backups: [...(recovery?.backups ?? []), ...backups] });
    });
    new RevocationNotes(paths).update(
      report.removed.map(({ name }) => name),
      new Map(),
    );
    prune = true;
    options.onEvent?.({ kind: 'applied', packs: report.removed.length });
    return report;
  } finally {
    lock.release({ prune });
  }
}

async function stageAndCommit(
  removal: Removal,
  { paths, now, lock }: Place & { readonly lock: RootLock },
  options: UninstallOptions,
): Promise<readonly string[]> {
  const staging = new StagingFolder(paths);
  let committed = false;
  try {
    const moves = removal.packs.flatMap(({ name, skills, kept }) => [
      ...skills.flatMap((skill) => dropMoves(skill, keptOf(skill, kept), { paths, staging })),
      ...dropRecord(name, paths),
    ]);
    const targets = removal.state.project?.targets ?? [];
    const links = removal.packs.flatMap(({ name, skills }) => {
      const receipt = removal.state.receipts.get(name) ?? { skills, links: findLinks(skills, targets, paths) };
      return obsoleteLinks({ receipt }, [], paths);
    });
    const skills = options.backup === true ? removal.packs.flatMap((pack) => pack.skills) : [];
    const files = skills.filter((skill) => statEntry(join(paths.skillsDir, skill)) !== undefined);
    const backup = backUpFiles({ paths, files, now: now(), staying: options.force !== true }, staging);
    const onCommitted = (): void => {
      committed = true;
      options.onEvent?.({ kind: 'committed' });
    };
    const journal = { moves, backup, links, texts: removal.texts };
    const { judged } = removal;
    const change = { paths, lock, staging, journal, judged };
    const { backups } = await commitChanges(change, { signal: options.signal, onCommitted });
    return backups;
  } catch (error) {
    if (!committed) staging.discard();
    throw error;
  }
}

function keptOf(skill: string, kept: readonly string[]): readonly string[] {
  return kept.filter((path) => path.startsWith(`${skill}/`));
}

function describe(
  { packs, texts }: Removal,
  {
    paths,
    options,
    backups,
  }: { readonly paths: RootPaths; readonly options: UninstallOptions; readonly backups: readonly string[] },
): UninstallReport {
  return {
    root: paths.skillsDir,
    dryRun: options.dryRun === true,
    removed: packs.toSorted((left, right) => (left.name < right.name ? -1 : 1)),
    backups,
    saved: {
      projectFile: texts.some(({ file }) => file === 'project'),
      lockFile: texts.some(({ file }) => file === 'lock'),
    },
  };
}
