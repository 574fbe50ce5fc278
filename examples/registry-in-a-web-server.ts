/*
 * A registry of packs inside a web server that does other things too: its handler takes a `Request` and gives a
 * `Response`, so it goes into any framework that knows these two. Then a publisher with a token, and an agent that
 * reads the skill over HTTP without installing it. `node examples/registry-in-a-web-server.ts`, with Node 22.19 or
 * newer, after `npx -y pnpm@12 build`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createArchiveReader, createArchiveWriter, packSkills, sha256 } from '@skillpack/cli-dist';
import { createMemoryJournal, createSkillRegistry, runAgent } from '@skillpack/core';
import { scripted, searchAndAnswer } from '@skillpack/model-adapters';
import { createHttpRegistry, remoteSkills, systemHttpPorts } from '@skillpack/registry-http';
import { createFolderRegistry, createRegistryServer, serveRegistry } from '@skillpack/registry-http/server';
import { systemClock } from '@skillpack/runs-fs';

const folder = await mkdtemp(join(tmpdir(), 'skillpack-example-'));
const archives = createArchiveReader();
const token = 'a-secret-of-the-publisher';

const stored = createFolderRegistry(folder, { archives, writer: createArchiveWriter(), now: () => new Date() });
const registry = createRegistryServer(stored, { archives }, { tokens: [{ token, organisations: ['skillpack'] }] });

/** The web server: whatever lies below /skills/ is the registry's. */
async function answer(request: Request): Promise<Response> {
  const url = new URL(request.url);
  if (url.pathname === '/') return new Response('The shop. Its skills are at /skills/.\n');
  if (!url.pathname.startsWith('/skills/')) return new Response('Nothing here.\n', { status: 404 });
  url.pathname = url.pathname.slice('/skills'.length);
  return registry(new Request(url, request));
}

const server = await serveRegistry(answer); // Or Hono's `app.mount`, a route of Next.js, `Deno.serve`, `Bun.serve`.
const packs = createHttpRegistry(`${server.url}skills/`, { ...systemHttpPorts, archives }, { token: () => token });
try {
  console.log((await (await fetch(server.url)).text()).trim());

  const { archive } = await packSkills('skills-builtin/table', { format: 'tgz' });
  const { name, record } = await packs.publish({ archive, format: 'tgz' });
  console.log(`published ${name} ${record.version} over HTTP`);

  const found = remoteSkills(packs, { archives, sha256 }, { from: { kind: 'search', words: 'chart' } });
  const skills = createSkillRegistry(found, { sha256 });
  const model = scripted(searchAndAnswer); // Or a real one: `anthropic({ apiKey, model: 'claude-…' })`.
  const ports = { registry: skills, model, journal: createMemoryJournal(sha256), sha256, clock: systemClock };
  const { text, state } = await runAgent('Draw a chart of sales.csv', ports, { id: 'chart' });
  console.log(`${state.activations[0]?.location.replace(server.url, '…/')} says: ${text.match(/^# .*/mu)?.[0]}`);
} finally {
  await packs.close();
  await server.close();
  await rm(folder, { recursive: true });
}
