import type { Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { sha256 } from '@skillpack/cli-dist';
import type { ErrorCode } from '@skillpack/core';
import { answer, packOf, type AskedAgain, type Behaviour } from './lying-server.js';

/** One thing that a server does, and what must come of it. */
export interface Lie {
  readonly what: string;
  readonly does: Behaviour;
  /** The code that an install ends with; `undefined` when it succeeds all the same. */
  readonly code: ErrorCode | undefined;
  /** Whether it takes until a deadline, so that only a client with short ones is tried on it. @default false */
  readonly slow?: boolean | undefined;
}

type Row = readonly [what: string, does: Behaviour, code: ErrorCode | undefined, slow?: 'slow'];

function lies(rows: readonly Row[]): readonly Lie[] {
  return rows.map(([what, does, code, slow]) => ({ what, does, code, slow: slow === 'slow' }));
}

/** Writes text or bytes as they are, and closes. */
function raw(...pieces: readonly (string | Buffer)[]): Behaviour {
  return (socket) => {
    for (const piece of pieces) socket.write(piece);
    socket.end();
  };
}

/** Answers with a status, and `headers`; the body is what an honest server would send, or what is made of it. */
function says(
  status: string,
  headers: readonly string[] = [],
  body: (honest: Buffer) => Buffer | string = same,
): Behaviour {
  return (socket, { honest }) => answer(socket, body(honest), { status, headers });
}

function sends(body: (honest: Buffer) => Buffer | string, ...headers: readonly string[]): Behaviour {
  return says('200 OK', headers, body);
}

function same(honest: Buffer): Buffer {
  return honest;
}

function replaced(from: string | RegExp, to: string): (honest: Buffer) => string {
  return (honest) => honest.toString().replace(from, to);
}

/** The first of several behaviours for the first request, and so on; the last for all that follow. */
function inTurn(...turns: readonly Behaviour[]): Behaviour {
  return (socket, asked) => turns[Math.min(asked.count, turns.length) - 1]?.(socket, asked);
}

/** Sends a piece again and again, as fast as it is taken or every few milliseconds. */
function forever(head: string, piece: string | Buffer, pause: number = 0): Behaviour {
  return (socket) => {
    socket.write(head);
    const more = (): void => {
      if (socket.destroyed) return;
      if (pause > 0) setTimeout(() => socket.write(piece, more), pause);
      else socket.write(piece, () => setImmediate(more));
    };
    more();
  };
}

const honestly: Behaviour = (socket, { honest }) => answer(socket, honest);
const reset: Behaviour = (socket) => void socket.resetAndDestroy();
const silence: Behaviour = () => undefined;
const ok = 'HTTP/1.1 200 OK\r\n';
const empty = 'content-length: 0';

/** Sends a part of the body, and then closes or resets the connection. */
function cut(share: number, how: 'close' | 'reset', headers: (honest: Buffer) => string = lengthOf): Behaviour {
  return (socket, { honest }) => {
    socket.write(`${ok}${headers(honest)}\r\n`);
    socket.write(honest.subarray(0, Math.floor(honest.length * share)), () => {
      if (how === 'close') socket.end();
      // A reset at once would take back what the client has not read yet.
      else setTimeout(() => socket.resetAndDestroy(), 10);
    });
  };
}

function lengthOf(honest: Buffer): string {
  return `content-length: ${honest.length}\r\n`;
}

const untilClose = (): string => 'connection: close\r\n';
const shares = [0, 0.1, 0.37, 0.63, 0.9, 0.999];
const bomb = gzipSync(Buffer.alloc(256 * 1024 * 1024));

/** What no file may do, whichever it is. */
export const liesOfTransport = lies([
  ...shares.map((share): Row => [`closes after ${share} of the body`, cut(share, 'close'), 'NETWORK_ERROR']),
  ...shares.map((share): Row => [`resets after ${share} of the body`, cut(share, 'reset'), 'NETWORK_ERROR']),
  ['breaks off once', inTurn(cut(0.5, 'reset'), honestly), undefined],
  ['breaks off in the middle of a chunk', raw(`${ok}transfer-encoding: chunked\r\n\r\nfff\r\nabc`), 'NETWORK_ERROR'],
  ['never ends its chunks', raw(`${ok}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`), 'NETWORK_ERROR'],
  ['announces a negative length', sends(same, 'content-length: -1'), 'NETWORK_ERROR'],
  ['announces no number', sends(same, 'content-length: 0x10'), 'NETWORK_ERROR'],
  ['announces 10^30 bytes', sends(same, `content-length: 1${'0'.repeat(30)}`), 'NETWORK_ERROR'],
  ['announces 1 TiB', sends(same, 'content-length: 1099511627776'), 'FILE_TOO_LARGE'],
  ['announces two lengths', (socket, { honest }) => answer(socket, honest, { headers: [`content-length: ${honest.length}`, 'content-length: 5'] }), 'NETWORK_ERROR'],
  ['announces a length and chunks', (socket, { honest }) => answer(socket, `${honest.length.toString(16)}\r\n${honest.toString('latin1')}\r\n0\r\n\r\n`, { headers: [`content-length: ${honest.length}`, 'transfer-encoding: chunked'] }), 'NETWORK_ERROR'],
  ['has a chunk of a length that is none', raw(`${ok}transfer-encoding: chunked\r\n\r\n-5\r\nabc\r\n0\r\n\r\n`), 'NETWORK_ERROR'],
  ['has a chunk of 2^64 bytes', raw(`${ok}transfer-encoding: chunked\r\n\r\n10000000000000000\r\nabc`), 'NETWORK_ERROR'],
  ['closes without a word', (socket) => void socket.end(), 'NETWORK_ERROR'],
  ['resets without a word', reset, 'NETWORK_ERROR'],
  ['resets after half a status line', (socket) => socket.write('HTTP/1.1 20', () => socket.resetAndDestroy()), 'NETWORK_ERROR'],
  ['closes after half a header', raw(`${ok}content-le`), 'NETWORK_ERROR'],
  ['resets once before it answers', inTurn(reset, honestly), undefined],
  ['speaks no HTTP', raw('220 mail.example ESMTP\r\n'), 'NETWORK_ERROR'],
  ['speaks HTTP/0.9', raw('{"formatVersion":1}\n'), 'NETWORK_ERROR'],
  ['speaks HTTP/1.0', (socket, { honest }) => { socket.write('HTTP/1.0 200 OK\r\n\r\n'); socket.end(honest); }, undefined],
  ['hides a header in another', sends(same, 'x-a: 1\n y: 2'), 'NETWORK_ERROR'],
  ['sends headers of 1 MiB', sends(same, `x-large: ${'a'.repeat(1024 * 1024)}`), 'NETWORK_ERROR'],
  ['sends headers without an end', forever(ok, 'x-a: b\r\n'.repeat(4096)), 'NETWORK_ERROR'],
  ['sends trailers without an end', forever(`${ok}transfer-encoding: chunked\r\n\r\n0\r\n`, 'x-a: b\r\n'.repeat(4096)), 'NETWORK_ERROR'],
  ['closes a connection that it promised to keep', (socket, { honest }) => { answer(socket, honest, { headers: ['connection: keep-alive', lengthOf(honest).trim()] }); socket.end(); }, undefined],
  ['answers 500', says('500 Broken', [empty], () => ''), 'REGISTRY_ERROR'],
  ['answers 500, then 200', inTurn(says('500 Broken', [empty], () => ''), honestly), undefined],
  ['answers 503 for a year', says('503 Later', ['retry-after: 31536000', empty], () => ''), 'REGISTRY_ERROR'],
  ['answers 503 for -5 seconds, then 200', inTurn(says('503 Later', ['retry-after: -5', empty], () => ''), honestly), undefined],
  ['answers 503 until a day long gone, then 200', inTurn(says('503 Later', ['retry-after: Thu, 01 Jan 1970 00:00:00 GMT', empty], () => ''), honestly), undefined],
  ['answers 503 until the year 275760', says('503 Later', ['retry-after: Sat, 13 Sep 275760 00:00:00 GMT', empty], () => ''), 'REGISTRY_ERROR'],
  ['answers 503 for no number of seconds, then 200', inTurn(says('503 Later', ['retry-after: 1e999', empty], () => ''), honestly), undefined],
  ['answers 429, then 200', inTurn(says('429 Slow down', ['retry-after: 0', empty], () => ''), honestly), undefined],
  ['answers 401', says('401 \u202Ewho', ['www-authenticate: Basic realm="\u202E"', empty], () => ''), 'UNAUTHORIZED'],
  ['has an escape in a header', says('401 Who', ['www-authenticate: Basic realm="\u001B]0;x\u0007"', empty], () => ''), 'NETWORK_ERROR'],
  ['answers 407', says('407 Proxy', ['proxy-authenticate: Basic', empty], () => ''), 'REGISTRY_ERROR'],
  ['answers 204', raw('HTTP/1.1 204 No Content\r\n\r\n'), 'REGISTRY_ERROR'],
  ['answers 304 to no condition', raw('HTTP/1.1 304 Not Modified\r\netag: "x"\r\n\r\n'), 'REGISTRY_ERROR'],
  ['answers a part that nobody asked for', (socket, { honest }) => answer(socket, honest.subarray(0, 9), { status: '206 Partial Content', headers: [`content-range: bytes 0-8/${honest.length}`] }), 'REGISTRY_ERROR'],
  ['answers with the status 999', raw('HTTP/1.1 999 What\r\ncontent-length: 0\r\n\r\n'), 'REGISTRY_ERROR'],
  ['redirects to itself', (socket, { path }) => answer(socket, '', { status: '302 Found', headers: [`location: /${path}`] }), 'REDIRECT_REFUSED'],
  ['redirects without an end', (socket, { path }) => answer(socket, '', { status: '301 Moved', headers: [`location: /${path}?${Math.random()}`] }), 'REDIRECT_REFUSED'],
  ['redirects nowhere', says('302 Found', [empty], () => ''), 'REGISTRY_ERROR'],
  ['redirects to a file', says('302 Found', ['location: file:///etc/passwd']), 'REDIRECT_REFUSED'],
  ['redirects to ftp', says('307 Found', ['location: ftp://127.0.0.1/']), 'REDIRECT_REFUSED'],
  ['redirects to data', says('308 Found', ['location: data:text/plain,x']), 'REDIRECT_REFUSED'],
  ['redirects to the metadata of a cloud', says('302 Found', ['location: http://169.254.169.254/latest/meta-data/']), 'ADDRESS_REFUSED'],
  ['redirects to another address of this machine', says('302 Found', ['location: https://127.0.0.2/']), 'ADDRESS_REFUSED'],
  ['redirects to its network', says('302 Found', ['location: https://10.0.0.1/']), 'ADDRESS_REFUSED'],
  ['redirects to another host by plain http', says('302 Found', ['location: http://elsewhere.example/']), 'ADDRESS_REFUSED'],
  ['sends 300 answers before the answer', (socket, { honest }) => { socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(300)); answer(socket, honest); }, undefined],
  ['changes to another protocol', raw('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'), 'NETWORK_ERROR'],
  ['says br', sends(brotliCompressSync, 'content-encoding: br'), 'REGISTRY_ERROR'],
  ['says zstd', sends(zstdCompressSync, 'content-encoding: zstd'), 'REGISTRY_ERROR'],
  ['says deflate', sends(deflateSync, 'content-encoding: deflate'), 'REGISTRY_ERROR'],
  ['says gzip twice', sends((honest) => gzipSync(gzipSync(honest)), 'content-encoding: gzip, gzip'), 'REGISTRY_ERROR'],
  ['says gzip in two headers', sends((honest) => gzipSync(gzipSync(honest)), 'content-encoding: gzip', 'content-encoding: gzip'), 'REGISTRY_ERROR'],
  ['says gzip and sends none', sends(same, 'content-encoding: gzip'), 'REGISTRY_ERROR'],
  ['says nothing', silence, 'TIMEOUT', 'slow'],
  ['stalls in the headers', (socket) => void socket.write(`${ok}content-length: 5\r\n`), 'TIMEOUT', 'slow'],
  ['stalls in the body', (socket, { honest }) => void socket.write(Buffer.concat([Buffer.from(`${ok}${lengthOf(honest)}\r\n`), honest.subarray(0, 50)])), 'TIMEOUT', 'slow'],
  ['drips its headers', forever(ok, 'x-a: b\r\n', 20), 'TIMEOUT', 'slow'],
  ['drips its body', forever(`${ok}content-length: 400\r\n\r\n`, 'x', 20), 'TIMEOUT', 'slow'],
  ['drips the extensions of a chunk', forever(`${ok}transfer-encoding: chunked\r\n\r\n5`, ';a=b', 20), 'TIMEOUT', 'slow'],
  ['extends a chunk without an end', forever(`${ok}transfer-encoding: chunked\r\n\r\n5`, ';a=b'.repeat(4096)), 'NETWORK_ERROR'],
  ['hints without an end', forever('', 'HTTP/1.1 103 Early Hints\r\n\r\n', 20), 'TIMEOUT', 'slow'],
  ['drips what it has to say of an error', forever('HTTP/1.1 500 Broken\r\ncontent-length: 9999\r\n\r\n', 'x', 20), 'REGISTRY_ERROR', 'slow'],
]); // prettier-ignore

