import type { LookupFunction } from 'node:net';
import { SkillsError } from '@skillpack/core';
import type { buildConnector, Dispatcher } from 'undici';
import type { HttpOptions, HttpTimeouts } from './http-options.js';
import type { HttpPorts } from './http-ports.js';
import { checkAddresses, type UrlPolicy } from './url-policy.js';

/** A pool of connections under a policy. */
export interface GuardedDispatcher {
  readonly dispatcher: Dispatcher;
  /** Whether some proxy may stand between; then the proxy resolves names, and only it can judge their addresses. */
  readonly proxied: boolean;
}

/**
 * Makes the pool: keep-alive, 64 connections a host, HTTP/2 where the server offers it, proxies by the environment. A
 * name is resolved once for a connection, its addresses are judged, and the connection goes to one of those: an answer
 * of the resolver that changes in between changes nothing.
 */
export async function createDispatcher(
  policy: UrlPolicy,
  ports: HttpPorts,
  options: HttpOptions & { readonly timeouts: HttpTimeouts },
): Promise<GuardedDispatcher> {
  // Loaded here because it costs 40 ms, which a command that asks no server should not pay.
  const { Agent, buildConnector, EnvHttpProxyAgent } = await import('./undici.js');
  const { connect: timeout, headers: headersTimeout, idle: bodyTimeout } = options.timeouts;
  const tls = options.certificates === undefined ? {} : { ca: await trusted(options.certificates) };
  const connectorOf = (protocol: 'http:' | 'https:'): buildConnector.connector =>
    buildConnector({ ...tls, timeout, preferH2: true, lookup: guardedLookup(protocol, policy, ports) });
  const connectors = { 'http:': connectorOf('http:'), 'https:': connectorOf('https:') };
  const pool = {
    connect: ((request, callback) =>
      connectors[request.protocol === 'https:' ? 'https:' : 'http:'](request, callback)) as buildConnector.connector,
    connections: 64,
    allowH2: true,
    headersTimeout,
    bodyTimeout,
  };
  const environment = options.environment ?? {};
  const httpProxy = proxyOf(environment, 'http_proxy');
  const httpsProxy = proxyOf(environment, 'https_proxy');
  if (httpProxy === '' && httpsProxy === '') return { dispatcher: new Agent(pool), proxied: false };
  const noProxy = variable(environment, 'no_proxy');
  const requestTls = { ...tls, timeout };
  return {
    dispatcher: new EnvHttpProxyAgent({ ...pool, httpProxy, httpsProxy, noProxy, requestTls, connectTimeout: timeout }),
    proxied: true,
  };
}

async function trusted(certificates: readonly string[]): Promise<string[]> {
  const { getCACertificates } = await import('node:tls');
  return [...getCACertificates('default'), ...certificates];
}

function guardedLookup(protocol: 'http:' | 'https:', policy: UrlPolicy, ports: HttpPorts): LookupFunction {
  return (hostname, { all }, callback) => {
    const resolve = async (): Promise<readonly { address: string; family: number }[]> => {
      const addresses = await ports.lookup(hostname);
      if (addresses.length === 0) throw Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' });
      checkAddresses(new URL(`${protocol}//${hostname}`), addresses, policy);
      return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    };
    resolve().then(
      (addresses) => {
        const first = addresses[0];
        if (all === true) callback(null, [...addresses]);
        else callback(null, first?.address ?? '', first?.family);
      },
      (error: unknown) => callback(error as NodeJS.ErrnoException, ''),
    );
  };
}

/** As curl does, a proxy without a scheme is one by http. */
function proxyOf(environment: Readonly<Record<string, string | undefined>>, name: string): string {
  const value = variable(environment, name);
  if (value === '') return '';
  const url = value.includes('://') ? value : `http://${value}`;
  if (/^https?:\/\//iu.test(url) && URL.canParse(url)) return url;
  throw new SkillsError('INVALID_CONFIG', `${name.toUpperCase()} is not the http or https URL of a proxy.`, {
    hint: 'It looks like http://proxy.example:3128.',
  });
}

function variable(environment: Readonly<Record<string, string | undefined>>, name: string): string {
  return environment[name] ?? environment[name.toUpperCase()] ?? '';
}
