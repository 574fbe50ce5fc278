import { expect, test } from 'vitest';
import { UsageMeter, type UsageSample } from './usage-meter.js';

const MiB = 1024 * 1024;
const limits = { memory: 100 * MiB, cpuSeconds: 10, diskBytes: 50 * MiB };
const idle: UsageSample = { at: 0, memory: 0, cpuSeconds: 0, writtenBytes: 0, running: 0, filledBytes: 0 };

/** What a meter says of samples, each told by what is not idle about it. */
function judge(...samples: readonly Partial<UsageSample>[]): readonly (string | undefined)[] {
  const meter = new UsageMeter(limits);
  return samples.map((sample) => meter.add({ ...idle, ...sample }));
}

test('what is within the limits is not exceeded', () => {
  const most = { memory: 100 * MiB, cpuSeconds: 10, writtenBytes: 50 * MiB, filledBytes: 100 * MiB };
  expect(judge(most, { ...most, at: 1000 })).toEqual([undefined, undefined]);
});

test.each([
  [{ memory: 100 * MiB + 1 }, 'held more than 100 MiB of memory together'],
  [{ cpuSeconds: 10.01 }, 'took more than 10 s of processor time together'],
  [{ writtenBytes: 50 * MiB + 1 }, 'wrote more than 50 MiB to disks together'],
  [{ filledBytes: 100 * MiB + 2 }, 'wrote more than 50 MiB to disks together'],
])('%j is exceeded, and said in words', (sample, said) => {
  expect(judge(sample)).toEqual([said]);
});

test('much of memory or of a disk is told before all of it is taken', () => {
  const meter = new UsageMeter(limits);
  for (const [sample, near] of [
    [{}, false],
    [{ memory: 20 * MiB }, true],
    [{ cpuSeconds: 9 }, false],
    [{ writtenBytes: 10 * MiB }, true],
  ] as const) {
    expect(meter.add({ ...idle, ...sample })).toBeUndefined();
    expect(meter.near, JSON.stringify(sample)).toBe(near);
  }
});

test('memory that was given back counts no more', () => {
  expect(judge({ memory: 90 * MiB }, { memory: 0 }, { memory: 90 * MiB })).toEqual([undefined, undefined, undefined]);
});

test('what was seen of processes that ended counts on', () => {
  const [cpu, written] = [{ cpuSeconds: 6 }, { writtenBytes: 30 * MiB }];
  expect(judge(cpu, {}, cpu).at(-1)).toBe('took more than 10 s of processor time together');
  expect(judge(written, {}, written).at(-1)).toBe('wrote more than 50 MiB to disks together');
});

test('of processes that are too short to be seen, half of the time in which some ran counts', () => {
  const running = 4;
  const samples = [0, 2_500, 5_000, 5_001].map((at) => ({ at, running }));
  expect(judge(...samples).slice(0, 3)).toEqual([undefined, undefined, undefined]);
  expect(judge(...samples).at(-1)).toBe('took more than 10 s of processor time together');
});
