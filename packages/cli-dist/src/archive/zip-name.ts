import { crc32 } from 'node:zlib';
import { quoted } from '@skillpack/core';
import { decodeName, tryDecodeName } from './decode-name.js';
import { refuse } from './refuse.js';
import { extraId } from './zip-extra.js';
import type { ZipRecord } from './zip-records.js';

const unicodeFlag = 0x0800;

/**
 * The name of a zip entry. UTF-8, whether or not the flag says so: Finder does not set it. A name in the code page of
 * some machine is known only when the Unicode path field (APPNOTE 4.6.9) gives it too; where both are readable they
 * have to be equal, since readers differ in which they believe.
 *
 * @throws `ARCHIVE_REFUSED`.
 */
export function readZipName({ name, flags, extra }: Pick<ZipRecord, 'name' | 'flags' | 'extra'>): string {
  const field = extra.get(extraId.unicodePath);
  if (field === undefined) return decodeName(name);
  if (field.length < 5 || field[0] !== 1) throw refuse('bad-header', 'an entry has a malformed Unicode path');
  const path = decodeName(field.subarray(5));
  const plain = tryDecodeName(name);
  const stale = field.readUInt32LE(1) !== crc32(name);
  if (stale || (plain !== path && (plain !== undefined || (flags & unicodeFlag) !== 0))) {
    throw refuse('header-mismatch', `${quoted(path)} has another name in another place`, { path });
  }
  return path;
}
