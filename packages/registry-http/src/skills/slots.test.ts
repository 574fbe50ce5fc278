import { expect, test } from 'vitest';
import { Slots } from './slots.js';

interface Work {
  readonly begun: readonly string[];
  /** Work that goes on until it is ended by its name. */
  readonly of: (name: string) => () => Promise<string>;
  readonly end: (name: string) => void;
}

function works(): Work {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    of: (name) => async () => {
      begun.push(name);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.set(name, resolve);
      await promise;
      return name;
    },
    end: (name) => ends.get(name)?.(),
  };
}

async function turn(): Promise<void> {
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
}

const { signal } = new AbortController();

test('so many work at a time, and the others follow in the order in which they came', async () => {
  const slots = new Slots(2);
  const work = works();
  const all = ['a', 'b', 'c', 'd'].map(async (name) => slots.take(work.of(name), signal));
  await turn();
  expect(work.begun).toEqual(['a', 'b']);
  work.end('b');
  await turn();
  expect(work.begun).toEqual(['a', 'b', 'c']);
  for (const name of ['a', 'c']) work.end(name);
  await turn();
  work.end('d');
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
  // Every place is free again.
  const more = ['e', 'f', 'g'].map(async (name) => slots.take(work.of(name), signal));
  await turn();
  expect(work.begun.slice(4)).toEqual(['e', 'f']);
  for (const name of ['e', 'f']) work.end(name);
  await turn();
  work.end('g');
  await Promise.all(more);
});

test('work that fails makes room, and whoever asked for it is told', async () => {
  const slots = new Slots(1);
  const failing = slots.take(async () => {
    throw new Error('no');
  }, signal);
  await expect(failing).rejects.toThrow('no');
  expect(await slots.take(async () => 'done', signal)).toBe('done');
});

test('whoever is cancelled goes: at work, while they wait, in the moment in which they are called, and before', async () => {
  const slots = new Slots(1);
  const work = works();
  const [first, second, third, fourth] = Array.from({ length: 4 }, () => new AbortController());
  if (!first || !second || !third || !fourth) throw new Error('there are four');
  const taken = Promise.allSettled([
    slots.take(work.of('first'), first.signal),
    slots.take(work.of('second'), second.signal),
    slots.take(work.of('third'), third.signal),
    slots.take(work.of('fourth'), signal),
  ]);
  await turn();
  second.abort();
  await turn();
  // The first heeds nothing, and makes room all the same; the third is called, and has gone.
  first.abort();
  third.abort();
  await turn();
  expect(work.begun).toEqual(['first', 'fourth']);
  work.end('fourth');
  const settled = await taken;
  expect(settled.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason.code)))).toEqual([
    'INTERRUPTED',
    'INTERRUPTED',
    'INTERRUPTED',
    'fourth',
  ]);
  fourth.abort();
  await expect(slots.take(work.of('late'), fourth.signal)).rejects.toMatchObject({ code: 'INTERRUPTED' });
  expect(work.begun).not.toContain('late');
  expect(await slots.take(async () => 'room', signal)).toBe('room');
});
