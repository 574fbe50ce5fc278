import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ModelAdapter } from '@skillpack/core';
import { anthropic, openaiCompatible } from '@skillpack/model-adapters';
import { systemClock } from '@skillpack/runs-fs';
import { afterEach, expect, test } from 'vitest';
import { planEvals, runEvals, scoreResults, type EvalPorts, type EvalResult } from '../src/index.js';
import { makeCase, makePorts, makeSuite, triggerCase } from './trial-ground.js';

const started: Server[] = [];

afterEach(() => {
  for (const server of started.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  started.push(server);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  // Cast: it listens on a port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A port on which nobody listens any more. */
async function refusingOrigin(): Promise<string> {
  const origin = await serve(() => {});
  const server = started.pop();
  await new Promise((resolve) => server?.close(resolve));
  return origin;
}

const answering =
  (status: number, body: string, type = 'application/json') =>
  (_request: IncomingMessage, response: ServerResponse): void =>
    void response.writeHead(status, { 'content-type': type }).end(body);

const origins: readonly (readonly [what: string, open: () => Promise<string>])[] = [
  ['refuses every connection', refusingOrigin],
  ['answers 500', async () => serve(answering(500, '{"error":{"message":"Out of order."}}'))],
  ['answers 401', async () => serve(answering(401, '{"error":{"message":"Bad key."}}'))],
  ['answers 404', async () => serve(answering(404, 'Not here.', 'text/plain'))],
  ['answers 429', async () => serve(answering(429, '{"error":{"message":"Slow down."}}'))],
  ['answers a page of a proxy', async () => serve(answering(200, '<html>Sign in</html>', 'text/html'))],
  ['answers with nothing', async () => serve(answering(200, '', 'text/event-stream'))],
  ['breaks off', async () => serve((_request, response) => void response.destroy())],
  ['never answers', async () => serve(() => {})],
];

const providers: readonly (readonly [name: string, make: (origin: string) => ModelAdapter])[] = [
  [
    'chat completions',
    (baseURL) =>
      openaiCompatible({ baseURL, model: 'm', contextTokens: 100_000, timeout: { total: 200 }, apiKey: 'key' }),
  ],
  [
    'messages',
    (baseURL) => anthropic({ baseURL, model: 'm', contextTokens: 100_000, timeout: { total: 200 }, apiKey: 'key' }),
  ],
];

const suite = makeSuite([
  triggerCase('wants-it', { allOf: ['pdf'] }),
  triggerCase('wants-none', { none: true }),
  makeCase({ id: 'task', limits: { maxSeconds: 5 } }),
]);

async function runWith(model: ModelAdapter, clock: EvalPorts['clock']): Promise<readonly EvalResult[]> {
  const ports = { ...makePorts({ models: { open: async () => ({ model }) } }), clock };
  const plan = await planEvals([suite], ports, { models: ['m'] });
  return (await runEvals({ suites: [suite], plan }, ports, { retries: 1 })).results;
}

// Nobody waits between two attempts; how long a call may take goes by the real clock.
const impatient: EvalPorts['clock'] = { ...systemClock, pause: async () => undefined };

const cases = origins.flatMap(([what, open]) => providers.map(([name, make]) => [what, name, { open, make }] as const));

test.for(cases)('PSA-35: an endpoint that %s is never scored: %s', async ([, , { open, make }]) => {
  const results = await runWith(make(await open()), impatient);
  expect(results.map(({ outcome }) => outcome)).toEqual(['error', 'error', 'error']);
  for (const { reason, checks, fired } of results) {
    expect(reason?.message).not.toBe('');
    expect([checks, fired]).toEqual([[], []]);
  }
  const report = scoreResults(results, { title: 'dead' });
  expect(report.verdict.kind).toBe('invalid');
  const [score] = report.triggers;
  expect([score?.recall.value, score?.precision.value, score?.specificity.value]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('PSA-35: an endpoint that hangs for longer than a case may take is never scored', async () => {
  const origin = await serve(() => {});
  const model = openaiCompatible({ baseURL: origin, model: 'm', contextTokens: 100_000, timeout: { total: 60_000 } });
  const ports = { ...makePorts({ models: { open: async () => ({ model }) } }), clock: impatient };
  const timed = makeSuite([makeCase({ id: 'task', limits: { maxSeconds: 0.3 } })]);
  const plan = await planEvals([timed], ports, { models: ['m'] });
  const { results } = await runEvals({ suites: [timed], plan }, ports, { retries: 0 });
  expect(results[0]).toMatchObject({ outcome: 'error', reason: { code: 'TIMEOUT' } });
});
