import { join } from 'node:path';
import {
  formatManifest,
  formatReceipt,
  manifestFileName,
  SkillsError,
  type InstallReceipt,
  type PackManifest,
  type PackName,
} from '@skillpack/core';
import type { StagedMove } from '../apply/journal.js';
import type { StagingFolder } from '../apply/staging-folder.js';
import { statEntry } from '../disk/stat-entry.js';
import { fetchContent, type FetchedContent, type FetchPorts } from '../fetch/fetch-content.js';
import type { PackContent } from '../fetch/pack-content.js';
import { readStoredManifest, receiptFileName } from '../lock/root-state.js';
import { boundedMap } from '../parallel/bounded-map.js';
import { ByteBudget } from '../parallel/byte-budget.js';
import type { PlannedPack } from '../plan/draft-plan.js';
import type { Candidate } from '../resolve/candidate.js';
import { originOf } from '../resolve/origin-of.js';
import { recordDir, type RootPaths } from '../root/root-paths.js';
import { throwIfAborted } from '../root/root-lock.js';
import { unmetRequirements } from '../trust/check-trust.js';
import type { SkillEdits } from '../verify/find-edits.js';
import type { InstallSession } from './install-session.js';
import { recordDiffers, type PreparedInstall } from './prepare-install.js';

/** Installed skills that are to be replaced or removed, and what a person made of them. */
export type EditsByPack = ReadonlyMap<PackName, readonly SkillEdits[]>;

/** A prepared install, and where it is staged. */
export interface StagedInstall {
  readonly session: InstallSession;
  readonly prepared: PreparedInstall;
  readonly edits: EditsByPack;
  readonly staging: StagingFolder;
}

type IncomingPack = Extract<PlannedPack, { readonly put: readonly string[] }>;

const fetchWidth = 16;
/** Of archives in memory at one time. */
const budgetBytes = 48 * 1024 * 1024;

/**
 * Fetches and stages everything of an install, many packs at a time.
 *
 * @returns the moves that put it in place.
 * @throws what fetching throws, `IO_ERROR`, `INTERRUPTED`.
 */
export async function stageInstall(install: StagedInstall): Promise<readonly StagedMove[]> {
  const { plan } = install.prepared;
  const incoming = [...plan].flatMap(([name, planned]) => ('put' in planned ? [{ name, planned }] : []));
  const memory = new ByteBudget(budgetBytes);
  let done = 0;
  const moves = await boundedMap(
    incoming,
    async ({ name, planned }) => {
      throwIfAborted(install.session.options.signal);
      const staged = await stagePack(name, planned, { ...install, memory });
      done += 1;
      install.session.options.onEvent?.({ kind: 'staged', name, done, total: incoming.length });
      return staged;
    },
    { width: fetchWidth },
  );
  const leaving = [...plan].flatMap(([name, planned]) => leavingMoves(name, planned, install));
  const relinked = [...plan].flatMap(([name, planned]) => relinkedMoves(name, planned, install));
  return [...moves.flat(), ...leaving, ...relinked];
}

async function stagePack(
  name: PackName,
  planned: IncomingPack,
  { memory, ...install }: StagedInstall & Pick<FetchPorts, 'memory'>,
): Promise<readonly StagedMove[]> {
  const { session } = install;
  const fetched = await fetchContent(planned.candidate, { ...session.fetchPorts, memory }, session.options);
  try {
    return await stageContent(name, { planned, fetched }, install);
  } finally {
    fetched.close();
  }
}

async function stageContent(
  name: PackName,
  { planned, fetched }: { readonly planned: IncomingPack; readonly fetched: FetchedContent },
  install: StagedInstall,
): Promise<readonly StagedMove[]> {
  const { session, staging } = install;
  const { content, downloaded } = fetched;
  if (downloaded > 0) session.countDownload(downloaded);
  for (const warning of unmetRequirements(name, content.manifest.requires, session.ports.machine)) {
    session.warn(warning);
  }
  const put = skillsToPut(name, planned, { install, manifest: content.manifest });
  await writeSkills(content, put, staging);
  const receipt = receiptOf(planned.candidate, install);
  return [
    ...put.map((skill) => putMove(`skills/${skill}`, skill, staging)),
    stageRecord({ receipt, ...content }, install),
  ];
}

