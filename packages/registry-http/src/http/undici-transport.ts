import type { buildConnector } from 'undici';
import { guardedLookup } from './guarded-lookup.js';
import type { HttpPorts } from './http-ports.js';
import { readProxies } from './proxies.js';
import { joinHeaders, type Transport, type TransportOptions } from './transport.js';
import { checkAddresses, hostAddress, type UrlPolicy } from './url-policy.js';

/**
 * HTTP and HTTPS, HTTP/2 where the server offers it, proxies by the environment: keep-alive, 64 connections a host.
 *
 * @throws `INVALID_CONFIG` for a proxy that is none.
 */
export async function createUndiciTransport(
  policy: UrlPolicy,
  ports: HttpPorts,
  options: TransportOptions,
): Promise<Transport> {
  // Loaded here because it costs 40 ms, which a command that asks no server should not pay.
  const { Agent, buildConnector, EnvHttpProxyAgent, request } = await import('./undici.js');
  const { connect: timeout, headers: headersTimeout, idle: bodyTimeout } = options.timeouts;
  const tls = options.certificates === undefined ? {} : { ca: await trusted(options.certificates) };
  const connectorOf = (protocol: 'http:' | 'https:'): buildConnector.connector =>
    buildConnector({ ...tls, timeout, preferH2: true, lookup: guardedLookup(protocol, policy, ports) });
  const connectors = { 'http:': connectorOf('http:'), 'https:': connectorOf('https:') };
  const pool = {
    connect: ((toward, callback) =>
      connectors[toward.protocol === 'https:' ? 'https:' : 'http:'](toward, callback)) as buildConnector.connector,
    connections: 64,
    allowH2: true,
    headersTimeout,
    bodyTimeout,
  };
  const { http: httpProxy, https: httpsProxy, except: noProxy } = readProxies(options.environment ?? {});
  const proxied = httpProxy !== '' || httpsProxy !== '';
  const requestTls = { ...tls, timeout };
  const dispatcher = proxied
    ? new EnvHttpProxyAgent({ ...pool, httpProxy, httpsProxy, noProxy, requestTls, connectTimeout: timeout })
    : new Agent(pool);
  return {
    async send({ method, url, headers, body, signal }) {
      // A proxy resolves names itself, and only it can judge the addresses it goes to.
      if (proxied && url.protocol === 'http:' && hostAddress(url.hostname) === undefined) {
        checkAddresses(url, await ports.lookup(url.hostname), policy);
      }
      const answer = await request(url, { dispatcher, method, headers, body: body ?? null, signal });
      return { status: answer.statusCode, headers: joinHeaders(answer.headers), body: answer.body };
    },
    close: () => dispatcher.close(),
  };
}

async function trusted(certificates: readonly string[]): Promise<string[]> {
  const { getCACertificates } = await import('node:tls');
  return [...getCACertificates('default'), ...certificates];
}