/** What no index may say. */
export const liesOfIndex = lies([
  ['ends in the middle of a line, as if that were all', cut(0.6, 'close', untilClose), 'INVALID_INDEX'],
  ['ends before the versions, as if that were all', sends((honest) => `${honest.toString().split('\n')[0]}\n`, 'connection: close'), 'INVALID_INDEX'],
  ['ends before the version that is tagged', sends((honest) => `${honest.toString().split('\n').slice(0, 2).join('\n')}\n`, 'connection: close'), 'INVALID_INDEX'],
  ['announces more than it sends', (socket, { honest }) => { answer(socket, honest, { headers: [`content-length: ${honest.length + 1}`] }); socket.end(); }, 'NETWORK_ERROR'],
  ['announces less than it sends', (socket, { honest }) => { answer(socket, honest, { headers: [`content-length: ${honest.length - 20}`] }); socket.end(); }, 'INVALID_INDEX'],
  ['is empty', sends(() => ''), 'INVALID_INDEX'],
  ['is a page to sign in', sends(() => '<!doctype html><title>Sign in</title>', 'content-type: text/html'), 'INVALID_INDEX'],
  ['is of another type and right', sends(same, 'content-type: image/png'), undefined],
  ['is no UTF-8', sends((honest) => Buffer.from(honest.toString().replace('What acme', 'What \u00FF\u00FE'), 'latin1')), 'INVALID_INDEX'],
  ['is UTF-16', sends((honest) => Buffer.from(`\uFEFF${honest.toString()}`, 'utf16le')), 'INVALID_INDEX'],
  ['has NUL bytes', sends(replaced('\n', '\u0000\n')), 'INVALID_INDEX'],
  ['is gzip and broken off', sends((honest) => gzipSync(honest).subarray(0, -9), 'content-encoding: gzip'), 'REGISTRY_ERROR'],
  ['is gzip and right', sends((honest) => gzipSync(honest), 'content-encoding: gzip'), undefined],
  ['is a bomb of 256 MiB', sends(() => bomb, 'content-encoding: gzip'), 'FILE_TOO_LARGE'],
  ['is a bomb in a bomb', sends(() => gzipSync(bomb), 'content-encoding: gzip'), 'INVALID_INDEX'],
  ['has no end', forever(`${ok}transfer-encoding: chunked\r\n\r\n`, `10000\r\n${' '.repeat(65_536)}\r\n`), 'FILE_TOO_LARGE'],
  ['is of another pack', sends(replaced('acme/tool', 'acme/evil')), 'INVALID_INDEX'],
  ['is of a later format', sends(replaced('"formatVersion":1', '"formatVersion":2')), 'UNSUPPORTED_FORMAT'],
  ['lists a version twice', sends((honest) => `${honest.toString()}${honest.toString().split('\n')[1]}\n`), 'INVALID_INDEX'],
  ['has a version of 300 characters', sends(replaced('"version":"1.0.0"', `"version":"1.0.0-${'a'.repeat(300)}"`)), 'INVALID_INDEX'],
  ['has a prototype', sends(replaced('"formatVersion":1', '"formatVersion":1,"__proto__":{"tags":{"latest":"9.9.9"}}')), undefined],
  ['has an escaped prototype', sends(replaced('"tags":{', '"tags":{"\\u005f_proto__":"1.0.0",')), undefined],
  ['says a key twice', sends(replaced('"deprecated":null', '"deprecated":"gone","deprecated":null')), undefined],
  ['has a number beyond numbers', sends(replaced(/"size":\d+/gu, '"size":1e999')), 'INVALID_INDEX'],
  ['has a fraction of a byte', sends(replaced(/"size":\d+/gu, '"size":1.5')), 'INVALID_INDEX'],
  ['has an archive of 8 PiB', sends(replaced(/"size":\d+/gu, '"size":9007199254740991')), undefined],
  ['is nested without an end', sends(replaced('"deprecated":null', `"deprecated":null,"x":${'['.repeat(100_000)}`)), 'INVALID_INDEX'],
  ['has a line of 17 MiB', sends(replaced('"deprecated":null', `"deprecated":"${'x'.repeat(17 * 1024 * 1024)}"`)), 'INVALID_INDEX'],
  ['has a million empty lines', sends((honest) => `${honest.toString()}${'\n'.repeat(1_000_000)}`), 'INVALID_INDEX'],
  ['has a million versions', sends((honest) => `${honest.toString()}${'{"version":"2"}\n'.repeat(1_000_000)}`), 'INVALID_INDEX'],
  ['names an archive that is not there', sends(replaced(/"digest":"sha256:[0-9a-f]{64}"/gu, `"digest":"sha256:${'0'.repeat(64)}"`)), 'BLOB_NOT_FOUND'],
  ['names the archive of another version', sends((honest) => otherArchive(honest)), 'INTEGRITY_MISMATCH'],
  ['says less of the size', sends(replaced(/"size":(\d+)/gu, '"size":10')), 'FILE_TOO_LARGE'],
  ['says another digest of the tree', sends(replaced(/"treeDigest":"sha256:[0-9a-f]{64}"/gu, `"treeDigest":"sha256:${'0'.repeat(64)}"`)), 'INTEGRITY_MISMATCH'],
  ['vanishes between two requests', inTurn(honestly, raw('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n')), undefined],
]); // prettier-ignore

