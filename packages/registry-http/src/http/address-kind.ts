import { BlockList, isIP } from 'node:net';

/** Whether an address is one of the open internet, or one that only this machine or its neighbours can reach. */
export type AddressKind = 'public' | 'private';

// IANA special-purpose registries (RFC 6890 and its updates); multicast and reserved space with them. 168.63.129.16 is
// public by its number and a cloud's internal service by its use.
const privateNetworks: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

const privateV4 = new BlockList();
for (const [network, prefix] of privateNetworks) privateV4.addSubnet(network, prefix, 'ipv4');

// Of IPv6 only 2000::/3 is global unicast; within it, these are documentation, Teredo and 6to4, which embed an IPv4 address.
const globalV6 = new BlockList();
globalV6.addSubnet('2000::', 3, 'ipv6');
const exceptedV6 = new BlockList();
exceptedV6.addSubnet('2001::', 32, 'ipv6');
exceptedV6.addSubnet('2001:db8::', 32, 'ipv6');
exceptedV6.addSubnet('2002::', 16, 'ipv6');
exceptedV6.addSubnet('3fff::', 20, 'ipv6');

const mapped = /^(?:::ffff:|64:ff9b::)/iu;

/** The kind of an IP address. What is no address at all is `private`: it is not let through. */
export function addressKind(address: string): AddressKind {
  const plain = address.replace(/%.*$/su, '');
  const family = isIP(plain);
  if (family === 4) return privateV4.check(plain, 'ipv4') ? 'private' : 'public';
  if (family !== 6) return 'private';
  const embedded = embeddedV4(plain);
  if (embedded !== undefined) return addressKind(embedded);
  return globalV6.check(plain, 'ipv6') && !exceptedV6.check(plain, 'ipv6') ? 'public' : 'private';
}

/** The IPv4 address inside an IPv4-mapped (RFC 4291) or NAT64 (RFC 6052) one. */
function embeddedV4(address: string): string | undefined {
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  if (!mapped.test(canonical)) return undefined;
  const groups = canonical.replace(mapped, '').split(':');
  if (groups.length > 2) return undefined;
  const [high, low] = groups.length === 2 ? groups : ['0', groups[0]];
  const value = Number.parseInt(high ?? '', 16) * 0x1_0000 + Number.parseInt(low === '' ? '0' : (low ?? ''), 16);
  if (!Number.isInteger(value)) return undefined;
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
}
