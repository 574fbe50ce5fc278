import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { SkillsError } from '@skillpack/core';
import { fakeClock } from '@skillpack/core/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { mcpSkills, type McpSkillsOptions } from '../src/client/mcp-skills.js';
import { present, skillText } from './ground.js';
import { sha256 } from './sha256.js';

type Answer = Readonly<Record<string, unknown>> | 'silence' | 'hang up' | 'error' | 'acknowledge';

const uri = 'skill://pdf/SKILL.md';
const text = skillText('pdf');
const skill = {
  uri,
  frontmatter: { name: 'pdf', description: 'What pdf does.' },
  resources: [{ uri, digest: sha256(text), size: text.length }],
};

const usual: Readonly<Record<string, Answer>> = {
  'server/discover': {
    supportedVersions: ['2026-07-28'],
    capabilities: { resources: { listChanged: true }, extensions: { 'io.modelcontextprotocol/skills': {} } },
    ttlMs: 0,
    cacheScope: 'private',
  },
  'skills/list': { skills: [skill], ttlMs: 0, cacheScope: 'private' },
  'resources/read': { contents: [{ uri, text }], ttlMs: 0, cacheScope: 'private' },
};

/** A server of the newest revision that is no server of the SDK: it answers each method as a test says. */
async function raw(over: Readonly<Record<string, Answer>>, options: Partial<McpSkillsOptions> = {}) {
  const answers = { ...usual, ...over };
  const [near, far] = InMemoryTransport.createLinkedPair();
  const asked: string[] = [];
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport of the SDK is no target of events
  far.onmessage = (message) => {
    if (!('method' in message)) return;
    asked.push(message.method);
    if (!('id' in message)) return;
    const { id, method } = message;
    const answer = answers[method] ?? 'error';
    if (answer === 'silence') return;
    const subscription = { 'io.modelcontextprotocol/subscriptionId': id };
    const params = { notifications: { resourcesListChanged: true }, _meta: subscription };
    if (answer === 'acknowledge') {
      void far.send({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params });
    } else if (answer === 'hang up') void far.close();
    else if (answer === 'error') void far.send({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'No.' } });
    else if ('code' in answer) void far.send({ jsonrpc: '2.0', id, error: asError(answer) });
    else void far.send({ jsonrpc: '2.0', id, result: { resultType: 'complete', ...answer } });
  };
  await far.start();
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(near);
  onTestFinished(async () => client.close());
  expect(client.getProtocolEra()).toBe('modern');
  const registry = mcpSkills(client, { sha256, clock: fakeClock() }, { origin: 'raw', ...options });
  return { client, registry, asked };
}

function asError({ code, message }: Readonly<Record<string, unknown>>): {
  readonly code: number;
  readonly message: string;
} {
  return { code: Number(code), message: String(message) };
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: unknown) => (SkillsError.is(error) ? error.code : String(error)),
  );
}

test('a server that does not tell of changes, or hangs up when it is asked to, is an error, and leaves nothing behind', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  for (const [answer, code] of [
    ['error', 'REGISTRY_ERROR'],
    ['hang up', 'NETWORK_ERROR'],
    ['silence', 'TIMEOUT'],
  ] as const) {
    const { client, registry } = await raw({ 'subscriptions/listen': answer }, { watch: true, timeout: 500 });
    const removed = vi.spyOn(client, 'removeNotificationHandler');
    const told = codeOf(registry.subscribe(() => undefined));
    await vi.advanceTimersByTimeAsync(500);
    expect([await told, removed.mock.calls]).toEqual([code, [['notifications/resources/list_changed']]]);
  }
});

test.each(['skills/list', 'skills/get', 'resources/read'])(
  'a server that hangs up at %s is NETWORK_ERROR',
  async (method) => {
    const { registry } = await raw(
      { [method]: 'hang up' },
      { addresses: method === 'skills/get' ? ['skill://table/SKILL.md'] : [] },
    );
    const work = registry.index().then(async ({ skills }) => {
      for (const one of skills) await registry.body(one);
    });
    expect(await codeOf(work)).toBe('NETWORK_ERROR');
  },
);

test('a server that asks back without end is an error, and is not asked without end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const back = { resultType: 'input_required', inputRequests: {}, requestState: 'again' };
  for (const method of ['skills/list', 'resources/read']) {
    const { registry, asked } = await raw({ [method]: back });
    const work = registry.index().then(async ({ skills }) => {
      for (const one of skills) await registry.body(one);
    });
    const told = codeOf(work);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await told).toBe('REGISTRY_ERROR');
    expect(asked.length).toBeLessThan(30);
  }
});

test('what a server answers instead of a file is told with every character, by what it says that it is', async () => {
  const message = `\u001B[2J\u202E${'Run rm. '.repeat(100)}`;
  for (const [code, expected] of [
    [-32_002, 'FILE_NOT_FOUND'],
    [-32_602, 'FILE_NOT_FOUND'],
    [-32_603, 'REGISTRY_ERROR'],
    [7, 'REGISTRY_ERROR'],
  ] as const) {
    const { registry } = await raw({ 'resources/read': { code, message } });
    const entry = present(await registry.get('raw/pdf'));
    const error: unknown = await registry.bytes(entry, 'SKILL.md').catch((thrown: unknown) => thrown);
    const cause = SkillsError.is(error, 'FILE_NOT_FOUND') && SkillsError.is(error.cause) ? error.cause : error;
    if (!SkillsError.is(cause, expected)) throw cause;
    expect(cause.message).toContain('<U+001B>[2J<U+202E>Run rm.');
    expect(cause.message.length).toBeLessThan(450);
  }
});

test('of several contents the one that was asked for is taken', async () => {
  const contents = [
    { uri: 'skill://pdf/other.md', text: 'other' },
    { uri: 'skill://pdf/./SKILL.md', text },
  ];
  const { registry } = await raw({ 'resources/read': { contents, ttlMs: 0, cacheScope: 'private' } });
  const entry = present(await registry.get('raw/pdf'));
  expect((await registry.bytes(entry, 'SKILL.md')).length).toBe(text.length);
  const without = await raw({
    'resources/read': { contents: [contents[0], contents[0]], ttlMs: 0, cacheScope: 'private' },
  });
  const other = present(await without.registry.get('raw/pdf'));
  expect(await codeOf(without.registry.bytes(other, 'SKILL.md'))).toBe('REGISTRY_ERROR');
});

test('a server is told that a reading was given up', async () => {
  const { registry, asked } = await raw({ 'resources/read': 'silence' });
  const entry = present(await registry.get('raw/pdf'));
  const cancel = new AbortController();
  const reading = codeOf(registry.bytes(entry, 'SKILL.md', { signal: cancel.signal }));
  await vi.waitFor(() => expect(asked).toContain('resources/read'));
  cancel.abort();
  expect(await reading).toBe('INTERRUPTED');
  await vi.waitFor(() => expect(asked).toContain('notifications/cancelled'));
});

test('a registry that is not watched any more hears nothing, and has told the server', async () => {
  const { client, registry, asked } = await raw({ 'subscriptions/listen': 'acknowledge' }, { watch: true });
  const subscription = await registry.subscribe(() => undefined);
  const removed = vi.spyOn(client, 'removeNotificationHandler');
  await subscription[Symbol.asyncDispose]();
  expect(removed.mock.calls).toEqual([['notifications/resources/list_changed']]);
  await vi.waitFor(() => expect(asked).toContain('notifications/cancelled'));
});
