import { readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** A registry whose archives arrive a little at a time. */
export interface SlowRegistry {
  readonly url: string;
  /** Resolves when the first piece of an archive has been sent. */
  readonly started: Promise<void>;
  close(): void;
}

/** How slow it is. */
export interface SlowRegistryOptions {
  /** Pieces an archive is sent in. */
  readonly pieces: number;
  /** Milliseconds between two of them. */
  readonly pause: number;
}

/** Serves the static files of a registry; each blob in pieces with pauses, so that a download can be seen and interrupted. */
export async function serveSlowly(folder: string, { pieces, pause }: SlowRegistryOptions): Promise<SlowRegistry> {
  const first = Promise.withResolvers<void>();
  const answer = async ({ url = '/' }: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = join(folder, decodeURIComponent(new URL(url, 'http://host.test').pathname));
    if (!path.startsWith(folder) || statSync(path, { throwIfNoEntry: false })?.isFile() !== true) {
      response.writeHead(404).end();
      return;
    }
    const bytes = readFileSync(path);
    response.writeHead(200, { 'content-length': bytes.length });
    const size = path.includes('blobs') ? Math.ceil(bytes.length / pieces) : bytes.length;
    for (let start = 0; start < bytes.length && !response.destroyed; start += size) {
      response.write(bytes.subarray(start, start + size));
      if (size === bytes.length) continue;
      first.resolve();
      await wait(pause);
    }
    response.end();
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    started: first.promise,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
