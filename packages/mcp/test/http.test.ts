import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createSkillRegistry, memorySkills } from '@skillpack/core';
import { contractSkillFiles, fakeClock } from '@skillpack/core/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { mcpSkills } from '../src/client/mcp-skills.js';
import { createSkillsServer } from '../src/server/create-skills-server.js';
import { skillText, type Files } from './ground.js';
import { sha256 } from './sha256.js';

/** Serves files over HTTP on this machine. @returns the address, and what tells listeners of changes */
async function serveHttp(files: Files) {
  const registry = createSkillRegistry(memorySkills(files), { sha256 });
  const skills = createSkillsServer(registry, { sha256, clock: fakeClock() }, { ttlMs: 0 });
  const handler = createMcpHandler(skills.createServer);
  const changes = await registry.subscribe(() => handler.notify.resourcesChanged());
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const {
      status,
      headers,
      body: stream,
    } = await handler.fetch(
      new Request(`http://127.0.0.1${request.url ?? '/'}`, {
        method: request.method ?? 'GET',
        headers: Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
      }),
    );
    response.writeHead(status, [...headers].flat());
    for await (const chunk of stream ?? []) response.write(chunk);
    response.end();
  };
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    await changes[Symbol.asyncDispose]();
    await handler.close();
    await skills[Symbol.asyncDispose]();
    server.closeAllConnections();
    server.close();
  });
  // It listens on a port of TCP.
  const { port } = server.address() as AddressInfo;
  return { address: new URL(`http://127.0.0.1:${port}/mcp`), registry };
}

async function connect(address: URL, mode: 'legacy' | 'auto'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(address));
  onTestFinished(async () => client.close());
  return client;
}

test.each(['legacy', 'auto'] as const)('skills are served and read over HTTP, a server a request: %s', async (mode) => {
  const { address } = await serveHttp(contractSkillFiles);
  const client = await connect(address, mode);
  const registry = mcpSkills(client, { sha256, clock: fakeClock() }, { origin: 'web' });
  const { skills, problems } = await registry.index();
  expect(skills.map(({ name }) => name)).toEqual(['web/cafe', 'web/pdf', 'web/table']);
  expect(problems).toEqual([]);
  for (const skill of skills.filter(({ head }) => head.name !== 'cafe')) {
    for (const { path } of await registry.files(skill)) {
      const expected = contractSkillFiles[`${skill.head.name}/${path}`] ?? '';
      const bytes = await registry.bytes(skill, path, { maxBytes: 3_000_000 });
      expect(sha256(bytes)).toBe(sha256(expected));
    }
  }
});

test('a registry that watches sees what changed on the server, over either revision', async () => {
  const files: Files = { 'pdf/SKILL.md': skillText('pdf') };
  const { address, registry: source } = await serveHttp(files);
  const client = await connect(address, 'auto');
  expect(client.getProtocolEra()).toBe('modern');
  const registry = mcpSkills(client, { sha256, clock: fakeClock() }, { origin: 'web', watch: true });
  const added: string[] = [];
  const subscription = await registry.subscribe((change) => void added.push(...change.added));
  await registry.index();
  files['table/SKILL.md'] = skillText('table');
  await source.reload();
  await vi.waitFor(() => expect(added).toEqual(['web/table']));
  await subscription[Symbol.asyncDispose]();
});
