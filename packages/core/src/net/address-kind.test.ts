import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressKind } from './address-kind.js';
import { parseIpAddress } from './parse-ip-address.js';

test.each([
  ['127.0.0.1', 'private'],
  ['10.1.2.3', 'private'],
  ['172.15.255.255', 'public'],
  ['172.31.255.255', 'private'],
  ['172.32.0.1', 'public'],
  ['192.168.1.1', 'private'],
  ['169.254.169.254', 'private'],
  ['100.100.100.200', 'private'],
  ['100.63.255.255', 'public'],
  ['168.63.129.16', 'private'],
  ['168.63.129.17', 'public'],
  ['0.0.0.0', 'private'],
  ['224.0.0.1', 'private'],
  ['223.255.255.255', 'public'],
  ['255.255.255.255', 'private'],
  ['93.184.215.14', 'public'],
  ['::', 'private'],
  ['::1', 'private'],
  ['::127.0.0.1', 'private'],
  ['fe80::1%eth0', 'private'],
  ['2606:2800:21f:cb07:6820:80da:af6b:8b2c%eth0', 'public'],
  ['fd00:ec2::254', 'private'],
  ['fec0::1', 'private'],
  ['ff02::1', 'private'],
  ['::ffff:127.0.0.1', 'private'],
  ['::ffff:7f00:1', 'private'],
  ['0:0:0:0:0:ffff:a9fe:a9fe', 'private'],
  ['::ffff:93.184.215.14', 'public'],
  ['::ffff:0:127.0.0.1', 'private'],
  ['64:ff9b::7f00:1', 'private'],
  ['64:ff9b::5db8:d70e', 'public'],
  ['64:ff9b:1::1', 'private'],
  ['64:ff9b:1::5db8:d70e', 'private'],
  ['2002:7f00:1::', 'private'],
  ['2001:0:1::', 'private'],
  ['2001:2::1', 'private'],
  ['2001:1ff:ffff::', 'private'],
  ['2001:200::1', 'public'],
  ['2001:db8::1', 'private'],
  ['3fff:fff::1', 'private'],
  ['3fff:1000::1', 'public'],
  ['1fff::1', 'private'],
  ['4000::1', 'private'],
  ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', 'public'],
  ['localhost', 'private'],
  ['', 'private'],
  ['93.184.215.14 ', 'private'],
  ['093.184.215.14', 'private'],
  ['0x5d.184.215.14', 'private'],
  ['1572395790', 'private'],
  ['93.184.55054', 'private'],
  ['[2606:2800::1]', 'private'],
  ['1:2:3:4:5:6:7::8', 'private'],
  ['2606:2800::1::2', 'private'],
] as const)('the address “%s” is %s', (address, kind) => {
  expect(addressKind(address)).toBe(kind);
});

const v4 = fc.ipV4();
const v6 = fc.oneof(
  fc.ipV6(),
  // The same in every place where something special begins.
  fc
    .tuple(
      fc.constantFrom(
        '::ffff:',
        '64:ff9b::',
        '64:ff9b:1::',
        '2002::',
        '2001:0::',
        '2001:200::',
        '2001:db8::',
        '3fff::',
        'fc00::',
        '::',
      ),
      v4,
    )
    .map(([start, end]) => start + end),
);
const nearly = fc
  .tuple(
    fc.oneof(v4, v6),
    fc.nat(40),
    fc.constantFrom('', ':', '.', '0', 'f', 'g', '%', '::', ' ', '-', '1.', '255', '٣'),
  )
  .map(([address, at, change]) => address.slice(0, at) + change + address.slice(at + 1));

test('what is an address, Node says as well, and nothing else is one', () => {
  fc.assert(
    fc.property(fc.oneof(v4, v6, nearly), (text) => {
      fc.pre(!text.includes('%'));
      const families = { v4: 4, v6: 6 };
      const parsed = parseIpAddress(text);
      expect(parsed === undefined ? 0 : families[parsed.kind]).toBe(isIP(text));
    }),
    { numRuns: 5_000 },
  );
});

test.each([
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['168.63.129.16', '168.63.129.16'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '255.255.255.255'],
])('from %s to %s all is private, and what is next to it is public', (first, last) => {
  const numberOf = (address: string): number => address.split('.').reduce((all, byte) => all * 256 + Number(byte), 0);
  const addressOf = (value: number): string =>
    [24, 16, 8, 0].map((bits) => Math.floor(value / 2 ** bits) % 256).join('.');
  for (const address of [first, last]) expect(addressKind(address)).toBe('private');
  for (const next of [numberOf(first) - 1, numberOf(last) + 1]) {
    if (next >= 0 && next < 2 ** 32) expect(addressKind(addressOf(next))).toBe('public');
  }
});

test('the networks are those that the lists of Node find', () => {
  const [special, global] = [new BlockList(), new BlockList()];
  for (const network of [
    '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24',
    '192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3',
    '2001::/23 2001:db8::/32 2002::/16 3fff::/20',
  ].flatMap((line) => line.split(' '))) {
    const [address = '', length] = network.split('/');
    special.addSubnet(address, Number(length), address.includes(':') ? 'ipv6' : 'ipv4');
  }
  global.addSubnet('2000::', 3, 'ipv6');
  const edges = fc
    .tuple(
      fc.constantFrom(...'0 9 10 11 100 126 127 128 168 169 172 192 198 203 223 224 255'.split(' ')),
      fc.constantFrom(...'0 2 15 16 17 18 19 20 31 32 51 63 64 88 127 128 168 254'.split(' ')),
      fc.constantFrom('0', '1', '2', '3', '99', '100', '113', '114', '129'),
      fc.nat(255),
    )
    .map((parts) => parts.join('.'));
  fc.assert(
    fc.property(fc.oneof(v4, edges), (address) => {
      const expected = special.check(address, 'ipv4') ? 'private' : 'public';
      expect(addressKind(address)).toBe(expected);
      // However it is embedded, the same is meant.
      expect(addressKind(`::ffff:${address}`)).toBe(expected);
      expect(addressKind(`64:ff9b::${address}`)).toBe(expected);
    }),
    { numRuns: 5_000 },
  );
  const high = fc
    .tuple(
      fc.constantFrom('1fff', '2000', '2001', '2002', '2003', '3ffe', '3fff', '4000', 'fc00'),
      fc.constantFrom('0', '1', '1ff', '200', 'db7', 'db8', 'db9', 'fff', '1000'),
      fc.nat(0xffff).map((value) => value.toString(16)),
    )
    .map((parts) => `${parts.join(':')}::1`);
  fc.assert(
    fc.property(fc.oneof(fc.ipV6(), high), (address) => {
      fc.pre(!/^(?:[0:]+:ffff:|0*64:ff9b:)/iu.test(address));
      const isPublic = global.check(address, 'ipv6') && !special.check(address, 'ipv6');
      expect(addressKind(address)).toBe(isPublic ? 'public' : 'private');
    }),
    { numRuns: 5_000 },
  );
});
