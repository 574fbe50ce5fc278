import type { LookupFunction } from 'node:net';
import type { HttpPorts } from './http-ports.js';
import { checkAddresses, type UrlPolicy } from './url-policy.js';

/**
 * Resolves the name of a host once for a connection, and judges its addresses: the connection goes to one of those, so
 * an answer of the resolver that changes in between changes nothing.
 */
export function guardedLookup(protocol: 'http:' | 'https:', policy: UrlPolicy, ports: HttpPorts): LookupFunction {
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
