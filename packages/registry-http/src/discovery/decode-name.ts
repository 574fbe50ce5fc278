import { refuseArchive } from './refuse-archive.js';

const nameDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A name in UTF-8. @throws `ARCHIVE_REFUSED` when it is not: what it is instead, nobody can know. */
export function decodeName(bytes: Uint8Array): string {
  try {
    return nameDecoder.decode(bytes);
  } catch {
    throw refuseArchive('path-not-unicode', 'a name in it is not UTF-8');
  }
}
