import { SkillsError } from '@skillpack/core';
import { expect, test } from 'vitest';
import { adviceForRoot, dataForRoot, errorForRoot, rootChoice } from './advice-for-root.js';
import { rootOptions } from './command.js';

const advice =
  'Run `skills doctor --repair`, then `skills install`; `skills list` and `skills install --scope user` stay.';

test.each([
  [{}, advice],
  [{ scope: 'project' }, advice],
  [
    { scope: 'user' },
    'Run `skills doctor --repair --scope user`, then `skills install --scope user`; `skills list` and `skills install --scope user` stay.',
  ],
  [
    { scope: 'project', root: './other' },
    'Run `skills doctor --repair --root ./other`, then `skills install --root ./other`; `skills list` and `skills install --scope user` stay.',
  ],
])('what is told to run is for the root that the command is about: %j', (choice, told) => {
  expect(adviceForRoot(advice, choice)).toBe(told);
  const data = (text: string) => ({ findings: [{ advice: text, body: advice, repaired: false }], at: null });
  expect(dataForRoot(data(advice), choice)).toEqual(data(told));
});

test('only a command that works on one root has a choice of it', () => {
  const input = { scope: 'user', root: undefined, names: [] };
  expect(rootChoice({ options: { ...rootOptions } }, input)).toEqual({ scope: 'user', root: undefined });
  expect(rootChoice({ options: { scope: { kind: 'choice', words: ['user'], description: '' } } }, input)).toEqual({});
  expect(rootChoice({ options: {} }, {})).toEqual({});
});

test('a folder with a space in its name is one word', () => {
  expect(adviceForRoot('`skills install`', { root: '/my skills' })).toBe('`skills install --root "/my skills"`');
});

test('of an error only the hint differs', () => {
  const cause = new Error('first');
  const error = new SkillsError('IO_ERROR', 'No.', { hint: 'Run `skills doctor`.', cause, data: { path: '/x' } });
  expect(errorForRoot(error, {})).toBe(error);
  expect(errorForRoot(cause, { scope: 'user' })).toBe(cause);
  expect(errorForRoot(error, { scope: 'user' })).toMatchObject({
    code: 'IO_ERROR',
    message: 'No.',
    hint: 'Run `skills doctor --scope user`.',
    cause,
    data: { path: '/x' },
  });
});
