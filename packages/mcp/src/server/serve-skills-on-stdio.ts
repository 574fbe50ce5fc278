import type { Readable, Writable } from 'node:stream';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { SkillRegistry } from '@skillpack/core';
import { createSkillsServer } from './create-skills-server.js';
import type { SkillsServerOptions, SkillsServerPorts } from './skills-server-options.js';

/** How skills are served to the program that started this one. */
export interface ServeOnStdioOptions extends SkillsServerOptions {
  /** @default process.stdin */
  readonly input?: Readable | undefined;
  /** Nothing else may write to it. @default process.stdout */
  readonly output?: Writable | undefined;
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Serves a registry to the program at the other end of the standard streams, until that closes its end or the signal is
 * aborted; neither is an error.
 */
export async function serveSkillsOnStdio(
  registry: SkillRegistry,
  ports: SkillsServerPorts,
  options: ServeOnStdioOptions = {},
): Promise<void> {
  const { input = process.stdin, output = process.stdout, signal } = options;
  if (isAborted(signal)) return;
  await using skills = createSkillsServer(registry, ports, options);
  await skills.listen();
  if (isAborted(signal)) return;
  const transport = new StdioServerTransport(input, output);
  const handle = serveStdio(skills.createServer, { transport });
  await new Promise<void>((resolve) => {
    const closed = transport.onclose;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport of the SDK is no target of events
    transport.onclose = () => {
      closed?.();
      resolve();
    };
    signal?.addEventListener('abort', () => void handle.close().then(resolve, resolve), { once: true });
  });
}

/** It may become so at any time, which a type cannot say. */
function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
