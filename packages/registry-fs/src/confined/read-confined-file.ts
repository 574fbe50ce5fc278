import { closeSync, fstatSync, read } from 'node:fs';
import { quoted, SkillsError } from '@skillpack/core/listing';
import { ConfinedFolder } from './confined-folder.js';
import { confinedError } from './confined-error.js';
import { confinedNames } from './confined-names.js';
import type { FolderAccess } from './folder-access.js';
import { folderAccessHere } from './folder-access-here.js';
import { unlessChanging } from './unless-changing.js';

/** How a file is read. */
export interface ReadConfinedFileOptions {
  /** Bytes. A file with more is refused, and so is one that grows beyond while it is read. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
  /** @default the safest that the system has */
  readonly access?: FolderAccess | undefined;
}

const chunkBytes = 256 * 1024;

/**
 * A regular file of a folder, whole. Nothing that is in the folder, and nobody who changes it meanwhile, makes it a file
 * from elsewhere; nothing that is no file is opened.
 *
 * @param realPath the folder, absolute, in which no part is a link.
 * @throws `FILE_NOT_FOUND`, `FILE_TOO_LARGE`, `PATH_TRAVERSAL_BLOCKED`, `IO_ERROR`, `INTERRUPTED`.
 */
export async function readConfinedFile(
  realPath: string,
  path: string,
  { maxBytes, signal, access = folderAccessHere() }: ReadConfinedFileOptions,
): Promise<Uint8Array> {
  const names = confinedNames(path);
  try {
    const descriptor = await unlessChanging(() => openFile({ realPath, names, path }, access));
    try {
      return await readAll(descriptor, { path, maxBytes, signal });
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw confinedError(error, { path, realPath });
  }
}

interface WantedFile {
  readonly realPath: string;
  readonly names: readonly string[];
  readonly path: string;
}

function openFile({ realPath, names, path }: WantedFile, access: FolderAccess): number {
  const folder = new ConfinedFolder(realPath, access);
  try {
    const place = folder.find(names);
    if (place.stat.isFile()) return access.open(place);
    const what = place.stat.isDirectory() ? 'a folder' : 'a pipe, a socket or a device';
    throw new SkillsError('FILE_NOT_FOUND', `${quoted(path)} is ${what}.`, {
      hint: 'Only files can be read.',
      data: { path, folder: realPath },
    });
  } finally {
    folder.close();
  }
}

async function readAll(
  descriptor: number,
  { path, maxBytes, signal }: { readonly path: string } & Pick<ReadConfinedFileOptions, 'maxBytes' | 'signal'>,
): Promise<Uint8Array> {
  const { size } = fstatSync(descriptor);
  if (size > maxBytes) throw tooLarge(path, { size, maxBytes });
  const chunks: Buffer[] = [];
  let length = 0;
  for (;;) {
    if (signal?.aborted === true) {
      throw new SkillsError('INTERRUPTED', `Reading ${quoted(path)} was cancelled.`, { cause: signal.reason });
    }
    // One byte beyond what it says it has, so that the end of most files is known at once.
    const wanted = Math.min(chunkBytes, Math.max(size - length, 0) + 1);
    const chunk = Buffer.allocUnsafe(wanted);
    const bytesRead = await readBytes(descriptor, chunk, length);
    if (bytesRead === 0) return Buffer.concat(chunks, length);
    length += bytesRead;
    if (length > maxBytes) throw tooLarge(path, { size: length, maxBytes });
    chunks.push(chunk.subarray(0, bytesRead));
  }
}

/** As the system does; a promise of `node:util` would take as long to load as hundreds of skills to list. */
async function readBytes(descriptor: number, into: Uint8Array, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(descriptor, into, 0, into.length, position, (error, bytesRead) => {
      if (error === null) resolve(bytesRead);
      else reject(error);
    });
  });
}

function tooLarge(path: string, data: { readonly size: number; readonly maxBytes: number }): SkillsError {
  return new SkillsError(
    'FILE_TOO_LARGE',
    `${quoted(path)} has ${data.size} bytes or more; at most ${data.maxBytes} are read.`,
    {
      hint: 'Read it with a program, or split it.',
      data: { path, ...data },
    },
  );
}
