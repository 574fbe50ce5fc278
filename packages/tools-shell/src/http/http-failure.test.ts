import { SkillsError } from '@skillpack/core';
import { expect, test } from 'vitest';
import { httpFailure } from './http-failure.js';

const failing = (code: string, message: string = 'said so'): Error => Object.assign(new Error(message), { code });

test.each([
  ['ECONNREFUSED', 'NETWORK_ERROR'],
  ['ENOTFOUND', 'NETWORK_ERROR'],
  ['EAI_AGAIN', 'NETWORK_ERROR'],
  ['CERT_HAS_EXPIRED', 'NETWORK_ERROR'],
  ['ETIMEDOUT', 'TIMEOUT'],
  ['ECONNRESET', 'NETWORK_ERROR'],
  ['UND_ERR_SOCKET', 'NETWORK_ERROR'],
  ['UND_ERR_HEADERS_OVERFLOW', 'FILE_TOO_LARGE'],
])('%s is %s', (code, expected) => {
  // However it is wrapped.
  const wrapped = new TypeError('fetch failed', { cause: new AggregateError([failing(code)]) });
  for (const thrown of [failing(code), wrapped]) {
    expect(httpFailure(thrown, 'GET x')).toMatchObject({ code: expected, cause: thrown });
  }
});

test('an error of ours stays as it is, also within another', () => {
  const ours = new SkillsError('ADDRESS_REFUSED', 'No.');
  expect(httpFailure(ours, 'GET x')).toBe(ours);
  expect(httpFailure(new Error('wrapped', { cause: ours }), 'GET x')).toBe(ours);
});

test('a defect is no failure of a network', () => {
  const defect = new TypeError('x is not a function');
  expect(() => httpFailure(defect, 'GET x')).toThrow(defect);
  expect(() => httpFailure('a text', 'GET x')).toThrow('a text');
});

test('what a server says in an error is cut and visible', () => {
  const { message } = httpFailure(failing('ERR_TLS_CERT_ALTNAME_INVALID', `\u001B[31m${'a'.repeat(10_000)}`), 'GET x');
  expect(message).toMatch(/^GET x failed: ERR_TLS_CERT_ALTNAME_INVALID, <U\+001B>\[31ma+\.$/u);
  expect(message.length).toBeLessThan(700);
});
