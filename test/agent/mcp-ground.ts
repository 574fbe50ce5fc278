import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import type { SkillRegistry } from '@skillpack/core';
import { fakeClock } from '@skillpack/core/testing';
import { createSkillsServer, mcpSkills, type McpSkillsOptions } from '@skillpack/mcp';
import { onTestFinished } from 'vitest';
import { sha256 } from './agent-ground.js';

/** Registries at both ends of a wire. */
export interface McpGround {
  readonly client: Client;
  /** What an agent reads at the other end. */
  readonly registry: SkillRegistry;
}

/** Serves a registry, and has its skills as another one, until the test ends. */
export async function overWire(served: SkillRegistry, options: Partial<McpSkillsOptions> = {}): Promise<McpGround> {
  const ports = { sha256, clock: fakeClock() };
  const server = createSkillsServer(served, ports);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(near);
  onTestFinished(async () => {
    await client.close();
    await server[Symbol.asyncDispose]();
  });
  return { client, registry: mcpSkills(client, ports, { origin: 'docs', ...options }) };
}
