import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { SkillsError, type SkillRegistry } from '@skillpack/core';
import { fakeClock } from '@skillpack/core/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { mcpSkills, type McpSkillsOptions } from '../src/client/mcp-skills.js';
import { skillOf, skillText } from './ground.js';
import { sha256 } from './sha256.js';

interface Answers {
  readonly list: (cursor: string | undefined) => object | Promise<object>;
  readonly get?: (uri: string) => object;
  readonly read?: (uri: string) => { readonly text: string } | { readonly blob: string } | Promise<never>;
}

const clock = fakeClock();

/** A server that answers whatever a test says, and a registry of its skills. */
async function hostile(
  { list, get, read }: Answers,
  options: Partial<McpSkillsOptions> = {},
): Promise<{
  readonly registry: SkillRegistry;
  readonly client: Client;
  readonly mcp: McpServer;
  readonly asked: readonly string[];
}> {
  const asked: string[] = [];
  const mcp = new McpServer(
    { name: 'trusted', version: '1.0.0' },
    { capabilities: { resources: { listChanged: true } } },
  );
  mcp.server.registerCapabilities({ extensions: { 'io.modelcontextprotocol/skills': {} } });
  const params = z.looseObject({ cursor: z.optional(z.string()), uri: z.optional(z.string()) });
  mcp.server.setRequestHandler('skills/list', { params }, async ({ cursor }) => {
    asked.push(`list ${cursor ?? ''}`);
    return { ...(await list(cursor)) };
  });
  mcp.server.setRequestHandler('skills/get', { params }, async ({ uri = '' }) => ({ ...get?.(uri) }));
  mcp.server.setRequestHandler('resources/read', async (request) => {
    const { uri } = request.params;
    asked.push(`read ${uri}`);
    return { contents: [{ uri, ...(await (read?.(uri) ?? { text: '' })) }] };
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await mcp.connect(far);
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(near);
  onTestFinished(async () => client.close());
  return { client, mcp, asked, registry: mcpSkills(client, { sha256, clock }, { origin: 'evil', ...options }) };
}

const text = skillText('pdf');
const silence = new Promise<never>(() => undefined);

function fileOf(uri: string, content: string): object {
  return { uri, digest: sha256(content), size: Buffer.byteLength(content) };
}

function entryOf(name: string, over: object = {}): object {
  const uri = `skill://${name}/SKILL.md`;
  const content = skillText(name);
  return {
    uri,
    frontmatter: { name, description: `What ${name} does.` },
    resources: [fileOf(uri, content)],
    ...over,
  };
}

const only = (entry: object): Answers => ({ list: () => ({ skills: [entry] }), read: () => ({ text }) });

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: unknown) => (SkillsError.is(error) ? error.code : String(error)),
  );
}

function deep(levels: number): object {
  let value: object = {};
  for (let level = 0; level < levels; level += 1) value = { value };
  return value;
}

const self = fileOf('skill://pdf/SKILL.md', text);

