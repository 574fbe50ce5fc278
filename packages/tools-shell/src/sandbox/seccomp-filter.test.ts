import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seccompFilter, type FilteredArchitecture } from './seccomp-filter.js';

const allow = 0x7fff0000;
const kill = 0x80000000;
const failed = (errno: number): number => 0x00050000 + errno;

interface Call {
  readonly number: number;
  readonly processor?: number;
  readonly args?: readonly number[];
}

const processors = { x64: 0xc000003e, arm64: 0xc00000b7 };

/** Runs a filter as the kernel does. */
function judge(architecture: FilteredArchitecture, { number, processor, args = [] }: Call): number {
  const filter = seccompFilter(architecture) ?? new Uint8Array();
  const view = new DataView(filter.buffer);
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, number, true);
  data.setUint32(4, processor ?? processors[architecture], true);
  for (const [index, value] of args.entries()) data.setBigUint64(16 + index * 8, BigInt(value), true);
  let accumulator = 0;
  for (let at = 0; at * 8 < filter.length; at += 1) {
    const value = view.getUint32(at * 8 + 4, true);
    const jump = (condition: boolean): number => view.getUint8(at * 8 + (condition ? 2 : 3));
    switch (view.getUint16(at * 8, true)) {
      case 0x20:
        accumulator = data.getUint32(value, true);
        break;
      case 0x15:
        at += jump(accumulator === value);
        break;
      case 0x35:
        at += jump(accumulator >= value);
        break;
      case 0x45:
        at += jump((accumulator & value) !== 0);
        break;
      case 0x06:
        return value;
      default:
        throw new Error(`no such instruction at ${at}`);
    }
  }
  throw new Error('the filter does not end');
}

// As in the headers of the kernel.
const named = {
  x64: {
    read: 0,
    execve: 59,
    clone: 56,
    ioctl: 16,
    socket: 41,
    unshare: 272,
    mount: 165,
    bpf: 321,
    memfd: 319,
    semget: 64,
    msgget: 68,
  },
  arm64: {
    read: 63,
    execve: 221,
    clone: 220,
    ioctl: 29,
    socket: 198,
    unshare: 97,
    mount: 40,
    bpf: 280,
    memfd: 279,
    semget: 190,
    msgget: 186,
  },
};
const filing = {
  x64: { fchmod: 91, fchmodat: 268, mknodat: 259, openat: 257, fallocate: 285 },
  arm64: { fchmod: 52, fchmodat: 53, mknodat: 33, openat: 56, fallocate: 47 },
};

describe.each(['x64', 'arm64'] as const)('on %s', (architecture) => {
  const calls = named[architecture];
  const answer = (number: number, ...args: number[]): number => judge(architecture, { number, args });

  test('what programs do is allowed', () => {
    for (const call of [calls.read, calls.execve, calls.ioctl, calls.clone]) expect(answer(call)).toBe(allow);
    // Threads, and children.
    for (const flags of [0x3d0f00, 0x1200011, 17]) expect(answer(calls.clone, flags)).toBe(allow);
    for (const family of [1, 2, 10, 16]) expect(answer(calls.socket, family)).toBe(allow);
  });

  test('PSA-23: what a script never needs is refused', () => {
    for (const call of [calls.unshare, calls.mount, calls.bpf, 425, 429]) expect(answer(call)).toBe(failed(1));
    for (const call of [435, calls.memfd, calls.semget, calls.msgget]) expect(answer(call)).toBe(failed(38));
    for (const flag of [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000]) {
      expect(answer(calls.clone, flag + 17), flag.toString(16)).toBe(failed(1));
    }
    for (const family of [0, 17, 38, 40]) expect(answer(calls.socket, family)).toBe(failed(97));
  });

  test('nothing is typed into a terminal, whatever stands in the upper half of the request', () => {
    for (const request of [0x5412, 0x541c, 0x541c + 2 ** 32, 0x5412 + 2 ** 40]) {
      expect(answer(calls.ioctl, 0, request)).toBe(failed(1));
    }
    for (const request of [0x5401, 0x5413]) expect(answer(calls.ioctl, 0, request)).toBe(allow);
  });

  test('of netlink, only the kind is allowed that tells of addresses', () => {
    expect(answer(calls.socket, 16, 3, 0)).toBe(allow);
    for (const kind of [9, 12, 15, 16]) expect(answer(calls.socket, 16, 3, kind)).toBe(failed(97));
  });

  test('PSA-23: no file is marked to run with the rights of somebody else, in any way that makes one', () => {
    const { fchmod, fchmodat, mknodat, openat, fallocate } = filing[architecture];
    for (const mode of [0o4755, 0o2755, 0o6000]) {
      for (const call of [fchmodat, 452, mknodat]) expect(answer(call, 3, 4096, mode)).toBe(failed(1));
      expect(answer(fchmod, 3, mode)).toBe(failed(1));
      // O_CREAT, and O_TMPFILE with O_DIRECTORY; without them, what stands there means nothing.
      for (const flags of [0o101, 0o20200002]) expect(answer(openat, 3, 4096, flags, mode)).toBe(failed(1));
      expect(answer(openat, 3, 4096, 0, mode)).toBe(allow);
    }
    for (const mode of [0o755, 0o1777, 0o644]) {
      expect(answer(fchmod, 3, mode)).toBe(allow);
      expect(answer(fchmodat, 3, 4096, mode)).toBe(allow);
      expect(answer(openat, 3, 4096, 0o101, mode)).toBe(allow);
    }
    expect(answer(437)).toBe(failed(38));
    expect(answer(fallocate)).toBe(failed(95));
  });

  test('every call has an answer, and one of another processor ends the process', () => {
    const word = fc.nat(0xffffffff);
    fc.assert(
      fc.property(word, word, word, word, (number, processor, first, second) => {
        expect([allow, failed(1), failed(38), failed(95), failed(97)]).toContain(answer(number, first, second));
        if (processor !== processors[architecture]) {
          expect(judge(architecture, { number, processor })).toBe(kill);
        }
      }),
    );
  });
});

test('x64 has older calls that make a file, too', () => {
  for (const call of [90, 85, 133]) expect(judge('x64', { number: call, args: [4096, 0o4755] })).toBe(failed(1));
  expect(judge('x64', { number: 2, args: [4096, 0o101, 0o4755] })).toBe(failed(1));
  expect(judge('x64', { number: 2, args: [4096, 0, 0o4755] })).toBe(allow);
});

test('numbers of the x32 kind reach nothing', () => {
  expect(judge('x64', { number: 0x40000000 + 59 })).toBe(failed(38));
});

test('for another processor there is no filter', () => {
  expect(seccompFilter('riscv64')).toBeUndefined();
});
