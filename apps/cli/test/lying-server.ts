import { createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { createFolderRegistry } from '@skillpack/registry-http/server';
import { createArchiveReader, createArchiveWriter, sha256 } from '@skillpack/cli-dist';
import { makePack, type MadePack } from '@skillpack/core/testing';

/** What a server is asked, as it came over the wire. */
export interface RawRequest {
  readonly method: string;
  /** Without the first slash. */
  readonly path: string;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
}

/** How a server behaves once: it writes whatever it likes to the connection. */
export type Behaviour = (socket: Socket, asked: AskedAgain) => void;

/** A request, what an honest server would answer, and how often this was asked before. */
export interface AskedAgain extends RawRequest {
  readonly honest: Buffer;
  /** From 1. */
  readonly count: number;
}

/** The files of a registry by path. */
export type StaticFiles = ReadonlyMap<string, Buffer>;

/** A server on this machine that speaks HTTP by hand, so that it can break every rule of it. */
export interface LyingServer {
  readonly url: string;
  /** What was asked, in order: `GET packs/acme/tool.ndjson`. */
  readonly asked: string[];
  /** Answers requests whose path contains a text; everything else is answered honestly. */
  lie(about: string, behaviour: Behaviour | undefined): void;
  close(): Promise<void>;
}

/** What a server proves by TLS who it is with, as PEM. */
export interface TlsIdentity {
  readonly key: string;
  readonly cert: string;
}

/** Serves files, and lies where it is told to: by plain HTTP, or by HTTPS where there is an identity. */
export async function startLyingServer(files: StaticFiles, identity?: TlsIdentity): Promise<LyingServer> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const counts = new Map<string, number>();
  const lies = new Map<string, Behaviour>();
  const server = createServer({ noDelay: true }, (connection) => {
    sockets.add(connection);
    connection.once('close', () => sockets.delete(connection));
    const socket = identity === undefined ? connection : secured(connection, identity);
    // A client that gives up is what these servers are for.
    socket.on('error', () => undefined);
    let text = '';
    socket.on('data', (piece) => {
      text += piece.toString('latin1');
      for (let end = text.indexOf('\r\n\r\n'); end !== -1; end = text.indexOf('\r\n\r\n')) {
        const request = parseRequest(text.slice(0, end));
        text = request.method === 'PUT' ? '' : text.slice(end + 4);
        asked.push(`${request.method} ${request.path}`);
        const count = (counts.get(request.path) ?? 0) + 1;
        counts.set(request.path, count);
        const honest = files.get(request.path);
        const lie = [...lies].find(([about]) => request.path.includes(about))?.[1];
        if (lie !== undefined) lie(socket, { ...request, count, honest: honest ?? Buffer.alloc(0) });
        else if (honest === undefined) socket.write('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n');
        else answer(socket, honest);
      }
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a server on TCP has a port');
  return {
    url: `${identity === undefined ? 'http' : 'https'}://127.0.0.1:${address.port}/`,
    asked,
    lie: (about, behaviour) => void (behaviour === undefined ? lies.delete(about) : lies.set(about, behaviour)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** A connection under TLS, HTTP/1.1 within; a reset is one of the connection below, since TLS has none of its own. */
function secured(connection: Socket, identity: TlsIdentity): Socket {
  connection.on('error', () => undefined);
  const socket = new TLSSocket(connection, { isServer: true, ALPNProtocols: ['http/1.1'], ...identity });
  return Object.assign(socket, {
    resetAndDestroy: () => {
      connection.resetAndDestroy();
      return socket;
    },
  });
}

function parseRequest(head: string): RawRequest {
  const [line = '', ...rest] = head.split('\r\n');
  const [method = '', target = ''] = line.split(' ');
  const headers = rest.map((one): [string, string] => {
    const colon = one.indexOf(':');
    return [one.slice(0, colon).toLowerCase(), one.slice(colon + 1).trim()];
  });
  return { method, path: decodeURIComponent(target.slice(1)), headers: new Map(headers) };
}

/** Writes an answer: its headers as they are given, and a true content-length unless they say anything of the length. */
export function answer(
  socket: Socket,
  body: Buffer | string,
  { status = '200 OK', headers = [] }: { readonly status?: string; readonly headers?: readonly string[] } = {},
): void {
  const bytes = Buffer.from(body);
  const length = headers.some((header) => /^(?:content-length|transfer-encoding|connection: close)/iu.test(header))
    ? []
    : [`content-length: ${bytes.length}`];
  socket.write([`HTTP/1.1 ${status}`, ...headers, ...length, '', ''].join('\r\n'));
  socket.write(bytes);
  if (headers.includes('connection: close')) socket.end();
}

const ports = { archives: createArchiveReader(), writer: createArchiveWriter(), now: () => new Date() };

/** A pack that the honest registry has. */
export function packOf(
  name: string,
  version: string,
  text: string = 'honest',
  data: string = `${text}\n`.repeat(500),
): MadePack {
  const base = name.slice(name.indexOf('/') + 1);
  const files = {
    'SKILL.md': `---\nname: ${base}\ndescription: What ${name} does.\n---\n\n${text} ${version}\n`,
    'data.txt': data,
  };
  return makePack({ name, version, skills: { [base]: files } }, { writer: ports.writer, sha256 });
}

/** Publishes packs into a folder, and reads back every file that a registry of them serves. */
export async function publishedFiles(folder: string, packs: readonly MadePack[]): Promise<StaticFiles> {
  const registry = createFolderRegistry(folder, ports);
  for (const { archive, format } of packs) await registry.publish({ archive, format });
  const found = new Map<string, Buffer>();
  const read = async (path: string): Promise<void> => {
    const bytes = await registry.files.read(path);
    if (bytes !== undefined) found.set(path, Buffer.from(bytes));
  };
  const walk = async (path: string): Promise<void> => {
    for (const { name, kind } of await registry.files.list(path)) {
      await (kind === 'folder' ? walk(`${path}/${name}`) : read(`${path}/${name}`));
    }
  };
  for (const path of ['packs', 'blobs', 'versions', 'search', 'revocations']) await walk(path);
  await read('registry.json');
  return found;
}
