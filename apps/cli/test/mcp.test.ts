import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createAgentWorld } from './agent-world.js';
import { loadedBy } from './loaded-by.js';
import { makeSkill } from './make-skill.js';
import { command, type World } from './run-skills.js';

// A test runs several commands, each of which is a process.
vi.setConfig({ testTimeout: 60_000 });

let world: World;
beforeEach(() => {
  world = createAgentWorld();
});
afterEach(() => world.remove());

const environment = (): Record<string, string> => ({ PATH: process.env['PATH'] ?? '', HOME: world.home });

interface Served {
  readonly client: Client;
  readonly names: readonly string[];
  /** What stood on standard error, once the client is closed. */
  close(): Promise<string>;
}

/** Connects the official client to the built command, in the project. */
async function serve(...options: readonly string[]): Promise<Served> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [command, 'mcp', ...options],
    cwd: world.project,
    env: environment(),
    stderr: 'pipe',
  });
  const pieces: string[] = [];
  transport.stderr?.on('data', (piece: Buffer) => pieces.push(piece.toString('utf8')));
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(transport);
  onTestFinished(async () => client.close());
  const { skills } = await new SkillsClient(client).list();
  return {
    client,
    names: skills.map(({ frontmatter }) => frontmatter.name).filter((name) => name === 'greet' || name === 'local'),
    close: async () => {
      await client.close();
      return pieces.join('');
    },
  };
}

function start(...options: readonly string[]): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [command, 'mcp', ...options], { cwd: world.project, env: environment() });
}

test('the official client reads the skills that an agent would be offered, each file verified, and as tools', async () => {
  const { client, names, close } = await serve();
  expect(names).toEqual(['greet']);
  const skills = new SkillsClient(client);
  const { skills: entries } = await skills.list();
  for (const entry of entries) {
    for (const { uri } of entry.resources === 'dynamic' ? [] : entry.resources) {
      expect((await skills.read(entry, uri)).verified).toBe(true);
    }
  }
  const read = await client.callTool({ name: 'read_skill', arguments: { skill_name: 'greet' } });
  expect(JSON.stringify(read.content)).toContain('Greet kindly.');
  // Where its scripts are, a client on the same machine has to know.
  expect(JSON.stringify(read.content)).toContain(join(world.home, '.agents', 'skills', 'greet'));
  expect(client.getServerVersion()).toMatchObject({ name: 'skillpack', version: expect.stringMatching(/^\d+\./u) });
  expect(await close()).toMatch(/^warning: 1 skill of this project is left out, since nobody has said/u);
});

test('a file that usually holds secrets is served in no way', async () => {
  writeFileSync(join(world.home, '.agents', 'skills', 'greet', '.env'), 'SECRET=in-the-open');
  writeFileSync(join(world.home, '.agents', 'skills', 'greet', 'notes.md'), 'Open notes.');
  const { client } = await serve();
  const { skills } = await new SkillsClient(client).list();
  const greet = skills.find(({ frontmatter }) => frontmatter.name === 'greet');
  const files = greet?.resources === 'dynamic' ? [] : (greet?.resources ?? []);
  expect(new Set(files.map(({ uri }) => uri.split('/').at(-1)))).toEqual(new Set(['SKILL.md', 'hello.sh', 'notes.md']));
  const read = async (path: string) =>
    JSON.stringify(await client.callTool({ name: 'read_skill_file', arguments: { skill_name: 'greet', path } }));
  await client.callTool({ name: 'read_skill', arguments: { skill_name: 'greet' } });
  expect(await read('notes.md')).toContain('Open notes.');
  expect(await read('.env')).not.toContain('in-the-open');
  expect(await read('sub/../.ENV')).not.toContain('in-the-open');
});

test('skills of a project are served where it is trusted, and a folder that is named is served alone', async () => {
  const trusted = await serve('--trust-project');
  expect([trusted.names, await trusted.close()]).toEqual([['greet', 'local'], '']);
  const own = await serve('--scope', 'user');
  expect(own.names).toEqual(['greet']);
  const ofProject = await serve('--scope', 'project');
  expect([ofProject.names, await ofProject.close()]).toEqual([[], expect.stringContaining('left out')]);
  const named = await serve('--root', '.agents/skills');
  expect([named.names, await named.close()]).toEqual([['local'], '']);
  const elsewhere = await serve('--cwd', join(world.project, '.agents'), '--root', 'skills');
  expect(elsewhere.names).toEqual(['local']);
  const list = join(world.home, '.agents', 'trusted-projects.json');
  writeFileSync(list, JSON.stringify({ formatVersion: 1, projects: [world.project] }), { mode: 0o600 });
  const remembered = await serve();
  expect([remembered.names, await remembered.close()]).toEqual([['greet', 'local'], '']);
});

test('what cannot be served is told on standard error, and a skill that is written later is served', async () => {
  mkdirSync(join(world.home, '.agents', 'skills', 'broken'), { recursive: true });
  writeFileSync(join(world.home, '.agents', 'skills', 'broken', 'SKILL.md'), 'no front matter\n');
  const { client, names, close } = await serve();
  expect(names).toEqual(['greet']);
  rmSync(join(world.home, '.agents', 'skills', 'broken'), { recursive: true });
  makeSkill(join(world.home, '.agents', 'skills', 'later'), { body: 'Written later.\n' });
  await vi.waitFor(
    async () => {
      const read = await client.callTool({ name: 'read_skill', arguments: { skill_name: 'later' } });
      expect(JSON.stringify(read.content)).toContain('Written later.');
    },
    { timeout: 20_000, interval: 100 },
  );
  expect((await close()).split('\n').filter((line) => line.includes('broken'))).toHaveLength(1);
});

test('of many folders that cannot be served, the first are told', async () => {
  for (let at = 0; at < 40; at += 1) {
    const folder = join(world.project, '.agents', 'skills', `broken-${at}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'SKILL.md'), 'no front matter\n');
  }
  const { names, close } = await serve();
  expect(names).toEqual(['greet']);
  const lines = (await close()).split('\n');
  expect(lines.filter((line) => line.includes('broken-'))).toHaveLength(20);
  expect(lines.filter((line) => line.includes('There are more folders'))).toHaveLength(1);
});

test('it ends with 0 when its client closes its end, with nothing on standard output', async () => {
  const child = start();
  const output = text(child.stdout);
  child.stdin.end();
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(await output).toBe('');
});

test.skipIf(process.platform === 'win32').each(['SIGTERM', 'SIGINT'] as const)(
  'it ends with 0 on %s',
  async (signal) => {
    const child = start('--quiet');
    const errors = text(child.stderr);
    child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n');
    await once(child.stdout, 'data');
    child.kill(signal);
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(await errors).toBe('');
  },
);

test('what is wrong with the command line is told before anything is served', async () => {
  for (const [words, told] of [
    [['--root', '.', '--scope', 'user'], '--root and --scope cannot be used together'],
    [['--json'], 'skills mcp has no --json'],
  ] as const) {
    const { exitCode, stdout, stderr } = await world.run(['mcp', ...words]);
    expect(exitCode).toBe(2);
    expect(stdout + stderr).toContain(told);
  }
});

test('software of models is loaded by no server of skills', async () => {
  const libraries = await loadedBy(world, ['mcp']);
  expect(libraries).toContain('@modelcontextprotocol/server');
  expect([...libraries].filter((name) => name.startsWith('@ai-sdk/'))).toEqual([]);
});

test('a folder that is named and is not there is told', async () => {
  const { names, close } = await serve('--root', world.path('nowhere'));
  expect(names).toEqual([]);
  expect(await close()).toContain('There is no such folder of skills.');
});
