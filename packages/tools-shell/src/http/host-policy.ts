import { isIP } from 'node:net';
import { addressKind, quoted, SkillsError, withoutCredentials } from '@skillpack/core';
import type { HttpToolOptions } from './http-tool-options.js';

/** Where requests may go. */
export interface HostPolicy {
  /** Lower-case host names, some with `*.` before them; `undefined`: any. */
  readonly domains: readonly string[] | undefined;
  /** Hosts as URLs write them, with a port or for all of them. */
  readonly allowPrivate: readonly PrivateHost[];
}

interface PrivateHost {
  readonly hostname: string;
  readonly port: string | undefined;
}

const domainName = /^(?:\*\.)?(?=[^.])[\w.-]*[\w-]$/u;

/** Reads the lists of hosts. @throws `USAGE` for an entry that could never match. */
export function readHostPolicy({ domains, allowPrivate = [] }: HttpToolOptions): HostPolicy {
  return { domains: domains?.map(readDomain), allowPrivate: allowPrivate.map(readPrivateHost) };
}

function readDomain(entry: string): string {
  const below = entry.startsWith('*.') ? '*.' : '';
  const name = asciiHost(entry.slice(below.length));
  if (name !== undefined && domainName.test(below + name) && (below === '' || isIP(name) === 0)) return below + name;
  throw new SkillsError('USAGE', `${quoted(entry)} in domains is no host name.`, {
    hint: 'It looks like example.com or *.example.com, without a scheme, a port and a path.',
  });
}

function readPrivateHost(entry: string): PrivateHost {
  const { host, port } = /^(?<host>\[[^\]]*\]|[^:]*)(?::(?<port>\d{1,5}))?$/u.exec(entry)?.groups ?? {};
  const hostname = asciiHost(host ?? '');
  if (hostname !== undefined && (port === undefined || (Number(port) > 0 && Number(port) <= 65_535))) {
    return { hostname, port: port === undefined ? undefined : String(Number(port)) };
  }
  throw new SkillsError('USAGE', `${quoted(entry)} in allowPrivate is no host.`, {
    hint: 'It looks like localhost, 127.0.0.1:8080 or [::1].',
  });
}

/** A host as a URL has it: in ASCII and lower case; `undefined` for what is more or less than a host. */
function asciiHost(host: string): string | undefined {
  if (host === '' || /[/?#@\\\s%*]|:(?![^[]*\])/u.test(host) || !URL.canParse(`https://${host}/`)) return undefined;
  return new URL(`https://${host}/`).hostname;
}

/**
 * Judges a URL as far as its text goes.
 *
 * @throws `ADDRESS_REFUSED` for another scheme than https, plain http to a host that is not named for it, a user name or
 * a password, and a host that is not among the domains.
 */
export function judgeUrl(url: URL, policy: HostPolicy): void {
  const named = isNamed(url, policy);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && named)) {
    const what = url.protocol === 'http:' ? 'is plain http' : 'is no https URL';
    const hosts = policy.allowPrivate.map(({ hostname, port }) =>
      port === undefined ? hostname : `${hostname}:${port}`,
    );
    const but = hosts.length === 0 ? '' : `, and http to ${hosts.slice(0, 20).join(', ')}`;
    throw refused(url, what, `Only https is spoken${but}.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw refused(url, 'holds a user name or a password', 'Leave them out: no credentials are sent.');
  }
  if (!named && policy.domains !== undefined && !policy.domains.some((domain) => isOf(url.hostname, domain))) {
    throw refused(url, 'is at a host that is not allowed', `Allowed are ${told(policy)}.`);
  }
}

/**
 * Judges all addresses that a host has: one that may not be connected to makes the others no better. Hosts that are named
 * may be at private addresses, and by plain http must be.
 *
 * @throws `ADDRESS_REFUSED`.
 */
export function judgeAddresses(url: URL, addresses: readonly string[], policy: HostPolicy): void {
  const named = isNamed(url, policy);
  for (const address of addresses) {
    const kind = addressKind(address);
    if (!named && kind === 'private') {
      const where = `is at ${quoted(address, 64)}, an address of this machine or its private network`;
      throw refused(url, where, 'Only the open internet may be asked.');
    }
    if (url.protocol === 'http:' && kind === 'public') {
      throw refused(url, `is at the public address ${address}, by plain http`, 'Use https.');
    }
  }
}

/** The IP address that the host of a URL is, or `undefined` for a name. */
export function literalAddress({ hostname }: URL): string | undefined {
  const plain = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(plain) === 0 ? undefined : plain;
}

/** Whether a host is one of those that may be private. */
export function isNamed(url: URL, { allowPrivate }: HostPolicy): boolean {
  const port = url.port === '' ? { 'https:': '443', 'http:': '80' }[url.protocol] : url.port;
  return allowPrivate.some((host) => host.hostname === url.hostname && (host.port ?? port) === port);
}

function isOf(hostname: string, domain: string): boolean {
  return domain.startsWith('*.')
    ? hostname.endsWith(domain.slice(1)) && hostname !== domain.slice(1)
    : hostname === domain;
}

function told({ domains = [], allowPrivate }: HostPolicy): string {
  const hosts = allowPrivate.map(({ hostname, port }) => (port === undefined ? hostname : `${hostname}:${port}`));
  const all = [...domains, ...hosts];
  const more = all.length > 20 ? ` and ${all.length - 20} more` : '';
  return all.length === 0 ? 'none' : `${all.slice(0, 20).join(', ')}${more}`;
}

function refused(url: URL, what: string, hint: string): SkillsError {
  const shown = withoutCredentials(url.href);
  return new SkillsError('ADDRESS_REFUSED', `${quoted(shown)} ${what}; it is not connected to.`, {
    hint,
    data: { url: shown },
  });
}
