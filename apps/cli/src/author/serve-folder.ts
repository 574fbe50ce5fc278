import { once } from 'node:events';
import {
  createRegistryServer,
  serveRegistry,
  type FolderProblem,
  type FolderRegistry,
} from '@skillpack/registry-http/server';
import { SkillsError, type ArchiveReader } from '@skillpack/core';

/** What a registry is served with. */
export interface ServeFolderPorts {
  archives(): Promise<{ readonly archives: ArchiveReader }>;
  folderRegistry(folder: string): Promise<FolderRegistry>;
  /** Aborted when it is to end. */
  readonly signal: AbortSignal;
  /** Told of every request that fails by the registry's own fault, of which the one who asked learns no more than that. */
  readonly onFailure: (error: unknown) => void;
}

/** How it is served. */
export interface ServeFolderOptions {
  /** @default any free one */
  readonly port: number | undefined;
  /** @default nobody may publish */
  readonly token: string | undefined;
}

/** A registry that is served. */
export interface ServedFolder {
  readonly url: string;
  readonly folder: string;
  readonly packs: number;
  readonly publishing: boolean;
  readonly problems: readonly FolderProblem[];
  /** What clients of the discovery index do not find. */
  readonly notes: readonly FolderProblem[];
  /** Settles when the server has ended. */
  readonly until: Promise<void>;
}

/**
 * Makes the documents of a registry's folder anew, which repairs what a crash left, and serves it on 127.0.0.1.
 *
 * @throws `USAGE` for a token that no request can bear (RFC 6750, section 2.1), `IO_ERROR` when the port is taken.
 */
export async function serveFolder(
  folder: string,
  ports: ServeFolderPorts,
  { port, token }: ServeFolderOptions,
): Promise<ServedFolder> {
  if (token !== undefined && !/^[\w\-.~+/]+=*$/u.test(token)) {
    throw new SkillsError('USAGE', 'The token has a character that no request can carry.', {
      hint: 'Make it of letters, digits and -._~+/ alone, for example with `openssl rand -hex 32`.',
    });
  }
  const registry = await ports.folderRegistry(folder);
  const { packs, problems, notes } = await registry.build({ hashBlobs: false });
  const { archives } = await ports.archives();
  const tokens = token === undefined ? [] : [{ token }];
  const handler = createRegistryServer(registry, { archives }, { tokens, onError: (error) => ports.onFailure(error) });
  const server = await serveRegistry(handler, { port });
  const stopped = ports.signal.aborted ? Promise.resolve() : once(ports.signal, 'abort');
  return {
    url: server.url,
    folder,
    packs,
    publishing: token !== undefined,
    problems,
    notes,
    until: stopped.then(() => server.close()),
  };
}