test.each([
  ['an address without a folder', { uri: 'skill:///SKILL.md' }],
  ['an address that is none', { uri: '../../etc/SKILL.md' }],
  ['an address that is no SKILL.md', { uri: 'skill://pdf/README.md' }],
  ['an address with a query', { uri: 'skill://pdf/SKILL.md?x' }],
  ['an address with a password', { uri: 'skill://a:b@pdf/SKILL.md' }],
  ['a name with a way out', { uri: 'skill://pdf/..%2f..%2fpdf/SKILL.md' }],
  ['a name with a character that turns text around', { uri: 'skill://\u202Efdp/pdf/SKILL.md' }],
  ['another name than its address', { frontmatter: { name: 'docx', description: 'x' } }],
  ['no description', { frontmatter: { name: 'pdf' } }],
  ['no files', { resources: [] }],
  ['nothing said of files', { resources: undefined }],
  ['files that cannot be verified', { resources: 'dynamic' }],
  ['files without a SKILL.md', { resources: [fileOf('skill://pdf/a.md', 'a')] }],
  ['a file of another skill', { resources: [self, fileOf('skill://table/a.md', 'a')] }],
  ['a file above the skill, encoded', { resources: [self, fileOf('skill://pdf/%2e%2e%2fa.md', 'a')] }],
  ['a file of the machine', { resources: [self, fileOf('file:///etc/passwd', 'a')] }],
  ['a file twice', { resources: [self, fileOf('skill://pdf/a.md', 'a'), fileOf('skill://pdf/%61.md', 'b')] }],
  ['a digest in capitals', { resources: [{ ...self, digest: sha256(text).toUpperCase() }] }],
  ['a digest of another kind', { resources: [{ ...self, digest: `md5:${'0'.repeat(32)}` }] }],
  ['a size below nothing', { resources: [{ ...self, size: -1 }] }],
  ['a size that is none', { resources: [{ ...self, size: 1e300 }] }],
  ['more bytes than are taken', { resources: [self, { ...fileOf('skill://pdf/a', ''), size: 16 * 1024 * 1024 }] }],
  [
    'more files than are taken',
    { resources: [self, ...Array.from({ length: 512 }, (_, at) => fileOf(`skill://pdf/${at}`, 'a'))] },
  ],
  ['front matter without an end', { frontmatter: { name: 'pdf', description: 'x', more: 'y'.repeat(70_000) } }],
  ['front matter without a bottom', { frontmatter: { name: 'pdf', description: 'x', deep: deep(100_000) } }],
  ['a very long address', { uri: `skill://${'x/'.repeat(2_000)}pdf/SKILL.md` }],
])('an entry with %s is a problem, and keeps no other from being offered', async (_, over) => {
  const { registry } = await hostile({ list: () => ({ skills: [entryOf('pdf', over), entryOf('table'), 7, null] }) });
  const { skills, problems } = await registry.index();
  expect(skills.map(({ name }) => name)).toEqual(['evil/table']);
  expect(problems.map(({ code }) => code)).toEqual(['refused', 'refused', 'refused']);
  expect(JSON.stringify(problems)).not.toContain('\u202E');
});

test('what is read is held to what was told: digest, size, and the front matter', async () => {
  const table: readonly (readonly [entry: object, read: { readonly text: string } | { readonly blob: string }])[] = [
    [entryOf('pdf'), { text: `${text} and more` }],
    [entryOf('pdf'), { text: text.replace('What', 'Whet') }],
    [entryOf('pdf'), { blob: Buffer.from(`${text}x`).toString('base64') }],
    [entryOf('pdf'), { blob: '' }],
    [entryOf('pdf'), { text: 'x'.repeat(5_000_000) }],
    [entryOf('pdf', { frontmatter: { name: 'pdf', description: 'Harmless.' } }), { text }],
    [entryOf('pdf', { frontmatter: { name: 'pdf', description: 'What pdf does.', license: 'MIT' } }), { text }],
  ];
  for (const [entry, answer] of table) {
    const { registry } = await hostile({ list: () => ({ skills: [entry] }), read: () => answer });
    const skill = await skillOf(registry, 'evil/pdf');
    expect(await codeOf(registry.body(skill))).toBe('INTEGRITY_MISMATCH');
    expect(await codeOf(registry.bytes(skill, 'SKILL.md'))).toBe('INTEGRITY_MISMATCH');
  }
});

test('front matter that is told anew for the same file is compared with it again', async () => {
  let description = 'What pdf does.';
  const { registry } = await hostile({
    list: () => ({ skills: [entryOf('pdf', { frontmatter: { name: 'pdf', description } })] }),
    read: () => ({ text }),
  });
  expect(await codeOf(registry.body(await skillOf(registry, 'evil/pdf')))).toBe('none');
  description = 'Harmless.';
  await registry.reload();
  expect(await codeOf(registry.body(await skillOf(registry, 'evil/pdf')))).toBe('INTEGRITY_MISMATCH');
});

test('a file that an entry does not list, or that is too large, is not asked for', async () => {
  const { registry, asked } = await hostile(only(entryOf('pdf')));
  const skill = await skillOf(registry, 'evil/pdf');
  expect(await codeOf(registry.bytes(skill, 'run.sh'))).toBe('FILE_NOT_FOUND');
  expect(await codeOf(registry.bytes(skill, 'SKILL.md', { maxBytes: 1 }))).toBe('FILE_TOO_LARGE');
  expect(asked).toEqual(['list ']);
});

test('a file is read once, and only when it is asked for', async () => {
  const { registry, asked } = await hostile(only(entryOf('pdf')));
  const skill = await skillOf(registry, 'evil/pdf');
  await registry.files(skill);
  expect(asked).toEqual(['list ']);
  await Promise.all([registry.body(skill), registry.body(skill)]);
  const bytes = await registry.bytes(skill, 'SKILL.md');
  bytes.fill(0);
  await registry.body(skill);
  expect(asked.filter((one) => one.startsWith('read')).length).toBeLessThanOrEqual(2);
});

