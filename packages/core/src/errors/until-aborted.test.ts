import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { sha256 } from '../../test/sha256.js';
import { createSkillRegistry } from '../registry/create-skill-registry.js';
import { layerRegistries } from '../registry/layer-registries.js';
import { memorySkills } from '../registry/memory-skills.js';
import type { SkillRegistry } from '../registry/skill-registry.js';
import { checkAborted, untilAborted } from './until-aborted.js';

const revoked = Proxy.revocable({}, {});
revoked.revoke();

const odd: readonly (readonly [string, unknown])[] = [
  ['an object without a form', Object.create(null)],
  [
    'one whose form throws',
    {
      toString: () => {
        throw new Error('no');
      },
    },
  ],
  ['one whose form is no text', { [Symbol.toPrimitive]: () => Symbol('no') }],
  ['a symbol', Symbol('no')],
  ['a revoked proxy', revoked.proxy],
  ['nothing', undefined],
  [
    'an error whose message throws',
    Object.defineProperty(new Error('x'), 'message', {
      get: () => {
        throw new Error('no');
      },
    }),
  ],
  ['an error whose message is no text', Object.assign(new Error('x'), { message: 7 })],
];

// eslint-disable-next-line typescript/prefer-promise-reject-errors -- foreign code throws what it likes
const fail = async (thrown: unknown): Promise<never> => Promise.reject(thrown);

function registryThatThrows(thrown: unknown, good = 0): SkillRegistry {
  let lists = 0;
  const backend = memorySkills({ 'pdf/SKILL.md': '---\nname: pdf\ndescription: x\n---\n' });
  return createSkillRegistry(
    {
      ...backend,
      kind: 'odd',
      list: async (options) => (lists++ < good ? backend.list(options) : fail(thrown)),
    },
    { sha256 },
  );
}

test.each(odd)('a call ends when a backend throws %s, with a signal and without', async (_, thrown) => {
  const { signal } = new AbortController();
  await expect(untilAborted(async () => fail(thrown), signal)).rejects.toBeInstanceOf(Error);
  for (const options of [{}, { signal }]) {
    const settled = await Promise.allSettled([registryThatThrows(thrown).index(options)]);
    expect(settled[0].status).toBe('rejected');
  }
});

test.each(odd)('a layer that throws %s, and a reload that does, is a problem', async (_, thrown) => {
  const user = createSkillRegistry(memorySkills({}), { sha256 });
  const layered = layerRegistries([{ registry: user }, { registry: registryThatThrows(thrown) }], { sha256 });
  expect((await layered.index()).problems).toMatchObject([{ code: 'unreadable', location: 'odd' }]);
  const stale = await registryThatThrows(thrown, 1).reload();
  expect(stale.problems).toEqual([]);
  const kept = registryThatThrows(thrown, 1);
  await kept.index();
  expect((await kept.reload()).problems).toMatchObject([{ code: 'stale', location: 'odd' }]);
});

test('work is given up when the signal is aborted, before it begins or while it goes on, with what it was', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const never = new Promise<never>(() => undefined);
  const waiting = untilAborted(async () => never, signal, 'Reading it');
  checkAborted(signal);
  controller.abort('enough');
  const gone = { code: 'INTERRUPTED', message: 'Reading it was cancelled.', cause: 'enough' };
  await expect(waiting).rejects.toMatchObject(gone);
  let begun = false;
  const late = untilAborted(async () => (begun = true), signal, 'Reading it');
  await expect(late).rejects.toMatchObject(gone);
  expect(begun).toBe(false);
  expect(() => checkAborted(signal)).toThrow('It was cancelled.');
  checkAborted(undefined);
});

test('a signal that lives longer than the work holds nothing of it', async () => {
  const { signal } = new AbortController();
  const work = Promise.withResolvers<string>();
  const waiting = untilAborted(async () => work.promise, signal);
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  work.resolve('done');
  expect(await waiting).toBe('done');
  await expect(untilAborted(async () => fail(new Error('no')), signal)).rejects.toThrow('no');
  await expect.poll(() => getEventListeners(signal, 'abort')).toHaveLength(0);
});
