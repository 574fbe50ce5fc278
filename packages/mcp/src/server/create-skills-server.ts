import type { McpServer, Transport } from '@modelcontextprotocol/server';
import type { SkillRegistry } from '@skillpack/core';
import type { SkillsServerOptions, SkillsServerPorts } from './skills-server-options.js';

/** Serves the skills of a registry, on any number of connections. */
export interface SkillsServer extends AsyncDisposable {
  /**
   * Makes a server of the official SDK for one connection, which is not connected yet. It is what `serveStdio` and
   * `createMcpHandler` of the SDK ask for. All share what was read of the skills.
   */
  readonly createServer: () => McpServer;
  /** Serves one connection. */
  connect(transport: Transport): Promise<McpServer>;
}

/** Serves a registry over the Model Context Protocol. */
export declare function createSkillsServer(
  registry: SkillRegistry,
  ports: SkillsServerPorts,
  options?: SkillsServerOptions,
): SkillsServer;
