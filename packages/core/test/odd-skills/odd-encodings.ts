import type { OddSkill } from './odd-skill.js';
import { body, good, read } from './plain-skill.js';

const utf8 = new TextEncoder();

function utf16(text: string, littleEndian: boolean): Uint8Array {
  const bytes = new Uint8Array(text.length * 2 + 2);
  const view = new DataView(bytes.buffer);
  for (const [index, unit] of [
    0xfeff,
    ...Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)),
  ].entries()) {
    view.setUint16(index * 2, unit, littleEndian);
  }
  return bytes;
}

function withBadByte(text: string): Uint8Array {
  const bytes = utf8.encode(text);
  bytes[bytes.length - 3] = 0xff;
  return bytes;
}

/** Odd bytes, line ends and file names. */
export const oddEncodings: readonly OddSkill[] = [
  { title: 'nothing odd', source: good, codes: [], reads: read, strict: true },
  { title: 'bytes', source: utf8.encode(good), codes: [], reads: read, strict: true },
  { title: 'an empty file', source: '', codes: ['front-matter-missing'], reads: undefined, strict: false },
  {
    title: 'white space alone',
    source: ' \n\n',
    codes: ['leading-blank-lines', 'front-matter-missing'],
    reads: undefined,
    strict: false,
  },
  { title: 'a byte order mark', source: `\uFEFF${good}`, codes: ['byte-order-mark'], reads: read, strict: false },
  { title: 'CRLF', source: good.replaceAll('\n', '\r\n'), codes: ['line-ends'], reads: read, strict: true },
  { title: 'CR alone', source: good.replaceAll('\n', '\r'), codes: ['line-ends'], reads: read, strict: true },
  {
    title: 'UTF-16, little endian',
    source: utf16(good, true),
    codes: ['encoding-utf16', 'byte-order-mark'],
    reads: read,
    strict: false,
  },
  {
    title: 'UTF-16, big endian',
    source: utf16(good, false),
    codes: ['encoding-utf16', 'byte-order-mark'],
    reads: read,
    strict: false,
  },
  {
    title: 'a byte that is not UTF-8',
    source: withBadByte(good),
    codes: ['encoding-invalid'],
    reads: { name: 'pdf', body: body.replace('s.', '\uFFFD.') },
    strict: true,
  },
  { title: 'skill.md', source: good, fileName: 'skill.md', codes: ['file-name'], reads: read, strict: true },
];
