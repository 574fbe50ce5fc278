import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { LookupFunction, Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { quoted, SkillsError } from '@skillpack/core';
import { literalAddress } from './host-policy.js';

/** How a host is connected to. */
export interface ConnectionRules {
  /** The only ones that are connected to. */
  readonly addresses: readonly string[];
  /** The URL of a proxy, which then connects to one of the addresses. */
  readonly proxy: string | undefined;
  /** Certificates (PEM) trusted besides those of Node. */
  readonly certificates: readonly string[];
}

/**
 * Connects to the host of a URL, and by https makes sure that it is that host. Nothing of a request was sent then.
 *
 * @returns a connection that whoever asked for it ends.
 * @throws what the system says; `NETWORK_ERROR` for a proxy that says no; what the signal brings. No connection is left.
 */
export async function openConnection(url: URL, rules: ConnectionRules, signal: AbortSignal): Promise<Socket> {
  const { addresses, proxy, certificates } = rules;
  const host = hostOf(url);
  const direct = { host, port: portOf(url), lookup: lookupOf(addresses) };
  if (url.protocol === 'http:') {
    const { connect } = await import('node:net');
    return opened(connect(direct), 'connect', signal);
  }
  const { connect } = await import('node:tls');
  const servername = literalAddress(url) === undefined ? { servername: host } : {};
  const secure = { ...(await trusted(certificates)), ALPNProtocols: ['http/1.1'], ...servername };
  const way = proxy === undefined ? direct : { host, socket: await openTunnel(url, { ...rules, proxy }, signal) };
  return opened(connect({ ...way, ...secure }), 'secureConnect', signal);
}

/** What is not open yet ends with the signal. */
async function opened(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<Socket> {
  // Whoever waits is told; what comes afterwards is nobody's.
  socket.on('error', () => undefined);
  try {
    await once(socket, event, { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Asks a proxy by an address that was judged, not by a name, which it would resolve by itself, to whatever address. */
async function openTunnel(
  url: URL,
  { addresses, proxy, certificates }: ConnectionRules & { readonly proxy: string },
  signal: AbortSignal,
): Promise<Socket> {
  const { protocol, username, password, ...at } = partsOf(proxy);
  const address = addresses.find((candidate) => !candidate.includes(':')) ?? addresses[0] ?? '';
  const path = `${address.includes(':') ? `[${address}]` : address}:${portOf(url)}`;
  const credentials = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64');
  const headers = { host: path, ...(username === '' ? {} : { 'proxy-authorization': `Basic ${credentials}` }) };
  const { request } = protocol === 'https:' ? await import('node:https') : await import('node:http');
  const asked = request({ ...at, method: 'CONNECT', path, headers, agent: false, ...(await trusted(certificates)) });
  asked.on('error', () => undefined);
  try {
    asked.end();
    // Cast: what Node gives with this event.
    const [{ statusCode }, socket] = (await once(asked, 'connect', { signal })) as [IncomingMessage, Socket];
    if (statusCode === 200) return socket;
    socket.destroy();
    throw new SkillsError(
      'NETWORK_ERROR',
      `The proxy does not connect to ${quoted(url.host)}: it answered ${statusCode}.`,
      {
        hint: 'Nothing was sent. Ask elsewhere, or ask the person to look at the proxy.',
        data: { status: statusCode ?? 0 },
      },
    );
  } catch (error) {
    asked.destroy();
    throw error;
  }
}

function partsOf(proxy: string) {
  const url = new URL(proxy);
  const { protocol, username, password } = url;
  return { protocol, username, password, host: hostOf(url), port: portOf(url) };
}

function hostOf(url: URL): string {
  return literalAddress(url) ?? url.hostname;
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

/** What is no encoding stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function lookupOf(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return (_, options, callback) => {
    const [first] = all;
    if (options.all === true) callback(null, all);
    else callback(null, first?.address ?? '', first?.family);
  };
}

async function trusted(certificates: readonly string[]): Promise<ConnectionOptions> {
  // Said here since a variable of the environment can turn the check off.
  const checked = { rejectUnauthorized: true };
  if (certificates.length === 0) return checked;
  const { getCACertificates } = await import('node:tls');
  return { ...checked, ca: [...getCACertificates('default'), ...certificates] };
}
