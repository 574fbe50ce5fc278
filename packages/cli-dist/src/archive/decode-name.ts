import { refuse } from './refuse.js';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * A name in UTF-8.
 *
 * @throws `ARCHIVE_REFUSED` when it is not UTF-8: what it is instead, nobody can know.
 */
export function decodeName(bytes: Uint8Array): string {
  const name = tryDecodeName(bytes);
  if (name !== undefined) return name;
  throw refuse('path-not-unicode', 'a name in it is not UTF-8', {
    path: Buffer.from(bytes.subarray(0, 200)).toString('latin1'),
  });
}

/** As {@link decodeName}; `undefined` for what is not UTF-8. */
export function tryDecodeName(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
