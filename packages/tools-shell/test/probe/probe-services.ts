import { spawn, type ChildProcess } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { random, type ProbeSurroundings } from './probe-ground.js';

/** What listens, and lives, on this machine: whatever of it a script reaches is seen from outside. */
export interface ProbeServices extends AsyncDisposable {
  readonly tcpPort: number;
  readonly udpPort: number;
  readonly dnsPort: number;
  readonly dnsStreamPort: number;
  readonly unixSocket: string;
  readonly abstractSocket: string;
  /** Empty where there is no `ssh-agent`. */
  readonly agentSocket: string;
  readonly victimPid: number;
  /** A part of the victim's command line that nobody is told. */
  readonly victimName: string;
  /** `/dev/pts/3` */
  readonly terminal: string;
  /** What has come, by where. */
  readonly received: Readonly<Record<Listener, string>>;
  victimLives(): boolean;
}

export type Listener = 'tcp' | 'udp' | 'dns' | 'unix' | 'abstract' | 'terminal' | 'victim';

const loopback = '127.0.0.1';
const python = '/usr/bin/python3';
const host = join(import.meta.dirname, 'host');

export async function startServices({ home }: ProbeSurroundings): Promise<ProbeServices> {
  const received = { tcp: '', udp: '', dns: '', unix: '', abstract: '', terminal: '', victim: '' };
  const hear =
    (listener: Listener) =>
    (chunk: Uint8Array): void => {
      received[listener] += Buffer.from(chunk).toString('latin1');
    };
  const unixSocket = join(home, 'service.sock');
  const abstractSocket = `probe-${random()}`;
  const tcp = await serve({ host: loopback, port: 0 }, hear('tcp'));
  const unix = await serve({ path: unixSocket }, hear('unix'));
  const abstract = await serve({ path: `\0${abstractSocket}` }, hear('abstract'));
  const [udp, udpPort] = await answer(hear('udp'));
  const [dns, dnsPort] = await answer(hear('dns'));
  const dnsByStream = await serve({ host: loopback, port: 0 }, hear('dns'));
  const victimName = `probe-victim-${random()}`;
  const victim = spawn(python, [join(host, 'victim.py'), victimName], { stdio: ['pipe', 'pipe', 'inherit'] });
  victim.stdout.on('data', hear('victim'));
  await once(victim.stdout, 'data');
  const terminal = spawn(python, [join(host, 'terminal.py')], { stdio: ['pipe', 'pipe', 'inherit'] });
  const name: unknown = JSON.parse(String((await once(terminal.stdout, 'data'))[0]));
  terminal.stdout.on('data', hear('terminal'));
  const agentSocket = existsSync('/usr/bin/ssh-agent') ? join(home, 'agent.sock') : '';
  const agent = agentSocket === '' ? undefined : spawn('/usr/bin/ssh-agent', ['-D', '-a', agentSocket]);
  if (agent !== undefined) await once(agent.stdout, 'data');
  return {
    tcpPort: portOf(tcp),
    udpPort,
    dnsPort,
    dnsStreamPort: portOf(dnsByStream),
    unixSocket,
    abstractSocket,
    agentSocket,
    victimPid: victim.pid ?? 0,
    victimName,
    terminal: String(Object(name)['name']),
    received,
    victimLives: () => victim.exitCode === null && victim.signalCode === null,
    async [Symbol.asyncDispose]() {
      for (const server of [tcp, unix, abstract, dnsByStream]) server.close();
      for (const socket of [udp, dns]) socket.close();
      await Promise.all([victim, terminal, agent].map(end));
    },
  };
}

/** Takes what is sent, and answers with it. */
async function serve(where: { host?: string; port?: number; path?: string }, hear: (chunk: Uint8Array) => void) {
  const server = createServer((socket) => {
    socket.on('data', (chunk) => {
      hear(chunk);
      socket.write(chunk);
    });
    socket.on('error', () => undefined);
    socket.unref();
  });
  server.listen(where);
  await once(server, 'listening');
  return server;
}

async function answer(hear: (chunk: Uint8Array) => void) {
  const socket = createSocket('udp4');
  socket.on('message', (message, from) => {
    hear(message);
    socket.send(message, from.port, from.address);
  });
  socket.bind(0, loopback);
  await once(socket, 'listening');
  return [socket, socket.address().port] as const;
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
