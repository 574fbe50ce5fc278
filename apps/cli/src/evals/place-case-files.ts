import { basename, dirname, extname, join } from 'node:path';
import type { EvalFile, EvalSuite } from '@skillpack/evals';
import { makeFolder } from '../files/make-folder.js';
import { writeWholeFile } from '../files/write-whole-file.js';

/** A file of a case that lies beside the file of cases. */
export interface PlacedFile {
  readonly of: { readonly case: string; readonly path: string };
  /** What the file of cases calls it: a path relative to that. */
  readonly from: string;
  /** Absolute. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** What is longer than that is no part of a file that people read. */
const mostCharacters = 4_000;

/**
 * Where files of cases go that are no short text: `cases-files/<case>/<path>` beside `cases.yaml`; one that several cases
 * have goes there once.
 *
 * @param target the file of cases, absolute.
 */
export function placeCaseFiles({ cases }: EvalSuite, target: string): readonly PlacedFile[] {
  const folder = `${basename(target, extname(target))}-files`;
  const placed: PlacedFile[] = [];
  for (const { id, files } of cases) {
    for (const file of files) {
      if (isShortText(file)) continue;
      const same = placed.find(({ of, bytes }) => of.path === file.path && Buffer.compare(bytes, file.bytes) === 0);
      const from = same?.from ?? `${folder}/${id}/${file.path}`;
      const of = { case: id, path: file.path };
      placed.push({ of, from, path: join(dirname(target), ...from.split('/')), bytes: file.bytes });
    }
  }
  return placed;
}

/** Writes them, each once, unless one of them is refused. @returns their paths. @throws `IO_ERROR`; as `refuse`. */
export async function writePlaced(
  placed: readonly PlacedFile[],
  refuse: (path: string) => void,
): Promise<readonly string[]> {
  const files = new Map(placed.map(({ path, bytes }) => [path, bytes]));
  for (const path of files.keys()) refuse(path);
  for (const [path, bytes] of files) {
    makeFolder(dirname(path));
    await writeWholeFile(path, bytes);
  }
  return [...files.keys()];
}

function isShortText({ bytes }: EvalFile): boolean {
  if (bytes.length > mostCharacters) return false;
  try {
    // oxlint-disable-next-line eslint/no-control-regex -- finding control characters is what it is for
    return !/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/u.test(
      new TextDecoder('utf-8', { fatal: true }).decode(bytes),
    );
  } catch {
    // It is no UTF-8.
    return false;
  }
}
