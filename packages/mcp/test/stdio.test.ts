import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createSkillRegistry, memorySkills } from '@skillpack/core';
import { fakeClock, skillRegistryContract } from '@skillpack/core/testing';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mcpSkills } from '../src/client/mcp-skills.js';
import { serveSkillsOnStdio } from '../src/node.js';
import { skillText } from './ground.js';
import { sha256 } from './sha256.js';

const cache = join(import.meta.dirname, '..', 'node_modules', '.cache');
const server = join(cache, `serve-contract-skills-${process.pid}.mjs`);

beforeAll(async () => {
  mkdirSync(cache, { recursive: true });
  await build({
    entryPoints: [join(import.meta.dirname, 'children/serve-contract-skills.ts')],
    outfile: server,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    conditions: ['skillpack-source'],
    logLevel: 'silent',
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
  });
});

afterAll(() => rmSync(server, { force: true }));

async function connect(mode: 'legacy' | 'auto'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [server], stderr: 'inherit' }));
  return client;
}

skillRegistryContract(
  async () => {
    const client = await connect('legacy');
    const registry = mcpSkills(client, { sha256, clock: fakeClock() }, { origin: 'child', grant: () => true });
    return { registry, close: async () => client.close() };
  },
  { describe, test, expect },
  { title: 'skills of another process', nameOf: (name) => `child/${name}`, asciiNames: true },
);

test.each([
  ['legacy', '2025-11-25'],
  ['auto', '2026-07-28'],
] as const)(
  'the official client of either revision reads verified files of another process, and calls tools: %s',
  async (mode, version) => {
    const client = await connect(mode);
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    const skills = new SkillsClient(client);
    const { skills: entries } = await skills.list();
    expect(entries.map(({ frontmatter }) => frontmatter.name)).toEqual(['pdf', 'table']);
    for (const entry of entries) {
      for (const { uri } of entry.resources === 'dynamic' ? [] : entry.resources) {
        expect((await skills.read(entry, uri)).verified).toBe(true);
      }
    }
    const result = await client.callTool({ name: 'read_skill', arguments: { skill_name: 'pdf' } });
    expect(JSON.stringify(result)).toContain('See [the forms]');
    expect((await client.listPrompts()).prompts).toHaveLength(2);
    await client.close();
  },
);

function start(): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [server]);
}

test('a server ends when its client closes its end, with nothing on the error stream', async () => {
  const child = start();
  const errors = text(child.stderr);
  child.stdin.end();
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(await errors).toBe('');
});

test('what is no message does not end a server', async () => {
  const child = start();
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
  };
  child.stdin.write(`no message\n{"half":\n\u0000\n[]\n${JSON.stringify(initialize)}\n`);
  const [answer] = await once(child.stdout, 'data');
  expect(JSON.parse(String(answer))).toMatchObject({ id: 1, result: { serverInfo: { name: 'skillpack' } } });
  child.stdin.end();
  expect(await once(child, 'close')).toEqual([0, null]);
});

test('a server ends when its signal is aborted, before, while it begins or while it serves', async () => {
  const registry = createSkillRegistry(memorySkills({ 'pdf/SKILL.md': skillText('pdf') }), { sha256 });
  const ports = { sha256, clock: fakeClock() };
  const streams = { input: new PassThrough(), output: new PassThrough() };
  await serveSkillsOnStdio(registry, ports, { ...streams, signal: AbortSignal.abort() });
  const early = new AbortController();
  const begun = createSkillRegistry(
    {
      kind: 'slow',
      list: async () => {
        early.abort();
        return { skills: [] };
      },
      files: async () => [],
      bytes: async () => new Uint8Array(),
    },
    { sha256 },
  );
  await serveSkillsOnStdio(begun, ports, { ...streams, signal: early.signal });
  const cancel = new AbortController();
  const serving = serveSkillsOnStdio(registry, ports, { ...streams, signal: cancel.signal });
  streams.input.write('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n');
  await once(streams.output, 'data');
  cancel.abort();
  await serving;
  const stillThere = streams.input.listenerCount('data');
  expect(stillThere).toBe(0);
});
