import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Failure } from './failure.js';
import type { OutputFile } from './write-documents.js';

/**
 * Writes all the files or none: each is complete under a name of its own before the first appears under its own.
 *
 * @throws `OUTPUT_EXISTS`, `OUTPUT_FAILED`.
 */
export function writeFiles(files: readonly OutputFile[], { force }: { readonly force: boolean }): void {
  if (!force) {
    for (const { path } of files) if (existsSync(path)) throw exists(path);
  }
  const staged: { readonly path: string; readonly temporary: string }[] = [];
  const placed: string[] = [];
  try {
    for (const { path, bytes } of files) {
      mkdirSync(dirname(path), { recursive: true });
      const temporary = join(dirname(path), `.pdf-${process.pid}-${staged.length}.tmp`);
      staged.push({ path, temporary });
      writeNew(temporary, bytes);
    }
    for (const { path, temporary } of staged) {
      if (force) renameSync(temporary, path);
      else placeNew(temporary, path);
      placed.push(path);
    }
  } catch (error) {
    // With --force an old file may be gone already, so what took its place stays.
    if (!force) for (const path of placed) rmSync(path, { force: true });
    throw error instanceof Failure ? error : writingFailure(error);
  } finally {
    for (const { temporary } of staged) rmSync(temporary, { force: true });
  }
}

function writeNew(path: string, bytes: Uint8Array): void {
  const file = openSync(path, 'wx');
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A hard link refuses a name that is taken, which a rename does not. Some file systems have no links. */
function placeNew(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (existsSync(path)) throw exists(path);
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EISDIR'].includes(codeOf(error))) throw error;
    renameSync(temporary, path);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function exists(path: string): Failure {
  return new Failure(
    'OUTPUT_EXISTS',
    `${path} exists already; nothing was written.`,
    'Choose another name or --force.',
  );
}

function writingFailure(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  return new Failure(
    'OUTPUT_FAILED',
    `The result could not be written: ${message}`,
    'Check the folder and its rights.',
  );
}
