import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textWithoutCredentials, withoutCredentials } from './without-credentials.js';

test.each([
  ['https://user:pass@host/x', 'https://host/x'],
  ['https://user@host/x', 'https://host/x'],
  ['https://:pass@host/x', 'https://host/x'],
  ['https://a:b@c:d@host/x', 'https://host/x'],
  ['git+https://user:pass@host/x.git#main', 'git+https://host/x.git#main'],
  ['oci://user:pass@host/repository:tag', 'oci://host/repository:tag'],
  ['https://host/x?token=abc&page=2', 'https://host/x?page=2'],
  ['https://host/x?access_token=abc', 'https://host/x'],
  ['https://host/x?X-Amz-Signature=abc&X-Amz-Credential=d&part=1', 'https://host/x?part=1'],
  ['https://host/x?sig=abc&sv=1', 'https://host/x?sv=1'],
  ['https://host/x?u=1&page=2&u=%3Ftoken%3Dabc', 'https://host/x?page=2'],
  ['https://host/x?b=1%262&token=abc&a=%C3%A9 +&b=3&c', 'https://host/x?b=1%262&a=%C3%A9++&b=3&c='],
  ['https://host/x?API_KEY=abc', 'https://host/x'],
  ['https://host/x?%74oken=abc', 'https://host/x'],
  ['https://host/x#access_token=abc&state=1', 'https://host/x'],
  ['https://user:pass@ho st/x', 'https://ho st/x'],
  ['https://user:pa/ss@ho st/x?token=abc', 'https://ho st/x'],
  ['//user:pass@host/x', '//host/x'],
  ['//host/x?token=abc', '//host/x'],
  ['https://user:pass@[bad]/x\n@y', 'https://y'],
  ['https:/user:pass@host/x', 'https://host/x'],
  ['https:user:pass@host/x', 'https://host/x'],
  ['https:\\\\user:pass@host/x', 'https://host/x'],
  ['git+https:/user:pass@host/x', 'git+https:/host/x'],
  ['https:user:pass@[bad/x', 'https:[bad/x'],
  ['https://[bad/#access_token=abc', 'https://[bad/'],
  ['https://[bad/?page=1', 'https://[bad/'],
  ['blob:https://user:pass@host/x', 'blob:https://host/x'],
  ['https://proxy/https://user:pass@host/x', 'https://proxy/https://host/x'],
  ['https://host/x?u=https://user:pass@other/y', 'https://host/x?u=https://other/y'],
  ['https://host/x?u=https:/user:pass@other/y', 'https://host/x?u=https:/other/y'],
  ['https://host/x?u=https%3A%2F%2Fuser%3Apass%40other%2Fy', 'https://host/x?u=https%3A%2F%2Fother%2Fy'],
  ['https://host/x?u=https%253a%252f%252fuser:pass%2540other', 'https://host/x?u=https%253a%252f%252fother'],
  ['https://host/x?u=https%253Auser:pass%2540other', 'https://host/x?u=https%253Aother'],
  ['https://host/x?u=git%253A%252F%252Fuser:pass%2540other', 'https://host/x?u=git%253A%252F%252Fother'],
  ['https://host/x?page=1&u=https://other/?token=abc', 'https://host/x?page=1'],
  ['https://host/x?page=1;token=abc', 'https://host/x'],
  ['https://host/x?auth=abc', 'https://host/x'],
  ['https://host/x?pass=abc', 'https://host/x'],
  ['https://host/x?pat=abc', 'https://host/x'],
  ['https://host/x?passphrase=abc', 'https://host/x'],
  ['https://host/x?private_key=abc', 'https://host/x'],
  ['https://host/x?access-key=abc', 'https://host/x'],
  ['https://host/x#token:abc', 'https://host/x'],
])('%s becomes %s', (url, clean) => {
  expect(withoutCredentials(url)).toBe(clean);
});

test.each([
  'https://host',
  'https://host/a@b',
  'https://host/x?page=2&keyword=token&author=me#part',
  'HTTPS://Host/x',
  'https://host/x?path=a&pattern=b&bypass=c&authors=d',
  'https://archive/https://host/@me/x',
  'https://host/x?u=https://other/&mail=a@b',
  'mailto:a@b',
  'file:///a@b',
  'github:org/pdf@1.2.0',
  'not a url',
  'what? a@b',
  './a@b?c',
  '',
])('%j stays as it is', (url) => {
  expect(withoutCredentials(url)).toBe(url);
});

test('no user name or password of a URL survives', () => {
  const secret = fc.stringMatching(/^[A-Z]{12}$/u);
  fc.assert(
    fc.property(
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      secret,
      secret,
      (url, user, password) => {
        const clean = withoutCredentials(url.replace('://', `://${user}:${password}@`));
        expect(clean).not.toContain(user);
        expect(clean).not.toContain(password);
        expect(withoutCredentials(clean)).toBe(clean);
      },
    ),
  );
});

test('in a text, each URL is cleaned and the sentence around it stays', () => {
  expect(textWithoutCredentials('GET https://u:p@host/x?token=1. See (https://u:p@other/), “ftp://a@b/c”.')).toBe(
    'GET https://host/x. See (https://other/), “ftp://b/c”.',
  );
  expect(textWithoutCredentials('not https:/u:p@host/x, HTTPS:u:p@host/y or https:: “https:” is a scheme')).toBe(
    'not https://host/x, https://host/y or https:: “https:” is a scheme',
  );
  expect(textWithoutCredentials('mail a@b.org, see https://host/x')).toBe('mail a@b.org, see https://host/x');
});

test('a long hostile text costs little', () => {
  const started = performance.now();
  for (const text of ['a'.repeat(100_000), 'a:'.repeat(50_000), 'a://'.repeat(25_000), `a://${'.'.repeat(100_000)}x`]) {
    textWithoutCredentials(text);
  }
  for (const part of ['https:', 'https:/', '%25', '%3A%2F%2F', '?a;', '@', '%2540', '://a@']) {
    textWithoutCredentials(`https://host/x?u=${part.repeat(20_000)}`);
    withoutCredentials(part.repeat(20_000));
  }
  expect(performance.now() - started).toBeLessThan(20_000);
});

test('of very many parameters, all that are secret go, and not one of the others', () => {
  // To take out one after the other would take minutes.
  const secrets = Array.from({ length: 50_000 }, (_, at) => `token${at}=abc`).join('&');
  expect(withoutCredentials(`https://host/x?page=1&${secrets}&part=2`)).toBe('https://host/x?page=1&part=2');
});

test('a scheme of any length is one', () => {
  const long = `${'x'.repeat(300)}+https`;
  expect(textWithoutCredentials(`from 1-${long}://user:secret@host/x, and 2.//a@b`)).toBe(
    `from 1-${long}://host/x, and 2.//a@b`,
  );
  expect(textWithoutCredentials('1://user:secret@host, ://user:secret@host')).not.toContain('secret');
});