/** What no archive may be. */
export const liesOfArchive = lies([
  ['ends early, as if that were all', cut(0.7, 'close', untilClose), 'INTEGRITY_MISMATCH'],
  ['is empty', sends(() => ''), 'INTEGRITY_MISMATCH'],
  ['announces more than the index says', (socket, { honest }) => answer(socket, honest, { headers: [`content-length: ${honest.length + 1}`] }), 'FILE_TOO_LARGE'],
  ['is another one', sends(() => Buffer.from(packOf('acme/tool', '1.1.0', 'evil').archive)), 'INTEGRITY_MISMATCH'],
  ['has one bit changed', sends(flipped), 'INTEGRITY_MISMATCH'],
  ['has a byte too many', sends((honest) => Buffer.concat([honest, Buffer.from('x')])), 'FILE_TOO_LARGE'],
  ['has a byte too many and does not say so', sends((honest) => Buffer.concat([honest, Buffer.from('x')]), 'connection: close'), 'FILE_TOO_LARGE'],
  ['has no end', forever(`${ok}connection: close\r\n\r\n`, Buffer.alloc(65_536)), 'FILE_TOO_LARGE'],
  ['is a page to sign in', sends(() => '<!doctype html><title>Sign in</title>', 'content-type: text/html'), 'INTEGRITY_MISMATCH'],
  ['says gzip', sends(gzipSync, 'content-encoding: gzip'), 'REGISTRY_ERROR'],
  ['says gzip and is as it was packed', sends(same, 'content-encoding: x-gzip'), 'REGISTRY_ERROR'],
  ['is a bomb', sends(() => bomb), 'FILE_TOO_LARGE'],
  ['says identity', sends(same, 'content-encoding: identity'), undefined],
  ['is not there', raw('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n'), 'BLOB_NOT_FOUND'],
  ['is gone', raw('HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n'), 'BLOB_NOT_FOUND'],
  ['is continued with other bytes under the same ETag', resumed((rest) => flipped(rest)), 'INTEGRITY_MISMATCH'],
  ['is continued from elsewhere', resumed(same, { start: 3 }), undefined],
  ['is continued under another ETag', resumed(same, { etag: '"other"' }), undefined],
  ['is continued beyond its end', resumed((rest) => Buffer.concat([rest, Buffer.alloc(99)])), 'FILE_TOO_LARGE'],
  ['is continued by the whole', inTurn(broken, honestly), undefined],
  ['is not continued', inTurn(broken, says('416 No such range', [empty], () => ''), honestly), undefined],
  ['is continued one byte at a time', dripping, undefined],
]); // prettier-ignore

