import { SkillsError } from '@skillpack/core';
import { expect, test } from 'vitest';
import { parseRequestUrl } from './parse-request-url.js';

test.each([
  ['https://api.example', 'https://api.example/'],
  ['https://API.Example:8443/a?b=c#d', 'https://api.example:8443/a?b=c'],
  ['https://api.example:443/ü?q=%20', 'https://api.example/%C3%BC?q=%20'],
  ['http://127.0.0.1:80/', 'http://127.0.0.1/'],
  ['https://[2606:2800::1]:8443/', 'https://[2606:2800::1]:8443/'],
  ['https://xn--bcher-kva.example/', 'https://xn--bcher-kva.example/'],
  ['https://a_b.example/@c:d', 'https://a_b.example/@c:d'],
])('%s is read as %s', (text, expected) => {
  expect(parseRequestUrl(text).href).toBe(expected);
});

test.each([
  'https://api.example/a b',
  'https://api.example/a\tb',
  'https://api.example/a\nb',
  'https://api.example/a\\b',
  'https://api.example/?a\u0000',
  'https://api.example/\u007F',
  'https://api.example/ ',
  '\u0000https://api.example/',
  'https://\u212A.example/',
  'https://\u017F.example/',
  'https://b\u00FCcher.example/',
  'https://1.2.3/',
  'https://[2606:2800:0::1]/',
  'https://api.example:65536/',
  'api.example',
  '/path',
  '',
])('%j is refused: another reader may read it otherwise', (text) => {
  expect(() => parseRequestUrl(text)).toThrow(expect.objectContaining({ code: 'ADDRESS_REFUSED' }));
});

test('no message tells a password or a token', () => {
  for (const text of ['https://user:s3cr3t-pw@api.example/', 'https://user:s3cr3t-pw@[::/?token=s3cr3t-pw']) {
    const thrown = (() => {
      try {
        return parseRequestUrl(text);
      } catch (error) {
        return error;
      }
    })();
    expect(SkillsError.is(thrown, 'ADDRESS_REFUSED') && thrown.message).not.toContain('s3cr3t');
  }
});
