import { parseIpAddress } from './parse-ip-address.js';

/** Whether an address is one of the open internet, or one that only this machine or its neighbours can reach. */
export type AddressKind = 'public' | 'private';

type Network = readonly [start: readonly number[], length: number];

// IANA special-purpose registries (RFC 6890 and its updates); multicast and reserved space with them. 168.63.129.16 is
// public by its number and a cloud's internal service by its use.
const privateV4: readonly Network[] = [
  [[0, 0, 0, 0], 8],
  [[10, 0, 0, 0], 8],
  [[100, 64, 0, 0], 10],
  [[127, 0, 0, 0], 8],
  [[168, 63, 129, 16], 32],
  [[169, 254, 0, 0], 16],
  [[172, 16, 0, 0], 12],
  [[192, 0, 0, 0], 24],
  [[192, 0, 2, 0], 24],
  [[192, 88, 99, 0], 24],
  [[192, 168, 0, 0], 16],
  [[198, 18, 0, 0], 15],
  [[198, 51, 100, 0], 24],
  [[203, 0, 113, 0], 24],
  [[224, 0, 0, 0], 3],
];

const globalV6: Network = [[0x2000], 3];
// Within global unicast: protocol assignments (Teredo, benchmarking, ORCHID), documentation, and 6to4, which embeds an
// IPv4 address.
const privateV6: readonly Network[] = [
  [[0x2001, 0], 23],
  [[0x2001, 0xdb8], 32],
  [[0x2002], 16],
  [[0x3fff, 0], 20],
];

// IPv4-mapped (RFC 4291) and NAT64 (RFC 6052): the last two groups are the IPv4 address that is meant.
const embeddingV6: readonly Network[] = [
  [[0, 0, 0, 0, 0, 0xffff], 96],
  [[0x64, 0xff9b, 0, 0, 0, 0], 96],
];

/**
 * The kind of an IP address, in its plain form; a zone (`%eth0`) says nothing. What is no address at all is `private`: it
 * is not let through.
 */
export function addressKind(address: string): AddressKind {
  const parsed = parseIpAddress(address.replace(/%.*$/su, ''));
  if (parsed === undefined) return 'private';
  if (parsed.kind === 'v4') return kindOfV4(parsed.bytes);
  const { groups } = parsed;
  if (embeddingV6.some((network) => holds(network, groups, 16))) {
    return kindOfV4(groups.slice(6).flatMap((group) => [Math.floor(group / 256), group % 256]));
  }
  const global = holds(globalV6, groups, 16) && !privateV6.some((network) => holds(network, groups, 16));
  return global ? 'public' : 'private';
}

function kindOfV4(bytes: readonly number[]): AddressKind {
  return privateV4.some((network) => holds(network, bytes, 8)) ? 'private' : 'public';
}

/** Whether a network holds an address; both are of parts with so many bits. */
function holds([start, length]: Network, parts: readonly number[], bits: number): boolean {
  return start.every((part, at) => {
    const free = 2 ** Math.max(0, bits - Math.max(0, length - at * bits));
    return Math.floor(part / free) === Math.floor((parts[at] ?? 0) / free);
  });
}