test('a server’s skills bear the name that its user gave it, whatever it calls itself, and a location of their own', async () => {
  const { registry } = await hostile(
    only(entryOf('pdf', { uri: 'skill://acme/pdf/SKILL.md', resources: [fileOf('skill://acme/pdf/SKILL.md', text)] })),
  );
  const { skills } = await registry.index();
  expect(skills).toMatchObject([
    { name: 'evil/acme/pdf', location: 'mcp://evil/acme/pdf', scope: 'other', pack: undefined },
  ]);
  for (const origin of ['', '../x', 'a/b', ' ', '-x', 'x'.repeat(65)]) {
    await expect(hostile(only(entryOf('pdf')), { origin })).rejects.toSatisfy((error) =>
      SkillsError.is(error, 'USAGE'),
    );
  }
});

test('of two lists that are asked for at once the one that was asked for last counts', async () => {
  const answers: ((description: string) => void)[] = [];
  const { registry, asked } = await hostile({
    list: async () => {
      const first = asked.length === 1;
      const description = first ? 'What pdf does.' : await new Promise<string>((resolve) => void answers.push(resolve));
      return { skills: [entryOf('pdf', { frontmatter: { name: 'pdf', description } })] };
    },
    read: () => ({ text }),
  });
  const skill = await skillOf(registry, 'evil/pdf');
  const lists = [registry.list(), registry.list()];
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.('What pdf does.');
  await lists[1];
  answers[0]?.('Old.');
  await lists[0];
  expect(await codeOf(registry.body(skill))).toBe('none');
});

test('allowed tools of a skill count for nothing, unless a person granted them for that skill', async () => {
  const content = skillText('pdf', ['allowed-tools: Bash(rm:*)']);
  const uri = 'skill://pdf/SKILL.md';
  const frontmatter = { name: 'pdf', description: 'What pdf does.', 'allowed-tools': 'Bash(rm:*)' };
  const answers: Answers = {
    list: () => ({ skills: [entryOf('pdf', { frontmatter, resources: [fileOf(uri, content)] })] }),
    read: () => ({ text: content }),
  };
  for (const [grant, tools] of [
    [undefined, undefined],
    [() => false, undefined],
    [() => true, ['Bash(rm:*)']],
  ] as const) {
    const { registry } = await hostile(answers, { grant });
    const skill = await skillOf(registry, 'evil/pdf');
    expect(skill.head.allowedTools).toEqual(tools);
    expect((await registry.body(skill)).skill.allowedTools).toEqual(tools);
  }
});

test('of 100000 skills as many are taken as the limit says, and the rest is told', async () => {
  const all = Array.from({ length: 100_000 }, (_, at) => entryOf(`s${at}`));
  const { registry, asked } = await hostile({ list: () => ({ skills: all, nextCursor: 'more' }) }, { mostSkills: 500 });
  const { skills, problems } = await registry.index();
  expect([skills.length, asked.length]).toEqual([500, 1]);
  expect(problems).toMatchObject([{ code: 'ignored', message: expect.stringContaining('more than 500') }]);
});

test('of a list that is too long as much is taken as fits', async () => {
  const description = 'x'.repeat(60_000);
  const { registry, asked } = await hostile({
    list: (cursor = '0') => ({
      skills: Array.from({ length: 100 }, (_, at) => {
        const name = `s${cursor}-${at}`;
        return entryOf(name, { frontmatter: { name, description } });
      }),
      nextCursor: String(Number(cursor) + 1),
    }),
  });
  const { skills, problems } = await registry.index();
  expect(skills.length).toBeLessThan(1_200);
  expect(skills[0]?.head.description).toHaveLength(1_024);
  expect(problems).toMatchObject([{ message: expect.stringContaining('characters') }]);
  expect(asked.length).toBeLessThan(15);
});

test('a list that does not end is cut, with what was told', async () => {
  let page = 0;
  const same = await hostile({ list: () => ({ skills: [entryOf(`s${(page += 1)}`)], nextCursor: 'again' }) });
  expect((await same.registry.index()).skills).toHaveLength(2);
  let other = 0;
  const growing = await hostile({ list: () => ({ skills: [], nextCursor: String((other += 1)) }) });
  const { problems } = await growing.registry.index();
  expect(problems).toMatchObject([{ message: expect.stringContaining('does not end') }]);
  expect(growing.asked.length).toBeLessThanOrEqual(1_001);
});

