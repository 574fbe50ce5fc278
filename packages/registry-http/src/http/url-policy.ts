import { isIP } from 'node:net';
import { addressKind, SkillsError, withoutCredentials } from '@skillpack/core';

/** Where a client may connect to. */
export interface UrlPolicy {
  /** The host that the person named; a server that answers may lead to others, under stricter rules. */
  readonly namedHost: string;
}

/** Reads a URL that a person named. @throws `ADDRESS_REFUSED` when it is no http or https URL or holds a password. */
export function parseNamedUrl(text: string): URL {
  const shown = withoutCredentials(text);
  if (!URL.canParse(text)) {
    throw new SkillsError('ADDRESS_REFUSED', `“${shown}” is not a URL.`, { hint: 'It begins with https://.' });
  }
  const url = new URL(text);
  checkScheme(url);
  if (url.username !== '' || url.password !== '') {
    throw new SkillsError('ADDRESS_REFUSED', `The URL of ${shown} holds a user name or a password.`, {
      hint: 'Leave them out, and set a token for the registry instead.',
    });
  }
  url.hash = '';
  return url;
}

/** Refuses every scheme but http and https. */
function checkScheme(url: URL): void {
  if (url.protocol === 'https:' || url.protocol === 'http:') return;
  throw new SkillsError('ADDRESS_REFUSED', `${withoutCredentials(url.href)} is not an http or https URL.`, {
    data: { url: withoutCredentials(url.href) },
  });
}

/**
 * Judges a URL as far as its text goes: any host that the person did not name must be reached by https, and an address
 * that stands in it is judged as {@link checkAddresses} does.
 *
 * @throws `ADDRESS_REFUSED`.
 */
export function checkUrl(url: URL, policy: UrlPolicy): void {
  checkScheme(url);
  if (url.protocol === 'http:' && url.hostname !== policy.namedHost) {
    throw refused(url, 'is another host by plain http', 'Only https leads to other hosts.');
  }
  const literal = hostAddress(url.hostname);
  if (literal !== undefined) checkAddresses(url, [literal], policy);
}

/**
 * Judges the addresses that a host has. The named host may be anywhere, but by plain http only where nobody on the way
 * listens: on this machine or in its private network. Another host must be on the open internet, so that no registry
 * can make this machine talk to its own services.
 *
 * @throws `ADDRESS_REFUSED`.
 */
export function checkAddresses(url: URL, addresses: readonly string[], policy: UrlPolicy): void {
  for (const address of addresses) {
    const kind = addressKind(address);
    if (url.hostname === policy.namedHost) {
      if (url.protocol === 'http:' && kind === 'public') {
        throw refused(url, `is at the public address ${address}, by plain http`, 'Use https.');
      }
    } else if (kind === 'private') {
      throw refused(
        url,
        `is at ${address}, an address of this machine or its private network`,
        'A registry may lead to other hosts only on the open internet. Name the host as a registry of its own if you trust it.',
      );
    }
  }
}

/** The IP address that a URL's host is, or `undefined` for a name. */
export function hostAddress(hostname: string): string | undefined {
  const plain = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(plain) === 0 ? undefined : plain;
}

function refused(url: URL, what: string, hint: string): SkillsError {
  const shown = withoutCredentials(url.href);
  return new SkillsError('ADDRESS_REFUSED', `${shown} ${what}; it is not connected to.`, {
    hint,
    data: { url: shown },
  });
}
