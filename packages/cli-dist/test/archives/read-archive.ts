import type { ArchiveFile } from '@skillpack/core';
import { createArchiveReader } from '../../src/index.js';

/** One file as it came out of an archive. */
export interface ReadFile {
  readonly text: string;
  readonly executable: boolean;
}

/** Everything in an archive that our reader accepts, by path. */
export async function readArchive(archive: Uint8Array | ArchiveFile): Promise<Record<string, ReadFile>> {
  const opened = await createArchiveReader().open(archive);
  const files: Record<string, ReadFile> = {};
  for await (const { file, chunks } of opened.contents()) {
    const parts: Buffer[] = [];
    for await (const chunk of chunks) parts.push(Buffer.from(chunk));
    files[file.path] = { text: Buffer.concat(parts).toString('latin1'), executable: file.executable };
  }
  return files;
}
