import { refuse } from './refuse.js';

/** Header ids of extra fields (APPNOTE 4.5.2, 4.6.9). */
export const extraId = { zip64: 0x0001, unicodePath: 0x7075 } as const;

/**
 * Splits an extra field into its blocks.
 *
 * @throws `ARCHIVE_REFUSED`.
 */
export function readExtraFields(data: Buffer): ReadonlyMap<number, Buffer> {
  const fields = new Map<number, Buffer>();
  let at = 0;
  while (at + 4 <= data.length) {
    const id = data.readUInt16LE(at);
    const end = at + 4 + data.readUInt16LE(at + 2);
    if (end > data.length) throw malformed();
    const known = id === extraId.zip64 || id === extraId.unicodePath;
    if (known && fields.has(id)) throw refuse('bad-header', 'an entry has an extra field twice');
    fields.set(id, data.subarray(at + 4, end));
    at = end;
  }
  // Aligning tools fill up with less than a block of zeros.
  if (data.subarray(at).some((byte) => byte !== 0)) throw malformed();
  return fields;
}

/**
 * The 64-bit values behind 32-bit fields: those that are all ones stand in the zip64 extra field, in the same order.
 *
 * @throws `ARCHIVE_REFUSED`.
 */
export function readZip64(extra: ReadonlyMap<number, Buffer>, values: readonly number[]): number[] {
  const data = extra.get(extraId.zip64) ?? Buffer.alloc(0);
  let at = 0;
  const resolved = values.map((value) => {
    if (value !== 0xffffffff) return value;
    if (data.length < at + 8) throw refuse('bad-header', 'an entry lacks its zip64 sizes');
    at += 8;
    return readUint64(data, at - 8);
  });
  // Readers differ in whether they believe a value that nothing asks for. Four zeros more are the number of the disk.
  const rest = data.subarray(at);
  if (rest.length !== 0 && !(rest.length === 4 && rest.readUInt32LE() === 0)) {
    throw refuse('header-mismatch', 'an entry has zip64 sizes beside others');
  }
  return resolved;
}

/** @throws `ARCHIVE_REFUSED` for a number that no archive here can reach. */
export function readUint64(data: Buffer, at: number): number {
  const value = Number(data.readBigUInt64LE(at));
  if (!Number.isSafeInteger(value)) throw refuse('bad-header', 'it states an impossible size or position');
  return value;
}

function malformed(): Error {
  return refuse('bad-header', 'an entry has a malformed extra field');
}
