import { readFileSync, statSync } from 'node:fs';
import { Failure } from './failure.js';
import type { InputFile } from './open-document.js';

const maxInputBytes = 256 * 1024 ** 2;

/**
 * Reads the files to work on.
 *
 * @throws `FILE_NOT_FOUND`, `FILE_UNREADABLE`, `FILE_TOO_LARGE`.
 */
export function readFiles(paths: readonly string[]): readonly InputFile[] {
  let left = maxInputBytes;
  return paths.map((path) => {
    const size = sizeOf(path);
    left -= size;
    if (left < 0) {
      throw new Failure(
        'FILE_TOO_LARGE',
        `${path} has ${size} bytes; the input of one run may have ${maxInputBytes} altogether.`,
        'Use qpdf or another tool that does not keep whole files in memory.',
      );
    }
    try {
      return { name: path, bytes: new Uint8Array(readFileSync(path)) };
    } catch (error) {
      throw unreadable(path, error);
    }
  });
}

function sizeOf(path: string): number {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) throw new Failure('FILE_UNREADABLE', `${path} is not a file.`, 'Name the PDF itself.');
    return stats.size;
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) {
      throw new Failure('FILE_NOT_FOUND', `There is no file ${path}.`, 'Check the path; quote it if it has spaces.');
    }
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new Failure('FILE_UNREADABLE', `${path} cannot be read: ${reason}`, 'Check the rights of the file.');
}
