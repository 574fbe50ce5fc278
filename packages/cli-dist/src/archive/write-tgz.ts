import { gzipSync } from 'fflate';
import type { ArchiveInput } from '@skillpack/core';
import { compressionOptions } from './compression-options.js';
import { formatPaxRecord } from './pax-records.js';
import { tarBlock } from './tar-header.js';

/** A gzipped ustar archive of files in this order (POSIX.1-1988; a PAX header for a name that ustar cannot hold). */
export function writeTgz(files: readonly ArchiveInput[]): Uint8Array {
  const parts = files.flatMap(tarParts);
  parts.push(Buffer.alloc(2 * tarBlock));
  return gzipSync(Buffer.concat(parts), { ...compressionOptions, mtime: 0 });
}

function tarParts({ path, bytes, executable }: ArchiveInput): Uint8Array[] {
  const mode = executable ? 0o755 : 0o644;
  const split = splitName(path);
  const entry = [tarHeader({ ...(split ?? stand), type: '0', size: bytes.length, mode }), ...padded(bytes)];
  if (split !== undefined) return entry;
  const record = formatPaxRecord('path', path);
  return [tarHeader({ ...pax, type: 'x', size: record.length, mode: 0o644 }), ...padded(record), ...entry];
}

interface UstarName {
  readonly name: string;
  readonly prefix: string;
}

const pax: UstarName = { name: 'PaxHeader', prefix: '' };
/** Read only by programs that do not know PAX. */
const stand: UstarName = { name: 'see-PaxHeader', prefix: '' };

/** An ASCII path of up to 100 characters, or split at a slash into up to 155 and 100; `undefined` for any other. */
function splitName(path: string): UstarName | undefined {
  if (!/^[\u0020-\u007E]*$/u.test(path)) return undefined;
  if (path.length <= 100) return { name: path, prefix: '' };
  const slash = path.indexOf('/', path.length - 101);
  if (slash === -1 || slash > 155) return undefined;
  return { name: path.slice(slash + 1), prefix: path.slice(0, slash) };
}

interface HeaderFields extends UstarName {
  readonly type: string;
  readonly size: number;
  readonly mode: number;
}

function tarHeader({ name, prefix, type, size, mode }: HeaderFields): Buffer {
  const block = Buffer.alloc(tarBlock);
  const octal = (value: number, width: number) => value.toString(8).padStart(width, '0');
  block.write(name, 0, 'latin1');
  block.write(octal(mode, 7), 100, 'latin1');
  block.write(octal(0, 7), 108, 'latin1');
  block.write(octal(0, 7), 116, 'latin1');
  block.write(octal(size, 11), 124, 'latin1');
  block.write(octal(0, 11), 136, 'latin1');
  block.write('        ', 148, 'latin1');
  block.write(type, 156, 'latin1');
  block.write('ustar\u000000', 257, 'latin1');
  block.write(octal(0, 7), 329, 'latin1');
  block.write(octal(0, 7), 337, 'latin1');
  block.write(prefix, 345, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 6)}\u0000 `, 148, 'latin1');
  return block;
}

function padded(bytes: Uint8Array): Uint8Array[] {
  const rest = bytes.length % tarBlock;
  return rest === 0 ? [bytes] : [bytes, Buffer.alloc(tarBlock - rest)];
}
