import { SkillsError } from '@skillpack/core';
import { expect, test } from 'vitest';
import { judgeAddresses, judgeUrl, literalAddress, readHostPolicy } from './host-policy.js';

const policy = readHostPolicy({ domains: ['api.example', '*.api.example'], allowPrivate: ['localhost:8080', '[::1]'] });

function judged(url: string, addresses?: readonly string[]): string {
  try {
    judgeUrl(new URL(url), policy);
    if (addresses !== undefined) judgeAddresses(new URL(url), addresses, policy);
    return 'let through';
  } catch (error) {
    return SkillsError.is(error) ? error.code : 'defect';
  }
}

test.each([
  'https://api.example/',
  'https://a.api.example:8443/',
  'http://localhost:8080/',
  'https://localhost:8080/',
  'http://[::1]:3000/',
  'https://[::1]/',
])('%s is let through by its text', (url) => {
  expect(judged(url)).toBe('let through');
});

test.each([
  'http://api.example/',
  'http://localhost/',
  'http://localhost:8081/',
  'https://localhost/',
  'https://other.example/',
  'https://user@api.example/',
  'https://:password@api.example/',
  'http://user@localhost:8080/',
  'ftp://api.example/',
  'ws://localhost:8080/',
  'file:///etc/passwd',
  'data:,hello',
])('%s is refused by its text, so that nothing is resolved', (url) => {
  expect(judged(url)).toBe('ADDRESS_REFUSED');
});

test.each([
  ['https://api.example/', ['93.184.215.14', '2606:2800::1'], 'let through'],
  ['https://api.example/', ['93.184.215.14', '10.0.0.1'], 'ADDRESS_REFUSED'],
  ['https://localhost:8080/', ['127.0.0.1', '::1'], 'let through'],
  ['https://localhost:8080/', ['93.184.215.14'], 'let through'],
  ['http://localhost:8080/', ['127.0.0.1', '93.184.215.14'], 'ADDRESS_REFUSED'],
] as const)('%s at %j: %s', (url, addresses, expected) => {
  expect(judged(url, addresses)).toBe(expected);
});

test('no message tells a password', () => {
  expect(() => judgeUrl(new URL('https://user:s3cr3t-pw@api.example/?token=abcdefgh1234'), policy)).toThrow(
    expect.objectContaining({ message: expect.not.stringMatching(/s3cr3t|abcdefgh/u) }),
  );
});

test.each([
  ['https://127.0.0.1:1/', '127.0.0.1'],
  ['https://[::1]/', '::1'],
  ['https://127.0.0.1.example/', undefined],
])('the address in %s is %s', (url, expected) => {
  expect(literalAddress(new URL(url))).toBe(expected);
});

test('plain http is refused with the hosts to which it is spoken, where there are any', () => {
  const url = new URL('http://example.com/');
  for (const [allowPrivate, hint] of [
    [[], 'Only https is spoken.'],
    [['localhost', '127.0.0.1:8080'], 'Only https is spoken, and http to localhost, 127.0.0.1:8080.'],
  ] as const) {
    expect(() => judgeUrl(url, readHostPolicy({ allowPrivate }))).toThrow(
      expect.objectContaining({ code: 'ADDRESS_REFUSED', hint }),
    );
  }
});
