import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A redis-server of its own, without persistence. */
export interface RedisServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Ends the server; `start` begins an empty one on the same port. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

const program = ['/usr/bin/redis-server', '/usr/local/bin/redis-server', '/opt/homebrew/bin/redis-server'].find(
  (path) => existsSync(path),
);

/**
 * Why tests with Redis are left out, or `false`. In continuous integration on Linux they never are: there, they fail
 * instead.
 */
export const withoutRedis: string | false =
  program === undefined && (process.env['CI'] === undefined || process.platform !== 'linux')
    ? 'redis-server is not installed (Debian: apt-get install redis-server), so nothing was tested with it'
    : false;

/** Starts a redis-server on a free port of this machine. */
export async function startRedis(): Promise<RedisServer> {
  if (program === undefined) {
    throw new Error('redis-server is not installed; these tests need it (apt-get install redis-server)');
  }
  const folder = await mkdtemp(join(tmpdir(), 'skillpack-redis-'));
  const port = await freePort();
  let stop = async (): Promise<void> => undefined;
  const start = async (): Promise<void> => {
    const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
    const child = spawn(program, settings, { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
    });
    await new Promise<void>((resolve, reject) => {
      let said = '';
      child.stdout.setEncoding('utf8');
      child.stdout.on('data', (text: string) => {
        said += text;
        if (said.includes('Ready to accept connections')) resolve();
      });
      child.once('exit', () => reject(new Error(`redis-server ended: ${said}`)));
    });
    stop = async () => {
      child.kill('SIGKILL');
      await ended;
    };
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    start,
    stop: async () => stop(),
    async [Symbol.asyncDispose]() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A port of this machine that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port was given.');
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return address.port;
}
