import { refuseArchive } from './refuse-archive.js';

/** What a PAX header says that matters here; its times, owners and attributes do not. */
export interface PaxRecords {
  /** Not decoded. */
  readonly path: Uint8Array | undefined;
  readonly size: number | undefined;
}

const decoder = new TextDecoder();

/**
 * Reads the records of a PAX extended header (POSIX.1-2001, `pax`): `<length> <key>=<value>\n` each, to the last byte.
 *
 * @throws `ARCHIVE_REFUSED`.
 */
export function readPaxRecords(data: Uint8Array, scope: 'entry' | 'global'): PaxRecords {
  const known = new Map<string, Uint8Array>();
  for (const [key, value] of splitRecords(data)) {
    judgeKey(key);
    judgeNumber(key, value);
    if (key !== 'path' && key !== 'size') continue;
    // No honest writer gives all files one name or size, and readers disagree on what a second value means.
    if (scope === 'global') throw refuseArchive('bad-header', `a global PAX header sets the ${key} of every file`);
    if (known.has(key)) throw refuseArchive('bad-header', `a PAX header has two values of ${key}`);
    known.set(key, value);
  }
  const size = known.get('size');
  return { path: known.get('path'), size: size === undefined ? undefined : readSize(size) };
}

function* splitRecords(data: Uint8Array): Generator<readonly [key: string, value: Uint8Array]> {
  for (let at = 0; at < data.length;) {
    const [, digits] = /^([1-9]\d{0,8}) /u.exec(decoder.decode(data.subarray(at, at + 10))) ?? [];
    if (digits === undefined) throw malformed();
    const end = at + Number(digits);
    const record = data.subarray(at + digits.length + 1, end - 1);
    const equals = record.indexOf(0x3d);
    if (end > data.length || data[end - 1] !== 0x0a || equals < 1) throw malformed();
    yield [decoder.decode(record.subarray(0, equals)), record.subarray(equals + 1)];
    at = end;
  }
}

function judgeKey(key: string): void {
  if (/^(?:GNU\.sparse\.|SCHILY\.realsize$|SUN\.holesdata$)/u.test(key)) {
    throw refuseArchive('sparse-file', 'it holds a sparse file');
  }
  if (/^(?:GNU\.volume\.|GNU\.dumpdir$|SCHILY\.filetype$|hdrcharset$|charset$)/u.test(key)) {
    throw refuseArchive('bad-header', 'a PAX header asks for something that nothing here needs');
  }
}

/** Not used, but what others refuse is not read here either. */
function judgeNumber(key: string, value: Uint8Array): void {
  const text = decoder.decode(value);
  const time = ['mtime', 'atime', 'ctime'].includes(key) && !/^-?\d{1,15}(?:\.\d{0,20})?$/u.test(text);
  const owner = ['uid', 'gid'].includes(key) && !(/^\d{1,10}$/u.test(text) && Number(text) <= 0xffffffff);
  if (time || owner) throw refuseArchive('bad-header', `a PAX header states an impossible ${key}`);
}

function readSize(value: Uint8Array): number {
  const text = decoder.decode(value);
  if (/^\d{1,15}$/u.test(text)) return Number(text);
  throw refuseArchive('bad-header', 'a PAX header states an impossible size');
}

function malformed(): Error {
  return refuseArchive('bad-header', 'a PAX header is malformed');
}
