import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { chat, type Provider } from '../../../test/provider-server.js';
import { createAgentWorld } from './agent-world.js';
import { sentKey, startModelServer } from './model-server.js';
import type { World } from './run-skills.js';

// A test runs several commands, each of which is a process.
vi.setConfig({ testTimeout: 90_000 });

let world: World;
beforeEach(() => {
  world = createAgentWorld();
});
afterEach(() => world.remove());

const task = ['run', 'Greet Ada, please.', '--model'];
const answer = 'Hello, Ada. – 三ページ\nIn two lines.\n';

interface AskedProxy {
  readonly url: string;
  /** What it was asked for: `CONNECT host:443`, `POST http://host/path`. */
  readonly asked: readonly string[];
}

/** A proxy that hands plain requests on to one server, whatever host they name, and refuses tunnels. */
async function startProxy(provider: Provider): Promise<AskedProxy> {
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const { pathname } = new URL(request.url ?? '');
    const { host: _, ...headers } = request.headers;
    void (async () => {
      const init = { method: 'POST', headers: headers as Record<string, string>, body: request, duplex: 'half' };
      delete (init.headers as Record<string, unknown>)['connection'];
      const answered = await fetch(`${provider.origin}${pathname}`, init as unknown as RequestInit);
      response.writeHead(answered.status, { 'content-type': answered.headers.get('content-type') ?? '' });
      response.end(Buffer.from(await answered.arrayBuffer()));
    })();
  });
  server.on('connect', ({ url }, socket) => {
    asked.push(`CONNECT ${url}`);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // An address of TCP, not of a pipe.
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

async function served(): Promise<Provider> {
  const provider = await startModelServer(chat);
  onTestFinished(async () => provider.close());
  return provider;
}

test.each([
  ['openai:gpt-5', 'OPENAI_API_KEY', 'api.openai.com:443'],
  ['anthropic:claude-sonnet-4-5', 'ANTHROPIC_API_KEY', 'api.anthropic.com:443'],
  ['openai-compatible:https://models.example/v1#small', 'SKILLS_MODEL_API_KEY', 'models.example:443'],
])('PSA-29: %s is reached by the proxy of the environment, and one that refuses is told', async (model, key, host) => {
  const proxy = await startProxy(await served());
  const env = { [key]: sentKey, HTTPS_PROXY: proxy.url };
  const { exitCode, stdout, stderr } = await world.run([...task, model], { env });
  expect([exitCode, stdout]).toEqual([5, '']);
  expect(stderr).toContain('error[NETWORK_ERROR]: ');
  expect(stderr).toContain('the proxy on the way does not connect to it');
  expect(stderr).toMatch(/^hint: Check HTTPS_PROXY and NO_PROXY/mu);
  expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT ${host}`]));
});

test('a host that NO_PROXY names is reached without the proxy, and a proxy that is none is told', async () => {
  const proxy = await startProxy(await served());
  const model = 'openai-compatible:https://models.invalid/v1#small';
  const { exitCode, stderr } = await world.run([...task, model], {
    env: { HTTPS_PROXY: proxy.url, NO_PROXY: 'models.invalid' },
  });
  expect([exitCode, stderr]).toEqual([5, expect.stringContaining('error[NETWORK_ERROR]: ')]);
  expect(proxy.asked).toEqual([]);
  const none = await world.run([...task, model], { env: { HTTPS_PROXY: 'socks5://me:secret-word@127.0.0.1:1' } });
  expect([none.exitCode, none.stderr]).toEqual([
    2,
    expect.stringContaining('HTTPS_PROXY is not the http or https URL'),
  ]);
  expect(none.stderr).not.toContain('secret-word');
});

test('this machine is reached without a proxy: a key goes there over plain http', async () => {
  const provider = await served();
  const proxy = await startProxy(provider);
  const env = { SKILLS_MODEL_API_KEY: sentKey, HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, NODE_USE_ENV_PROXY: '1' };
  for (const origin of [provider.origin, provider.origin.replace('127.0.0.1', 'localhost')]) {
    const ran = await world.run([...task, `openai-compatible:${origin}/v1#small`], { env });
    expect([ran.exitCode, ran.stdout]).toEqual([0, answer]);
  }
  expect(proxy.asked).toEqual([]);
  expect(provider.calls).toHaveLength(4);
});

test('a key goes over plain http to a machine of one’s own network where the person says so, and only there', async () => {
  const provider = await served();
  // It stands for the network: no other machine is asked.
  const proxy = await startProxy(provider);
  const env = { SKILLS_MODEL_API_KEY: sentKey, HTTP_PROXY: proxy.url };
  const words = [...task, 'openai-compatible:http://gpu-box.lan:8000/v1#small'];
  for (const off of ['', '0']) {
    const refused = await world.run(words, { env: { ...env, SKILLS_MODEL_INSECURE: off } });
    expect([refused.exitCode, refused.stderr]).toEqual([4, expect.stringContaining('error[ADDRESS_REFUSED]')]);
    expect(refused.stderr).toContain('SKILLS_MODEL_INSECURE=1');
  }
  const wrong = await world.run(words, { env: { ...env, SKILLS_MODEL_INSECURE: 'gpu-box' } });
  expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('expected 1 or 0')]);
  expect(proxy.asked).toEqual([]);
  const ran = await world.run(words, { env: { ...env, SKILLS_MODEL_INSECURE: '1' } });
  expect([ran.exitCode, ran.stdout]).toEqual([0, answer]);
  expect(proxy.asked).toEqual(Array.from({ length: 2 }, () => 'POST http://gpu-box.lan:8000/v1/chat/completions'));
  expect(provider.calls[0]?.headers['authorization']).toBe(`Bearer ${sentKey}`);
});
