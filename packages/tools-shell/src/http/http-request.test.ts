import { SkillsError } from '@skillpack/core';
import { expect, test } from 'vitest';
import { readHostPolicy } from './host-policy.js';
import { makeHttpRequest, type HttpRequestInput } from './http-request.js';

const redact = (text: string): string => text.replaceAll('hunter2', '[redacted]');
const rules = { policy: readHostPolicy({ domains: ['api.example'] }), requestBytes: 10, redact };

function codeOf(input: Partial<HttpRequestInput>): string | undefined {
  try {
    makeHttpRequest({ url: 'https://api.example/', method: 'GET', ...input }, rules);
    return undefined;
  } catch (error) {
    return SkillsError.is(error) ? error.code : 'defect';
  }
}

test.each<[Partial<HttpRequestInput>, string | undefined]>([
  [{}, undefined],
  [{ url: 'https://other.example/' }, 'ADDRESS_REFUSED'],
  [{ url: 'http://api.example/' }, 'ADDRESS_REFUSED'],
  [{ url: 'https://api.example\\@other.example/' }, 'ADDRESS_REFUSED'],
  [{ headers: { host: 'other.example' } }, 'INVALID_INPUT'],
  [{ body: '' }, 'INVALID_INPUT'],
  [{ method: 'POST', body: 'x'.repeat(11) }, 'FILE_TOO_LARGE'],
  [{ method: 'POST', body: 'hunter2' }, 'TOOL_NOT_ALLOWED'],
  [{ url: 'https://api.example/h%75nter2' }, 'TOOL_NOT_ALLOWED'],
  [{ url: 'https://api.example/%ff%zz%h%75nter2' }, 'TOOL_NOT_ALLOWED'],
  [{ headers: { 'x-note': 'hunter2' } }, 'TOOL_NOT_ALLOWED'],
])('%j is judged before anything is resolved: %s', (input, expected) => {
  expect(codeOf(input)).toBe(expected);
});

test('a request is made of what a model asks for', () => {
  const input = { url: 'https://API.example/a#b', method: 'POST', headers: { 'X-Note': 'a' }, body: 'ü' } as const;
  const { url, ...request } = makeHttpRequest(input, rules);
  expect(url.href).toBe('https://api.example/a');
  expect(request).toEqual({
    method: 'POST',
    headers: { 'x-note': 'a', 'content-type': 'text/plain; charset=utf-8' },
    body: new Uint8Array([0xc3, 0xbc]),
  });
});