function flipped(honest: Buffer): Buffer {
  const bytes = Buffer.from(honest);
  const middle = Math.floor(bytes.length / 2);
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
  return bytes;
}

/** The index, with the archive of its first version under its last. */
function otherArchive(honest: Buffer): string {
  const text = honest.toString();
  const [first = '', last = ''] = [...text.matchAll(/"archives":\[\{[^\]]+\}\]/gu)].map(([found]) => found);
  return text.replace(last, first);
}

/** Breaks off in the middle, with an ETag by which the rest can be asked for. */
function broken(socket: Socket, { honest }: AskedAgain): void {
  socket.write(`${ok}${lengthOf(honest)}etag: "one"\r\n\r\n`);
  socket.write(honest.subarray(0, honest.length / 2), () => setTimeout(() => socket.resetAndDestroy(), 20));
}

/** Breaks off, and continues by what is made of the rest; whoever asks anew gets the whole. */
function resumed(
  rest: (rest: Buffer) => Buffer,
  { start, etag = '"one"' }: { readonly start?: number; readonly etag?: string } = {},
): Behaviour {
  return inTurn(broken, (socket, asked) => {
    const from = Number(/^bytes=(\d+)-$/u.exec(asked.headers.get('range') ?? '')?.[1] ?? Number.NaN);
    if (Number.isNaN(from)) {
      answer(socket, asked.honest);
      return;
    }
    const { length } = asked.honest;
    const range = `content-range: bytes ${start ?? from}-${length - 1}/${length}`;
    const headers = [range, `etag: ${etag}`];
    answer(socket, rest(asked.honest.subarray(start ?? from)), { status: '206 Partial Content', headers });
  });
}

/** Gives one more byte a connection for a while, and then the rest. */
function dripping(socket: Socket, { honest, count, headers }: AskedAgain): void {
  const from = Number(/^bytes=(\d+)-$/u.exec(headers.get('range') ?? '')?.[1] ?? 0);
  const until = count < 5 ? from + 1 : honest.length;
  const range = `content-range: bytes ${from}-${honest.length - 1}/${honest.length}\r\n`;
  socket.write(
    `HTTP/1.1 ${from === 0 ? '200 OK' : '206 Partial Content'}\r\n${from === 0 ? '' : range}content-length: ${honest.length - from}\r\netag: "one"\r\n\r\n`,
  );
  socket.write(honest.subarray(from, until), () => {
    if (until < honest.length) setTimeout(() => socket.resetAndDestroy(), 20);
  });
}

/** The digest of an archive as the index names it. */
export function hexOf(archive: Uint8Array): string {
  return sha256(archive).slice('sha256:'.length);
}
