import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  isPackName,
  manifestFileName,
  parseLockFile,
  parseManifest,
  parseProjectFile,
  parseReceipt,
  SkillsError,
  type InstallReceipt,
  type LockFile,
  type PackManifest,
  type PackName,
  type ProjectFile,
} from '@skillpack/core';
import { sha256 } from '../archive/sha256.js';
import { asIoError, errnoOf } from '../disk/io-error.js';
import { readText } from '../disk/read-text.js';
import { recordDir, type RootPaths } from '../root/root-paths.js';

/** The name of a receipt. */
export const receiptFileName = 'receipt.json';

const governingBytes = 64 * 1024 * 1024;
const recordBytes = 8 * 1024 * 1024;

/** The two governing files of a root, as they are now. */
export interface GoverningFiles {
  /** `undefined` when there is none. */
  readonly projectText: string | undefined;
  readonly project: ProjectFile | undefined;
  readonly lockText: string | undefined;
  readonly lock: LockFile | undefined;
}

/** A receipt that cannot be relied on. */
export interface BrokenRecord {
  /** The folder of the receipt. */
  readonly path: string;
  readonly name: PackName | undefined;
  readonly kind: 'missing' | 'invalid';
  readonly reason: string;
}

/** What is installed in a root. */
export interface InstalledState {
  readonly receipts: ReadonlyMap<PackName, InstallReceipt>;
  readonly broken: readonly BrokenRecord[];
}

/** Everything a plan is made from. */
export interface RootState extends GoverningFiles, InstalledState {}

/** Reads the governing files. @throws `LOCK_CONFLICT`, `INVALID_LOCK`, `INVALID_PROJECT`, `UNSUPPORTED_FORMAT`, `IO_ERROR`. */
export function readGoverningFiles(paths: RootPaths): GoverningFiles {
  const projectText = readText(paths.projectFile, governingBytes);
  const lockText = readText(paths.lockFile, governingBytes);
  return {
    projectText,
    project: projectText === undefined ? undefined : parseProjectFile(projectText, paths.projectFile),
    lockText,
    lock: lockText === undefined ? undefined : parseLockFile(lockText, paths.lockFile),
  };
}

/** Reads every receipt; a broken one is told of, not thrown. @throws `IO_ERROR`. */
export function readInstalled(paths: RootPaths): InstalledState {
  const receipts = new Map<PackName, InstallReceipt>();
  const broken: BrokenRecord[] = [];
  for (const { path, name } of recordFolders(paths)) {
    if (!isPackName(name)) {
      broken.push({ path, name: undefined, kind: 'invalid', reason: 'No pack can have this name.' });
      continue;
    }
    const record = readRecord(path, name);
    if ('kind' in record) broken.push(record);
    else receipts.set(name, record);
  }
  return { receipts, broken };
}

/** The folders of receipts, whatever is in them, by the names of their packs. @throws `IO_ERROR`. */
export function recordFolders(paths: RootPaths): readonly { readonly path: string; readonly name: string }[] {
  return listFolders(paths.controlDir).flatMap((org) =>
    listFolders(join(paths.controlDir, org)).map((base) => ({
      path: join(paths.controlDir, org, base),
      name: `${org}/${base}`,
    })),
  );
}

function readRecord(path: string, name: PackName): InstallReceipt | BrokenRecord {
  const file = join(path, receiptFileName);
  try {
    const text = readText(file, recordBytes);
    if (text === undefined) return { path, name, kind: 'missing', reason: `${file} is missing.` };
    const receipt = parseReceipt(text, file);
    if (receipt.name === name) return receipt;
    return { path, name, kind: 'invalid', reason: `${file} is the receipt of ${receipt.name}.` };
  } catch (error) {
    if (!SkillsError.is(error)) throw error;
    return { path, name, kind: 'invalid', reason: error.message };
  }
}

/**
 * The manifest that a pack was installed from.
 *
 * @returns `undefined` when it is missing.
 * @throws `INVALID_MANIFEST`, `UNSUPPORTED_FORMAT`, `IO_ERROR`.
 */
export function readStoredManifest(paths: RootPaths, name: PackName): PackManifest | undefined {
  const text = readText(join(recordDir(paths, name), manifestFileName), recordBytes);
  return text === undefined ? undefined : parseManifest(text, sha256);
}

/** Names of the folders in a folder, links to folders left out; none when it does not exist. Sorted. */
function listFolders(path: string): readonly string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => name)
      .toSorted();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return [];
    throw asIoError(error, path);
  }
}
