import { decodeName } from './decode-name.js';
import { refuse } from './refuse.js';

/** What a PAX header says that matters here; its times, owners and attributes do not. */
export interface PaxRecords {
  readonly path: string | undefined;
  readonly size: number | undefined;
}

const encoder = new TextEncoder();
const honestCharset = /^(?:ISO-IR 10646 2000 UTF-8)?$/u;

/**
 * Reads the records of a PAX extended header (POSIX.1-2001, `pax`): `<length> <key>=<value>\n` each, to the last byte.
 *
 * @throws `ARCHIVE_REFUSED`.
 */
export function readPaxRecords(data: Buffer, scope: 'entry' | 'global'): PaxRecords {
  let path: string | undefined;
  let size: number | undefined;
  for (const [key, value] of splitRecords(data)) {
    judgeKey(key, value);
    judgeNumber(key, value);
    if (key !== 'path' && key !== 'size') continue;
    // No honest writer gives all files one name or size, and readers disagree on what a second value means.
    if (scope === 'global') throw refuse('bad-header', `a global PAX header sets the ${key} of every file`);
    if ((key === 'path' ? path : size) !== undefined)
      throw refuse('bad-header', `a PAX header has two values of ${key}`);
    if (key === 'path') path = decodeName(value);
    else size = readSize(value);
  }
  return { path, size };
}

function* splitRecords(data: Buffer): Generator<readonly [key: string, value: Buffer]> {
  for (let at = 0; at < data.length;) {
    const space = data.subarray(at, at + 10).indexOf(0x20);
    const digits = data.toString('latin1', at, at + Math.max(space, 0));
    const end = at + Number(digits);
    if (!/^[1-9]\d*$/u.test(digits) || end > data.length || data[end - 1] !== 0x0a) throw malformed();
    const record = data.subarray(at + space + 1, end - 1);
    const equals = record.indexOf(0x3d);
    if (equals < 1) throw malformed();
    yield [record.toString('utf8', 0, equals), record.subarray(equals + 1)];
    at = end;
  }
}

function judgeKey(key: string, value: Buffer): void {
  if (key.startsWith('GNU.sparse.') || key === 'SCHILY.realsize' || key === 'SUN.holesdata') {
    throw refuse('sparse-file', 'it holds a sparse file');
  }
  if (key.startsWith('GNU.volume.')) throw refuse('multi-volume', 'it is one part of several');
  if (key === 'GNU.dumpdir' || key === 'SCHILY.filetype') {
    throw refuse('unknown-entry-type', 'it holds something other than files and folders');
  }
  if ((key === 'hdrcharset' || key === 'charset') && !honestCharset.test(value.toString('latin1'))) {
    throw refuse('path-not-unicode', 'it says that its names are not Unicode');
  }
}

// Not used, but other readers refuse the archive for a value that is none.
const times = new Set(['mtime', 'atime', 'ctime']);
const owners = new Set(['uid', 'gid']);

function judgeNumber(key: string, value: Buffer): void {
  if (!times.has(key) && !owners.has(key)) return;
  const text = value.toString('latin1', 0, 40);
  const fine = times.has(key)
    ? /^-?\d{1,15}(?:\.\d{0,20})?$/u.test(text)
    : /^\d{1,10}$/u.test(text) && Number(text) <= 0xffffffff;
  if (!fine) throw refuse('bad-header', `a PAX header states an impossible ${key}`);
}

function readSize(value: Buffer): number {
  const text = value.toString('latin1');
  const size = Number(text);
  if (/^\d{1,16}$/u.test(text) && Number.isSafeInteger(size)) return size;
  throw refuse('bad-header', 'a PAX header states an impossible size');
}

function malformed(): Error {
  return refuse('bad-header', 'a PAX header is malformed');
}

/** One PAX record: its length counts itself. */
export function formatPaxRecord(key: string, value: string): Uint8Array {
  const rest = encoder.encode(` ${key}=${value}\n`).length;
  let length = rest + String(rest).length;
  if (String(length).length !== String(rest).length) length += 1;
  return encoder.encode(`${length} ${key}=${value}\n`);
}