test('what is nested too deeply, and what a cursor holds, count as much as what is taken', async () => {
  const large = 'x'.repeat(1_000_000);
  const levels = deep(40);
  let page = 0;
  const nested = await hostile({
    list: () => ({
      skills: Array.from({ length: 100 }, (_, at) => ({ uri: `skill://${(page += 1)}-${at}`, levels, large })),
      nextCursor: String(page),
    }),
  });
  expect((await nested.registry.index()).problems[0]?.message).toContain('characters');
  expect(nested.asked).toHaveLength(1);
  const long = await hostile({ list: () => ({ skills: [], nextCursor: `${large}${(page += 1)}` }) });
  expect((await long.registry.index()).problems).toMatchObject([{ message: expect.stringContaining('characters') }]);
  expect(long.asked.length).toBeLessThan(70);
});

test.each([
  ['skill://%70df/SKILL.md', 'pdf'],
  ['skill://pdf/./SKILL.md', 'pdf'],
  ['skill://table/%2e%2e/SKILL.md', 'table'],
])('one skill that is told at two addresses which say the same is none: %s', async (uri, name) => {
  const other = { uri, frontmatter: { name, description: 'Other.' }, resources: [fileOf(uri, skillText(name))] };
  for (const skills of [
    [entryOf('pdf'), entryOf('table'), other],
    [other, entryOf('pdf'), entryOf('table')],
  ]) {
    const { registry } = await hostile({ list: () => ({ skills }) });
    const index = await registry.index();
    expect(index.skills.map((skill) => skill.head.description)).not.toContain('Other.');
    expect(index.problems).toHaveLength(1);
  }
});

test('an entry that a changing list tells twice is one; two that differ are none', async () => {
  const { registry } = await hostile({
    list: (cursor) =>
      cursor === undefined
        ? { skills: [entryOf('pdf'), entryOf('table')], nextCursor: '2' }
        : { skills: [entryOf('pdf'), entryOf('table', { frontmatter: { name: 'table', description: 'Other.' } })] },
  });
  const { skills, problems } = await registry.index();
  expect(skills.map(({ name }) => name)).toEqual(['evil/pdf']);
  expect(problems).toMatchObject([{ message: expect.stringContaining('told in two ways') }]);
});

test('an address that is told in two ways is shown with every character', async () => {
  const uri = 'skill://pdf/\u001B[2J\u202E/SKILL.md';
  const { registry } = await hostile({
    list: () => ({ skills: [entryOf('pdf', { uri }), entryOf('table', { uri })] }),
  });
  const { problems } = await registry.index();
  expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining('<U+001B>[2J<U+202E>')]);
});

test.each([
  ['nothing', {}],
  ['a text for a list', { skills: 'all' }],
  ['a number for a cursor', { skills: [], nextCursor: 7 }],
])('an answer with %s is REGISTRY_ERROR, and what was good stays', async (_, answer) => {
  let bad = false;
  const { registry } = await hostile({ list: () => (bad ? answer : { skills: [entryOf('pdf')] }) });
  await registry.index();
  bad = true;
  const { skills, problems } = await registry.reload().catch(async () => registry.index());
  expect(skills.map(({ name }) => name)).toEqual(['evil/pdf']);
  expect(problems.map(({ code }) => code)).toEqual(['stale']);
});

test('a server that keeps silent is TIMEOUT after half a minute, or after the time that it was given', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const answers: Answers = { list: () => ({ skills: [entryOf('pdf')] }), read: async () => silence };
  for (const [options, milliseconds] of [
    [{}, 30_000],
    [{ timeout: 500 }, 500],
  ] as const) {
    const { registry } = await hostile(answers, options);
    let code = 'waiting';
    void codeOf(registry.body(await skillOf(registry, 'evil/pdf'))).then((told) => (code = told));
    await vi.advanceTimersByTimeAsync(milliseconds - 1);
    expect(code).toBe('waiting');
    await vi.advanceTimersByTimeAsync(1);
    expect(code).toBe('TIMEOUT');
  }
  const quiet = await hostile({ list: async () => silence });
  const listing = codeOf(quiet.registry.index());
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await listing).toBe('TIMEOUT');
});

