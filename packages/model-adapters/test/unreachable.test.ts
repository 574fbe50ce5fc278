import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { ask } from './conformance/ask.js';
import { chat } from './conformance/protocol.js';
import { startProvider } from './conformance/start-provider.js';
import { anthropicSubject, openaiSubject } from './conformance/subjects.js';

const both = [openaiSubject, anthropicSubject].map((subject) => [subject.title, subject] as const);

const tls = join(import.meta.dirname, '../../registry-http/test/fixtures/tls');

const started: (Server | TcpServer)[] = [];

afterEach(() => {
  for (const server of started.splice(0)) server.close();
});

async function portOf(server: Server | TcpServer): Promise<number> {
  started.push(server);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  // Cast: it listens on a port.
  return (server.address() as AddressInfo).port;
}

const isNetworkError = (words: string) => ({
  code: 'NETWORK_ERROR',
  message: expect.stringContaining(words) as unknown,
  hint: expect.stringMatching(/\.$/u) as unknown,
});

test.for(both)('PSA-29: a certificate that nobody vouches for is told as that: %s', async ([, { make }]) => {
  const files = { key: readFileSync(join(tls, 'key.pem')), cert: readFileSync(join(tls, 'certificate.pem')) };
  const port = await portOf(createServer(files, (_, response) => response.end('{}')));
  const { error } = await ask(make(`https://127.0.0.1:${port}`, { structured: 'text' }));
  expect(error).toMatchObject(isNetworkError(`127.0.0.1:${port} could not be trusted`));
});

test.for(both)('PSA-29: https where a server speaks http is told as that: %s', async ([, { make }]) => {
  const provider = await startProvider(chat.check, () => {});
  const { error } = await ask(make(provider.origin.replace('http:', 'https:'), { structured: 'text' }));
  await provider.close();
  expect(error).toMatchObject(isNetworkError('TLS'));
});

test.for(both)('PSA-29: what speaks another protocol is told as that: %s', async ([, { make }]) => {
  const port = await portOf(
    createTcpServer((socket) => void socket.on('error', () => {}).end('SSH-2.0-OpenSSH_9\r\n')),
  );
  const { error } = await ask(make(`http://127.0.0.1:${port}`, { structured: 'text' }));
  expect(error).toMatchObject(isNetworkError(`127.0.0.1:${port} does not speak HTTP`));
});

test.for(both)('PSA-29: a port that fetch never asks is told as that: %s', async ([, { make }]) => {
  const { error } = await ask(make('http://127.0.0.1:9', { structured: 'text' }));
  expect(error).toMatchObject(isNetworkError('bad port'));
});
