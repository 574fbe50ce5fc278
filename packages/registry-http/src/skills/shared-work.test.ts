import { expect, onTestFinished, test } from 'vitest';
import { SharedWork } from './shared-work.js';

async function turn(): Promise<void> {
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Work that ends when it is told, and how often it was begun and stopped. */
function someWork() {
  const begun: AbortSignal[] = [];
  const done = Promise.withResolvers<string>();
  return {
    begun,
    done,
    begin: async (stop: AbortSignal): Promise<string> => {
      begun.push(stop);
      return done.promise;
    },
  };
}

test('work under one key is done once however many ask for it, and anew after it has ended', async () => {
  const shared = new SharedWork<string>();
  const work = someWork();
  const both = [shared.join('a', work.begin, undefined), shared.join('a', work.begin, undefined)];
  const other = shared.join('b', work.begin, undefined);
  work.done.resolve('done');
  expect(await Promise.all([...both, other])).toEqual(['done', 'done', 'done']);
  expect(work.begun).toHaveLength(2);
  await shared.join('a', work.begin, undefined);
  expect(work.begun).toHaveLength(3);
});

test('whoever gives up takes the work from nobody; once all have, it is stopped, and the next one begins anew', async () => {
  const shared = new SharedWork<string>();
  const work = someWork();
  const [one, two] = [new AbortController(), new AbortController()];
  const waiting = Promise.allSettled([
    shared.join('a', work.begin, one.signal),
    shared.join('a', work.begin, two.signal),
  ]);
  one.abort();
  await turn();
  expect(work.begun.map((stop) => stop.aborted)).toEqual([false]);
  two.abort('enough');
  expect(await waiting).toMatchObject([{ reason: { code: 'INTERRUPTED' } }, { reason: { code: 'INTERRUPTED' } }]);
  expect(work.begun.map((stop): unknown => stop.reason)).toEqual(['enough']);
  const next = shared.join('a', work.begin, undefined);
  expect(work.begun).toHaveLength(2);
  work.done.resolve('done');
  expect(await next).toBe('done');
});

test('whoever has given up before begins nothing', async () => {
  const shared = new SharedWork<string>();
  const work = someWork();
  await expect(shared.join('a', work.begin, AbortSignal.abort())).rejects.toMatchObject({ code: 'INTERRUPTED' });
  expect(work.begun).toEqual([]);
});

test('work that fails after all have given up is nobody’s', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  const shared = new SharedWork<string>();
  const work = someWork();
  const controller = new AbortController();
  const waiting = shared.join('a', work.begin, controller.signal);
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'INTERRUPTED' });
  work.done.reject(new Error('too late'));
  await turn();
  await turn();
  expect(unhandled).toEqual([]);
});