test('a reading that is given up is INTERRUPTED, and one whose server hangs up NETWORK_ERROR', async () => {
  const { registry, client } = await hostile({
    list: () => ({ skills: [entryOf('pdf')] }),
    read: async () => silence,
  });
  const skill = await skillOf(registry, 'evil/pdf');
  const cancel = new AbortController();
  const given = codeOf(registry.body(skill, { signal: cancel.signal }));
  cancel.abort();
  expect(await given).toBe('INTERRUPTED');
  const lost = codeOf(registry.body(skill));
  await client.close();
  expect(await lost).toBe('NETWORK_ERROR');
  expect(await codeOf(registry.body(skill))).toBe('NETWORK_ERROR');
});

test('a list that takes too long page by page is TIMEOUT', async () => {
  let page = 0;
  const { registry } = await hostile({
    list: () => {
      clock.advance(1_000);
      return { skills: [], nextCursor: String((page += 1)) };
    },
  });
  expect(await codeOf(registry.index())).toBe('TIMEOUT');
  expect(page).toBe(300);
});

test('a list holds for as long as the server says, at most five minutes', async () => {
  const { registry, asked } = await hostile({
    list: () => ({ skills: [entryOf('pdf')], ttlMs: 1e12, cacheScope: 'private' }),
  });
  await registry.index();
  await registry.reload();
  expect(asked).toHaveLength(1);
  clock.advance(300_001);
  await registry.reload();
  expect(asked).toHaveLength(2);
});

test('what changes while a list is read, or turns out to be another, is seen by the next one, however long it was to hold', async () => {
  let name = 'pdf';
  let during: (() => Promise<void>) | undefined;
  const { registry, asked, mcp } = await hostile(
    {
      list: async () => {
        const told = { skills: [entryOf(name)], ttlMs: 200_000 };
        const work = during;
        during = undefined;
        await work?.();
        return told;
      },
      read: () => ({ text: 'other' }),
    },
    { watch: true },
  );
  const changes: string[] = [];
  await registry.subscribe(({ added }) => void changes.push(...added));
  during = async () => {
    name = 'birds';
    await mcp.server.sendResourceListChanged();
  };
  await mcp.server.sendResourceListChanged();
  await vi.waitFor(() => expect(changes.at(-1)).toBe('evil/birds'));
  const birds = await skillOf(registry, 'evil/birds');
  clock.advance(300_001);
  during = async () => void (await codeOf(registry.body(birds)));
  await registry.reload();
  const before = asked.length;
  await registry.reload();
  expect(asked.slice(before)).toEqual(['list ']);
});

test('a list that was to hold longer is asked for again once a file was not the one that it told of', async () => {
  let content = text;
  const { registry, asked } = await hostile({
    list: () => ({
      skills: [entryOf('pdf', { resources: [fileOf('skill://pdf/SKILL.md', content)] })],
      ttlMs: 200_000,
    }),
    read: () => ({ text: content }),
  });
  const before = await skillOf(registry, 'evil/pdf');
  content = `${text}More.\n`;
  expect(await codeOf(registry.body(before))).toBe('INTEGRITY_MISMATCH');
  await registry.reload();
  expect((await registry.body(await skillOf(registry, 'evil/pdf'))).skill.body).toContain('More.');
  expect((await skillOf(registry, 'evil/pdf')).digest).not.toBe(before.digest);
  expect(asked.filter((one) => one.startsWith('list'))).toHaveLength(2);
});

test('a skill that a server does not list is had by its address, and another one in its place is not taken', async () => {
  const addresses = ['skill://none/SKILL.md', 'skill://pdf/SKILL.md', 'skill://table/SKILL.md'];
  const { registry } = await hostile(
    { list: () => ({ skills: [] }), get: (uri) => (uri.includes('none') ? {} : { skill: entryOf('pdf') }) },
    { addresses },
  );
  const { skills, problems } = await registry.index();
  expect(skills.map(({ name }) => name)).toEqual(['evil/pdf']);
  expect(problems.map(({ message }) => message)).toEqual([
    expect.stringContaining('did not give “skill://none/SKILL.md”'),
    expect.stringContaining('another skill'),
  ]);
});

test('a server without the extension offers no skills, whatever its resources are called', async () => {
  const mcp = new McpServer({ name: 'plain', version: '1.0.0' });
  mcp.registerResource('pdf', 'skill://pdf/SKILL.md', {}, (uri) => ({ contents: [{ uri: uri.href, text }] }));
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1.0.0' });
  const registry = mcpSkills(client, { sha256, clock }, { origin: 'plain' });
  expect(await codeOf(registry.index())).toBe('NETWORK_ERROR');
  await mcp.connect(far);
  await client.connect(near);
  expect(await codeOf(registry.reload())).toBe('REGISTRY_ERROR');
  await client.close();
});
