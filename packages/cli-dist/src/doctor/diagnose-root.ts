import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { formatReceipt, type PackName } from '@skillpack/core';
import { readJournal } from '../apply/journal.js';
import { recoverRoot } from '../apply/recover-root.js';
import { asIoError } from '../disk/io-error.js';
import { randomId } from '../disk/random-id.js';
import { temporaryFiles } from '../disk/temporary-files.js';
import { writeFileDurably } from '../disk/write-file-durably.js';
import { defaultLockTimeout } from '../install/apply-install.js';
import { originOf } from '../install/stage-install.js';
import type { PackManagerPorts } from '../install/pack-manager-ports.js';
import { candidateOfEntry } from '../lock/lock-entry.js';
import { readGoverningFiles, readStoredManifest, receiptFileName } from '../lock/root-state.js';
import { lockRoot } from '../root/root-lock.js';
import { recordDir, rootPaths, type RootPaths } from '../root/root-paths.js';
import { findLinks } from '../target/plan-links.js';
import type { DoctorFinding, DoctorOptions, DoctorReport, DoctorRequest } from './doctor-report.js';
import { examineAccess, examineInstalled, examineLeftovers, type Symptom } from './examine-root.js';

/** What a diagnosis works with: neither a registry nor a network. */
export type DoctorPorts = Pick<PackManagerPorts, 'store' | 'now' | 'version'>;

/**
 * Looks for everything that can be wrong with a root and with the store. With `repair`, mends what can be mended without
 * losing anything and without a network; says for the rest what to do.
 *
 * @throws `BUSY`, `INTERRUPTED`, `IO_ERROR`.
 */
export async function diagnoseRoot(
  request: DoctorRequest,
  ports: DoctorPorts,
  options: DoctorOptions = {},
): Promise<DoctorReport> {
  try {
    const paths = rootPaths(request.root);
    const leftovers = examineLeftovers(paths);
    const findings =
      options.repair === true ? await mend(leftovers, { paths, ports }, options) : examine(leftovers, paths);
    const { damaged } = await ports.store.verify({ repair: options.repair === true, signal: options.signal });
    const archives = damaged.map((path): DoctorFinding => ({
      kind: 'damaged-archive',
      subject: path,
      message: 'An archive in the store does not have the bytes of its name.',
      advice:
        options.repair === true
          ? 'It was removed, and is fetched anew when it is needed.'
          : 'Run `skills doctor --repair`.',
      repaired: options.repair === true,
    }));
    const all = [...findings, ...archives];
    return { root: paths.skillsDir, ok: all.every(({ repaired }) => repaired), findings: all };
  } catch (error) {
    throw asIoError(error);
  }
}

function examine(leftovers: readonly Symptom[], paths: RootPaths): readonly DoctorFinding[] {
  return [...leftovers, ...examineInstalled(paths), ...examineAccess(paths)].map((symptom) =>
    asFinding(symptom, undefined),
  );
}

function asFinding({ kind, subject, message, advice }: Symptom, done: string | undefined): DoctorFinding {
  return { kind, subject, message, advice: done ?? advice, repaired: done !== undefined };
}

interface Patient {
  readonly paths: RootPaths;
  readonly ports: DoctorPorts;
}

async function mend(
  leftovers: readonly Symptom[],
  patient: Patient,
  options: DoctorOptions,
): Promise<readonly DoctorFinding[]> {
  const { paths } = patient;
  const access = examineAccess(paths);
  const needsLock = leftovers.length > 0 || examineInstalled(paths).some(({ name }) => name !== undefined);
  if (access.length > 0 || !needsLock) return examine(leftovers, paths);
  const lock = await lockRoot(paths, { timeout: options.lockTimeout ?? defaultLockTimeout, signal: options.signal });
  try {
    const mended = leftovers.length === 0 ? [] : await mendLeftovers(leftovers, paths);
    const installed = examineInstalled(paths).map((symptom) => asFinding(symptom, mendRecord(symptom, patient)));
    return [...mended, ...installed];
  } finally {
    lock.release();
  }
}

async function mendLeftovers(leftovers: readonly Symptom[], paths: RootPaths): Promise<readonly DoctorFinding[]> {
  let done = 'It was carried through, or removed where it had not been decided.';
  if (readJournal(paths.journal) === 'unreadable') {
    const aside = join(paths.controlDir, `.unreadable-journal-${randomId()}.json`);
    renameSync(paths.journal, aside);
    done = `It was put aside as ${aside}.`;
  }
  const recovery = await recoverRoot(paths);
  for (const backup of recovery?.backups ?? []) done += ` What stood in its way is in ${backup}.`;
  for (const path of [paths.controlDir, paths.baseDir].flatMap(temporaryFiles)) rmSync(path, { force: true });
  return leftovers.map((symptom) => asFinding(symptom, done));
}

/** @returns what was done, or `undefined` when nothing could be. */
function mendRecord({ kind, name }: Symptom, { paths, ports }: Patient): string | undefined {
  if (name === undefined) return undefined;
  if (kind === 'orphan-receipt') {
    rmSync(recordDir(paths, name), { recursive: true, force: true });
    return 'The receipt was removed.';
  }
  return kind === 'broken-receipt' && rewriteReceipt(name, paths, ports)
    ? 'The receipt was written anew from the lock file and the manifest.'
    : undefined;
}

/** A receipt follows from the lock entry where the manifest beside it is the one that is locked. */
function rewriteReceipt(name: PackName, paths: RootPaths, ports: DoctorPorts): boolean {
  const { lock, project } = readGoverningFiles(paths);
  const entry = lock?.packs[name];
  const manifest = readStoredManifest(paths, name);
  if (entry === undefined || manifest?.treeDigest !== entry.treeDigest) return false;
  const receipt = formatReceipt({
    name,
    version: entry.version,
    source: originOf(candidateOfEntry(name, entry, paths.baseDir)),
    integrity: entry.source === 'folder' ? undefined : entry.integrity,
    treeDigest: entry.treeDigest,
    skills: entry.skills,
    installedAt: ports.now().toISOString(),
    installedBy: ports.version,
    links: findLinks(entry.skills, project?.targets ?? [], paths),
  });
  writeFileDurably(join(recordDir(paths, name), receiptFileName), receipt);
  return true;
}
