import { SkillsError } from '@skillpack/core';
import { expect, test } from 'vitest';
import { anthropic } from '../anthropic/anthropic.js';
import { openaiCompatible } from '../openai-compatible/openai-compatible.js';
import { parseBaseUrl } from './parse-base-url.js';

const options = { endpoint: '/chat/completions', query: true, secret: true, allowInsecure: false };

test.for([
  ['https://api.openai.com/v1', 'https://api.openai.com/v1'],
  ['https://api.openai.com/v1/', 'https://api.openai.com/v1'],
  ['https://api.openai.com/v1//', 'https://api.openai.com/v1'],
  ['https://api.openai.com/v1/chat/completions', 'https://api.openai.com/v1'],
  ['https://api.openai.com/v1/chat/completions/', 'https://api.openai.com/v1'],
  ['HTTPS://API.example/', 'https://api.example'],
  ['https://a.example/x?api-version=2#top', 'https://a.example/x'],
  ['http://localhost:11434/v1', 'http://localhost:11434/v1'],
  ['http://127.0.0.1:1', 'http://127.0.0.1:1'],
  ['http://[::1]:8080/v1', 'http://[::1]:8080/v1'],
  ['http://models.localhost/v1', 'http://models.localhost/v1'],
] as const)('PSA-29: %s is the server at %s', ([given, href]) => {
  expect(parseBaseUrl(given, options).href).toBe(href);
});

test('PSA-29: a query that is no secret goes along', () => {
  const { parameters } = parseBaseUrl('https://a.example/x?api-version=2024-06-01', options);
  expect(parameters).toEqual({ 'api-version': '2024-06-01' });
});

test('PSA-29: a protocol without room for a query has none', () => {
  const baseURL = 'https://a.example/v1?api-version=1';
  const error = thrown(() => anthropic({ baseURL, model: 'm', apiKey: 'sk-0123456789' }));
  expect(SkillsError.is(error, 'ADDRESS_REFUSED') && error.message).toContain('has a query');
});

test.for([
  ['no URL', 'api.example/v1'],
  ['another scheme', 'file:///etc/passwd'],
  ['a script', 'javascript:alert(1)'],
  ['a password', 'https://user:hunter2secret@a.example/v1'],
  ['a key in its query', 'https://a.example/v1?api_key=hunter2secret'],
  ['plain http to another machine', 'http://models.example/v1'],
  ['plain http to a neighbour', 'http://192.168.1.2/v1'],
  ['plain http to what only looks like this machine', 'http://127.0.0.1.evil.example/v1'],
  ['plain http to what only begins like it', 'http://localhost.evil.example/v1'],
] as const)('PSA-29: no key goes to %s', ([, baseURL]) => {
  for (const make of [
    () => openaiCompatible({ baseURL, model: 'm', apiKey: 'sk-0123456789' }),
    () => openaiCompatible({ baseURL, model: 'm', headers: { 'api-key': 'sk-0123456789' } }),
    () => anthropic({ baseURL, model: 'm', apiKey: 'sk-0123456789' }),
  ]) {
    const error = thrown(make);
    expect(SkillsError.is(error, 'ADDRESS_REFUSED'), String(error)).toBe(true);
    expect(String(error)).not.toMatch(/hunter2secret|sk-0123456789/u);
  }
});

test('PSA-29: plain http is for what has no key, and for who allows it', () => {
  const baseURL = 'http://192.168.1.2:8000/v1';
  expect(openaiCompatible({ baseURL, model: 'm' }).name).toBe('openai-compatible:192.168.1.2:8000/m');
  expect(openaiCompatible({ baseURL, model: 'm', apiKey: 'k', allowInsecure: true }).name).toContain('192.168.1.2');
});

function thrown(make: () => unknown): unknown {
  try {
    make();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
