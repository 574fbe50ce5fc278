import type { LookupFunction } from 'node:net';
import type { Dispatcher } from 'undici';
import { literalAddress } from './host-policy.js';

/** A way to one host, by one of its addresses. */
export interface Route {
  readonly dispatcher: Dispatcher;
  readonly origin: string;
  /** Sent besides. */
  readonly headers: Readonly<Record<string, string>>;
}

/** How a way is opened. */
export interface RouteRules {
  /** The only ones that are connected to. */
  readonly addresses: readonly string[];
  /** The URL of a proxy, which then connects to the first of the addresses. */
  readonly proxy: string | undefined;
  /** Certificates (PEM) trusted besides those of Node. */
  readonly certificates: readonly string[];
  /** Bytes of all headers of an answer. */
  readonly headerBytes: number;
}

/** Milliseconds until a connection stands. */
const timeout = 10_000;

/** Opens a way to the host of a URL, by HTTP/1.1 alone. Nothing is connected to before something is sent. */
export async function openRoute(url: URL, rules: RouteRules): Promise<Route> {
  // Loaded here because it costs 40 ms, which whoever asks no server should not pay.
  const { Client, ProxyAgent } = await import('./undici.js');
  // Said here since a variable of the environment can turn the check off.
  const tls = { rejectUnauthorized: true, timeout, ...(await trusted(rules.certificates)) };
  // The deadline of the whole request holds for headers and body, too.
  const limits = { maxHeaderSize: rules.headerBytes, headersTimeout: 0, bodyTimeout: 0, allowH2: false };
  if (rules.proxy === undefined) {
    const connect = { ...tls, lookup: lookupOf(rules.addresses) };
    return { dispatcher: new Client(url.origin, { ...limits, connect }), origin: url.origin, headers: {} };
  }
  const requestTls = literalAddress(url) === undefined ? { ...tls, servername: url.hostname } : tls;
  const dispatcher = new ProxyAgent({
    ...limits,
    uri: rules.proxy,
    connectTimeout: timeout,
    proxyTls: tls,
    requestTls,
  });
  return { dispatcher, origin: originAt(url, rules.addresses), headers: { host: url.host } };
}

/** Not by its name, which the proxy would resolve by itself, to whatever address. */
function originAt(url: URL, addresses: readonly string[]): string {
  const address = addresses.find((candidate) => !candidate.includes(':')) ?? addresses[0] ?? '';
  const port = url.port === '' ? '443' : url.port;
  return `https://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

function lookupOf(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return (_, options, callback) => {
    const [first] = all;
    if (options.all === true) callback(null, all);
    else callback(null, first?.address ?? '', first?.family);
  };
}

async function trusted(certificates: readonly string[]): Promise<{ readonly ca?: string[] }> {
  if (certificates.length === 0) return {};
  const { getCACertificates } = await import('node:tls');
  return { ca: [...getCACertificates('default'), ...certificates] };
}
