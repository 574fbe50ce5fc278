import { expect, test, vi } from 'vitest';
import { SkillsError } from './skills-error.js';

test('carries code, kind, message, hint, cause and data', () => {
  const cause = new Error('socket closed');
  const error = new SkillsError('NETWORK_ERROR', 'No answer.', { hint: 'Try again.', cause, data: { attempts: 3 } });
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({
    name: 'SkillsError',
    code: 'NETWORK_ERROR',
    kind: 'unavailable',
    message: 'No answer.',
    hint: 'Try again.',
    cause,
    data: { attempts: 3 },
  });
  const bare = new SkillsError('USAGE', 'No.');
  expect([bare.hint, bare.data, 'cause' in bare]).toEqual([undefined, {}, false]);
});

test('two copies of the package know each other’s errors', async () => {
  vi.resetModules();
  const other = (await import('./skills-error.js')).SkillsError;
  expect(other).not.toBe(SkillsError);
  const error: unknown = new other('SKILL_NOT_FOUND', 'No pdf.');
  expect(error).not.toBeInstanceOf(SkillsError);
  expect(SkillsError.is(error)).toBe(true);
  expect(SkillsError.is(error, 'SKILL_NOT_FOUND')).toBe(true);
  expect(SkillsError.is(error, 'USAGE')).toBe(false);
  expect(SkillsError.isKind(error, 'not-found')).toBe(true);
  expect(SkillsError.isKind(error, 'io')).toBe(false);
});

test.each([undefined, null, 'USAGE', 7, {}, new Error('x'), { code: 'USAGE', name: 'SkillsError' }])(
  '%s is no SkillsError',
  (value) => {
    expect(SkillsError.is(value)).toBe(false);
    expect(SkillsError.isKind(value, 'usage')).toBe(false);
  },
);

test.each<[string, (error: SkillsError) => object]>([
  [
    'a revoked proxy',
    (error) => {
      const { proxy, revoke } = Proxy.revocable(error, {});
      revoke();
      return proxy;
    },
  ],
  [
    'one that throws when it is asked what it has',
    (error) =>
      new Proxy(error, {
        has: () => {
          throw new Error('no');
        },
      }),
  ],
  [
    'one that throws when it is read',
    (error) =>
      new Proxy(error, {
        get: () => {
          throw new Error('no');
        },
      }),
  ],
  ['one with a code that nobody knows', (error) => Object.assign(error, { code: 'ENOENT' })],
])('%s is asked without an exception, and has neither the code nor the kind', (_, make) => {
  const thrown = make(new SkillsError('USAGE', 'x'));
  expect(SkillsError.is(thrown, 'USAGE')).toBe(false);
  expect(SkillsError.isKind(thrown, 'usage')).toBe(false);
});

test('the brand does not show when an error is printed or copied', () => {
  const error = new SkillsError('USAGE', 'No.');
  const copy: object = Object.assign({}, error);
  expect(Object.getOwnPropertySymbols(copy)).toEqual([]);
  expect(SkillsError.is(copy)).toBe(false);
});

test('as JSON it has what a program can act on, and neither cause nor stack', () => {
  const error = new SkillsError('USAGE', 'No.', { hint: 'Yes.', cause: new Error('inner'), data: { value: 1 } });
  expect(JSON.parse(JSON.stringify({ error }))).toEqual({
    error: { name: 'SkillsError', code: 'USAGE', message: 'No.', hint: 'Yes.', data: { value: 1 } },
  });
  expect(JSON.parse(JSON.stringify(new SkillsError('USAGE', 'No.')))).not.toHaveProperty('hint');
});

test('message and hint hold no control character, whatever they were made from', () => {
  const error = new SkillsError('USAGE', 'a\u001B[31mb\u202Ec\r\nd', { hint: 'e\u0007' });
  expect(error.message).toBe('a<U+001B>[31mb<U+202E>c\nd');
  expect(error.hint).toBe('e<U+0007>');
});

test('message and hint hold no credentials of a URL', () => {
  const error = new SkillsError('NETWORK_ERROR', 'https://me:secret@host/x did not answer.', {
    hint: 'Ask at https://host/?token=secret.',
  });
  expect(`${error.message} ${error.hint}`).toBe('https://host/x did not answer. Ask at https://host/.');
});

test('a message made from a huge file stays short', () => {
  const started = performance.now();
  const error = new SkillsError('INVALID_LOCK', '\u0000'.repeat(16 * 1024 * 1024));
  expect(error.message).toHaveLength(4_000);
  expect(error.message.endsWith('…')).toBe(true);
  expect(performance.now() - started).toBeLessThan(20_000);
  expect(new SkillsError('USAGE', `${'x'.repeat(3_998)}😀tail`).message).toBe(`${'x'.repeat(3_998)}…`);
});
