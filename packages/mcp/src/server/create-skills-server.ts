import { McpServer, type Transport } from '@modelcontextprotocol/server';
import { SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import { visibleText, type SkillRegistry } from '@skillpack/core';
import { answerPrompts } from './answer-prompts.js';
import { answerTools } from './answer-tools.js';
import { OpenServers } from './open-servers.js';
import { registrySource } from './registry-source.js';
import { ServedSkills } from './served-skills.js';
import { SkillManifests } from './skill-manifests.js';
import type { SkillsServerOptions, SkillsServerPorts } from './skills-server-options.js';

/** Serves the skills of a registry, on any number of connections. */
export interface SkillsServer extends AsyncDisposable {
  /**
   * Makes a server of the official SDK for one connection, which is not connected yet. It is what `serveStdio` and
   * `createMcpHandler` of the SDK ask for. All share what was read of the skills.
   */
  readonly createServer: () => McpServer;
  /**
   * Begins to listen to the registry, so that clients are told of changes.
   *
   * @throws what `SkillRegistry.subscribe` throws, as for a registry that cannot be read at all.
   */
  listen(): Promise<void>;
  /** Serves one connection, and listens to the registry. @throws what `listen` throws. */
  connect(transport: Transport): Promise<McpServer>;
  /** Closes all connections, and listens to the registry no more. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Serves a registry over the Model Context Protocol: by the extension for skills, each file with its size and its SHA-256
 * digest; as tools, for clients without the extension; and as prompts, for people. Clients are told when the registry
 * tells of a change.
 *
 * @example
 * ```ts
 * await using server = createSkillsServer(registry, { sha256, clock });
 * await server.connect(transport);
 * ```
 * @see https://modelcontextprotocol.io/seps/2640-skills-extension
 */
export function createSkillsServer(
  registry: SkillRegistry,
  ports: SkillsServerPorts,
  options: SkillsServerOptions = {},
): SkillsServer {
  const { name = 'skillpack', version = '0.0.0', ttlMs = 0, onProblem } = options;
  const served = new ServedSkills(registry, ports, options);
  const manifests = new SkillManifests(served, ports);
  const extension = new SkillsExtension({
    source: registrySource({ served, manifests }),
    cacheHint: { ttlMs, cacheScope: 'private' },
    onWarning: ({ path, message }) =>
      onProblem?.({ code: 'refused', location: visibleText(path), message: visibleText(message) }),
  });
  const open = new OpenServers(registry);
  const createServer = (): McpServer => {
    const mcp = new McpServer({ name, version }, { instructions, capabilities: { resources: { listChanged: true } } });
    extension.attach(mcp);
    if (options.tools ?? true) answerTools(mcp, served, ports);
    if (options.prompts ?? true) answerPrompts(mcp, served, ports);
    open.add(mcp);
    return mcp;
  };
  return {
    createServer,
    listen: async () => open.listen(),
    connect: async (transport) => {
      const mcp = createServer();
      await open.listen();
      await mcp.connect(transport);
      return mcp;
    },
    [Symbol.asyncDispose]: async () => open[Symbol.asyncDispose](),
  };
}

const instructions =
  'This server offers skills: instructions for kinds of tasks. Before a task, find the skill that fits it, and read it; it says which of its files to read when.';