/** The skills that differ from what is installed: one that is the same in both versions, and intact, is not touched. */
function skillsToPut(
  name: PackName,
  planned: IncomingPack,
  { install, manifest }: { readonly install: StagedInstall; readonly manifest: PackManifest },
): readonly string[] {
  if (planned.kind !== 'update') return planned.put;
  const intact = new Set(install.edits.get(name)?.flatMap((edits) => (edits.intact ? [edits.skill] : [])));
  if (intact.size === 0) return planned.put;
  const before = readStoredManifest(install.session.paths, name);
  const listing = (files: PackManifest['files'], skill: string): string =>
    files
      .filter(({ path }) => path.startsWith(`${skill}/`))
      .map(({ path, digest, executable }) => `${digest} ${executable} ${path}`)
      .join('\n');
  return planned.put.filter(
    (skill) => !intact.has(skill) || listing(before?.files ?? [], skill) !== listing(manifest.files, skill),
  );
}

async function writeSkills(content: PackContent, skills: readonly string[], staging: StagingFolder): Promise<void> {
  const wanted = new Set(skills);
  if (wanted.size === 0) return;
  for await (const entry of content.contents()) {
    const { path } = entry.file;
    if (wanted.has(path.slice(0, path.indexOf('/')))) await staging.writeFile(`skills/${path}`, entry);
  }
}

function putMove(from: string, to: string, staging: StagingFolder): StagedMove {
  return { kind: 'put', from, to, inode: staging.inode(from) };
}

function receiptOf(candidate: Candidate, { session, prepared }: StagedInstall): InstallReceipt {
  const { name, version, treeDigest, skills, source } = candidate;
  return {
    name,
    version,
    source: originOf(candidate),
    integrity: source.kind === 'folder' ? undefined : source.integrity,
    treeDigest,
    skills,
    installedAt: session.ports.now().toISOString(),
    installedBy: session.ports.version,
    links: prepared.links.links.get(name) ?? [],
  };
}

interface PackRecord {
  readonly receipt: InstallReceipt;
  readonly manifest: PackManifest;
  readonly manifestText?: string | undefined;
}

function stageRecord({ receipt, manifest, manifestText }: PackRecord, { staging }: StagedInstall): StagedMove {
  const from = `records/${receipt.name}`;
  staging.writeText(`${from}/${manifestFileName}`, manifestText ?? formatManifest(manifest));
  staging.writeText(`${from}/${receiptFileName}`, formatReceipt(receipt));
  return putMove(from, `.skillpack/${receipt.name}`, staging);
}

/** What leaves the root: skills that a new version does not have, and packs that nothing wants. */
function leavingMoves(
  name: PackName,
  planned: PlannedPack,
  { session, edits, staging }: StagedInstall,
): readonly StagedMove[] {
  if (!('drop' in planned)) return [];
  const known = new Map(edits.get(name)?.map((edit) => [edit.skill, edit]));
  const skills = planned.drop.flatMap((skill) =>
    dropMoves(skill, known.get(skill)?.edited ?? [], { paths: session.paths, staging }),
  );
  return planned.kind === 'update' ? skills : [...skills, ...dropRecord(name, session.paths)];
}

/** Removes the record of a pack. */
export function dropRecord(name: PackName, paths: RootPaths): readonly StagedMove[] {
  return statEntry(recordDir(paths, name)) === undefined ? [] : [{ kind: 'drop', to: `.skillpack/${name}` }];
}

/**
 * Removes an installed skill. Files in `kept` stay where they are: the folder is replaced by one that holds nothing
 * else. What is not a folder is nobody's install, and stays.
 */
export function dropMoves(
  skill: string,
  kept: readonly string[],
  { paths, staging }: { readonly paths: RootPaths; readonly staging: StagingFolder },
): readonly StagedMove[] {
  if (statEntry(join(paths.skillsDir, skill))?.isDirectory() !== true) return [];
  if (kept.length === 0) return [{ kind: 'drop', to: skill }];
  for (const path of kept) staging.takeOver(`kept/${path}`, join(paths.skillsDir, path));
  return [putMove(`kept/${skill}`, skill, staging)];
}

/** A pack that stays, but is linked elsewhere than its receipt says, or locked from elsewhere, gets a new receipt. */
function relinkedMoves(name: PackName, planned: PlannedPack, install: StagedInstall): readonly StagedMove[] {
  if (planned.kind !== 'keep' || !recordDiffers(name, planned, install.prepared)) return [];
  const manifest = readStoredManifest(install.session.paths, name);
  if (manifest === undefined) {
    throw new SkillsError(
      'INVALID_RECEIPT',
      `The manifest of ${name} is missing in ${recordDir(install.session.paths, name)}.`,
      {
        hint: 'Run `skills install --replace` to install the pack anew.',
      },
    );
  }
  const links = install.prepared.links.links.get(name) ?? [];
  return [
    stageRecord({ receipt: { ...planned.receipt, source: originOf(planned.candidate), links }, manifest }, install),
  ];
}
