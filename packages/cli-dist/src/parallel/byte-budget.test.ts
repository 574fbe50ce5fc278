import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ByteBudget } from './byte-budget.js';

test('what does not fit waits until there is room; what is larger than all of it goes alone', async () => {
  const budget = new ByteBudget(10);
  const began: string[] = [];
  const take = async (name: string, bytes: number) => {
    const share = await budget.take(bytes);
    began.push(name);
    return share;
  };
  const first = await take('first', 6);
  const second = take('second', 5);
  const third = await take('third', 4);
  const huge = take('huge', 1000);
  await setImmediate();
  expect(began).toEqual(['first', 'third']);
  first.release();
  await second;
  await setImmediate();
  expect(began).toEqual(['first', 'third', 'second']);
  (await second).release();
  third.release();
  const alone = await huge;
  const last = take('last', 1);
  await setImmediate();
  expect(began.at(-1)).toBe('huge');
  alone.release();
  (await last).release();
  await budget.take(10);
});

test('a share that becomes smaller makes room at once; two that become larger do not wait for each other', async () => {
  const budget = new ByteBudget(10);
  const [one, two] = [await budget.take(5), await budget.take(5)];
  let third = false;
  const waiting = budget.take(4).then((share) => {
    third = true;
    return share;
  });
  await one.resize(1);
  await setImmediate();
  expect(third).toBe(true);
  (await waiting).release();
  await Promise.all([one.resize(8).then(() => one.release()), two.resize(1000).then(() => two.release())]);
  const all = await budget.take(1000);
  await all.resize(2000);
  all.release();
  (await budget.take(10)).release();
});
