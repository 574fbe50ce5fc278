/*
 * The skills of a server of the Model Context Protocol: listed and read by the official client, each file held to its
 * digest; then an agent that has them as its registry, under the name that you give the server. Whatever the skills of
 * a server allow themselves counts for nothing unless you grant it. `node examples/mcp/client.ts`, with Node 22.19 or
 * newer, after `npx -y pnpm@12 build`.
 *
 * The model goes by words. A real one is one line: `anthropic({ apiKey, model: 'claude-…' })`.
 */
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createMemoryJournal, runAgent } from '@skillpack/core';
import { mcpSkills } from '@skillpack/mcp';
import { scripted, searchAndAnswer } from '@skillpack/model-adapters';
import { sha256, systemClock as clock } from '@skillpack/runs-fs';

const client = new Client({ name: 'example', version: '1.0.0' });
const server = { command: process.execPath, args: [join(import.meta.dirname, 'server.ts')] };
await client.connect(new StdioClientTransport(server));
try {
  const offered = new SkillsClient(client);
  const { skills } = await offered.list();
  console.log(`offered: ${skills.map(({ frontmatter }) => frontmatter.name).join(', ')}`);
  const table = skills.find(({ frontmatter }) => frontmatter.name === 'table');
  if (table === undefined) throw new Error('The server has no skill table.');
  const { text = '', verified } = await offered.read(table);
  console.log(`read: ${/^# .*$/mu.exec(text)?.[0]}, ${verified ? 'verified' : 'not verified'}`);

  const registry = mcpSkills(client, { sha256, clock }, { origin: 'example' });
  const ports = { registry, model: scripted(searchAndAnswer), journal: createMemoryJournal(sha256), sha256, clock };
  const { state, stop } = await runAgent('Draw a chart of sales.csv', ports, { id: 'chart' });
  console.log(`${stop}, by ${state.activations.map(({ name, location }) => `${name} of ${location}`).join(', ')}`);
} finally {
  await client.close();
}
