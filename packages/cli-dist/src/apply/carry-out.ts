import { createHash } from 'node:crypto';
import { cpSync, readlinkSync, rmdirSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { parseProjectFile, SkillsError } from '@skillpack/core';
import type native from 'fs-native-extensions';
import { asIoError, errnoOf } from '../disk/io-error.js';
import { makeFolder } from '../disk/make-folder.js';
import { makeFolderDurably } from '../disk/make-folder-durably.js';
import { randomId } from '../disk/random-id.js';
import { readText } from '../disk/read-text.js';
import { removeFile } from '../disk/remove-file.js';
import { tryToRemoveTree } from '../disk/try-to-remove-tree.js';
import { renameEntry } from '../disk/rename-entry.js';
import { inodeOf, statEntry } from '../disk/stat-entry.js';
import { syncFolder } from '../disk/sync-folder.js';
import { writeFileByRename } from '../disk/write-file-durably.js';
import { confinedPath, type RootPaths } from '../root/root-paths.js';
import { linkFolders } from '../target/agent-folders.js';
import type { Journal, LinkChange, Move, TextChange } from './journal.js';
import { keepUnexpected } from './keep-unexpected.js';
import { placeBackup } from './place-backup.js';
import { isAsTraced } from './standing.js';

const governingBytes = 64 * 1024 * 1024;

/** Where somebody else had been when a journal was carried out. */
export interface CarriedOut {
  /** Governing files that were changed by somebody else and stay as they are. */
  readonly changedTexts: readonly TextChange['file'][];
  /** The backup that the change was decided with, and folders that what stood in the way was moved to. */
  readonly backups: readonly string[];
}

/**
 * Carries out a committed journal and removes it. Every step looks first whether it is done already, so that a journal
 * whose process died is simply carried out again.
 *
 * @throws what the disk throws; the journal stays then, and the next command carries on.
 */
export async function carryOut(journal: Journal, paths: RootPaths): Promise<CarriedOut> {
  const { default: swapper } = await import('fs-native-extensions');
  const folder = join(paths.staging, journal.id);
  const trash = join(folder, 'trash');
  makeFolder(trash);
  const backup = placeBackup(journal, paths);
  makeOrganisations(journal, paths);
  for (const [index, move] of journal.moves.entries()) {
    carryOutMove(move, { folder, trash: () => join(trash, `${index}-${randomId()}`), paths, swapper });
  }
  const linked = allowedLinks(journal, paths).flatMap((link) => carryOutLink(link, paths));
  const parents = journal.moves.map((move) => dirname(join(paths.skillsDir, move.to)));
  syncFolders(new Set([...parents, ...linked]));
  const changedTexts = journal.texts.filter((text) => !carryOutText(text, paths)).map(({ file }) => file);
  syncFolders(new Set(journal.texts.map(({ file }) => dirname(textPath(file, paths)))));
  // The last thing before nothing leads to what was swapped out any more.
  const unexpected = keepUnexpected(journal, paths);
  removeFile(paths.journal);
  syncFolder(paths.controlDir);
  tryToRemoveTree(paths.staging);
  removeEmptyOrganisations(journal, paths);
  return { changedTexts, backups: [...backup, ...unexpected] };
}

/** A new record may be the first of its organisation, whose folder has to be on the disk before anything is in it. */
function makeOrganisations({ moves }: Journal, { skillsDir, controlDir }: RootPaths): void {
  const added = moves.filter(({ kind, to, replaces }) => kind === 'put' && replaces === null && to.includes('/'));
  for (const { to } of added) makeFolder(dirname(join(skillsDir, to)));
  if (added.length > 0) syncFolder(controlDir);
}

function syncFolders(folders: ReadonlySet<string>): void {
  for (const folder of folders) if (statEntry(folder)?.isDirectory() === true) syncFolder(folder);
}

interface MovePlaces {
  readonly folder: string;
  /** A path that nothing is at; most moves need none. */
  readonly trash: () => string;
  readonly paths: RootPaths;
  readonly swapper: typeof native;
}

/** Whether a move happened already. */
export function isMoved(move: Move, paths: RootPaths): boolean {
  const present = inodeOf(join(paths.skillsDir, move.to));
  return move.kind === 'put' ? present === move.inode : present !== move.replaces.inode;
}

/** Whether carrying out a journal would put aside something that is not what it was decided on. */
export function displacesOthers(journal: Journal, paths: RootPaths): boolean {
  return journal.moves.some((move) => {
    const place = join(paths.skillsDir, move.to);
    return !isMoved(move, paths) && statEntry(place) !== undefined && !isAsTraced(place, move.replaces);
  });
}

function carryOutMove(move: Move, { folder, trash, paths, swapper }: MovePlaces): void {
  if (isMoved(move, paths)) return;
  const place = join(paths.skillsDir, move.to);
  if (move.kind === 'drop') {
    moveAway(move, { place, trash: trash() });
    return;
  }
  const staged = join(folder, move.from);
  if (statEntry(place) === undefined) {
    makeFolder(dirname(place));
    renameEntry(staged, place);
    return;
  }
  if (exchange(staged, place, swapper)) return;
  moveAway(move, { place, trash: trash() });
  renameEntry(staged, place);
}

/** Swaps two folders in one step, where system and file system can: then no reader ever finds the place empty. */
function exchange(from: string, to: string, swapper: typeof native): boolean {
  if (process.platform === 'win32') return false;
  try {
    swapper.swapSync(from, to);
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (cannotExchange.has(code)) return false;
    // The native addon says no more than the code.
    throw asIoError(Object.assign(error as Error, { syscall: 'exchange', path: to }));
  }
}

// No such call, no such flag on this file system, not for this folder of an overlay, not in this sandbox.
const cannotExchange = new Set(['ENOSYS', 'EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'EXDEV', 'EPERM']);

function moveAway(move: Move, { place, trash }: { readonly place: string; readonly trash: string }): void {
  try {
    renameEntry(place, trash);
  } catch (error) {
    // An overlay file system cannot rename a folder of a lower layer.
    if (errnoOf(error) !== 'EXDEV') throw error;
    if (!isAsTraced(place, move.replaces)) cpSync(place, trash, { recursive: true, verbatimSymlinks: true });
    rmSync(place, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Without those that are to be made anywhere but in the folders that `targets` names: no install decides on one. */
function allowedLinks({ links, texts }: Journal, paths: RootPaths): readonly LinkChange[] {
  if (links.every(({ kind }) => kind === 'remove')) return links;
  const text = texts.find(({ file }) => file === 'project')?.after ?? readText(paths.projectFile, governingBytes);
  const folders = new Set(foldersNamedIn(text, paths));
  return links.filter(
    ({ kind, path, skill }) =>
      kind === 'remove' || (folders.has(posix.dirname(path)) && posix.basename(path) === skill),
  );
}

function foldersNamedIn(text: string | undefined, { projectFile, root }: RootPaths): readonly string[] {
  try {
    const targets = text === undefined ? [] : (parseProjectFile(text, projectFile).targets ?? []);
    return linkFolders(targets, root.scope).map(({ folder }) => folder);
  } catch (error) {
    if (SkillsError.is(error)) return [];
    throw error;
  }
}

/** @returns the folder of the link, where one may have been made or removed. */
function carryOutLink(link: LinkChange, paths: RootPaths): readonly string[] {
  if (paths.linkBase === undefined) return [];
  const path = join(paths.linkBase, link.path);
  const skill = join(paths.skillsDir, link.skill);
  if (paths.root.scope === 'project') confinedPath(dirname(path), paths.linkBase);
  if (link.kind === 'remove') {
    if (leadsTo(path, skill)) unlinkSync(path);
    return [dirname(path)];
  }
  if (statEntry(path) !== undefined) return [dirname(path)];
  if (statEntry(skill)?.isDirectory() !== true) return [];
  makeFolderDurably(dirname(path));
  // A junction needs no privilege on Windows, but an absolute target.
  if (process.platform === 'win32') symlinkSync(skill, path, 'junction');
  else symlinkSync(relative(dirname(path), skill), path);
  return [dirname(path)];
}

/** Whether a link stands at `path` that leads to `folder`, in one step. */
export function leadsTo(path: string, folder: string): boolean {
  if (statEntry(path)?.isSymbolicLink() !== true) return false;
  return relative(folder, resolve(dirname(path), readlinkSync(path))) === '';
}

/** @returns whether the file now has the text it should have. */
function carryOutText(change: TextChange, paths: RootPaths): boolean {
  const path = textPath(change.file, paths);
  const present = readText(path, governingBytes);
  if (present === change.after) return true;
  if (textDigest(present) !== change.before) return false;
  makeFolderDurably(dirname(path));
  writeFileByRename(path, change.after, { durable: true });
  return true;
}

function textPath(file: TextChange['file'], { lockFile, projectFile }: RootPaths): string {
  return file === 'lock' ? lockFile : projectFile;
}

/** What a {@link TextChange} compares. */
export function textDigest(text: string | undefined): string | null {
  return text === undefined ? null : createHash('sha256').update(text).digest('hex');
}

function removeEmptyOrganisations(journal: Journal, paths: RootPaths): void {
  const organisations = new Set(
    journal.moves.filter((move) => move.kind === 'drop' && move.to.includes('/')).map((move) => dirname(move.to)),
  );
  for (const organisation of organisations) {
    try {
      rmdirSync(join(paths.skillsDir, organisation));
    } catch {
      // Another pack of the organisation is installed.
    }
  }
}
