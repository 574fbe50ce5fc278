import { expect, test } from 'vitest';
import { secretHeaderValues } from './secret-header-values.js';

test.each([
  'authorization',
  'Proxy-Authorization',
  'x-api-key',
  'X-Auth',
  'x-password',
  'x-pwd',
  'passphrase',
  'x-signature',
  'x-jwt-assertion',
  'x-session',
  'gitlab-pat',
])('PSA-29: the value of a header %s is a secret', (name) => {
  expect(secretHeaderValues({ [name]: 'hunter2secret' })).toContain('hunter2secret');
});

test('PSA-29: what follows the scheme is a secret by itself, and so is each cookie', () => {
  expect(secretHeaderValues({ Authorization: 'Bearer hunter2secret' })).toEqual([
    'Bearer hunter2secret',
    'hunter2secret',
  ]);
  const cookies = secretHeaderValues({ cookie: 'one=first-secret; two=second=secret' });
  expect(cookies).toEqual(expect.arrayContaining(['first-secret', 'second=secret']));
});

test('headers that hold no secret by their names have none', () => {
  const headers = { 'x-path': '/usr', 'user-agent': 'mine', 'anthropic-version': '1', 'x-passenger': 'Ada' };
  expect(secretHeaderValues({ ...headers, 'x-api-key': '' })).toEqual([]);
});
