import { expect, test, vi } from 'vitest';
import { anthropic } from '../src/anthropic/anthropic.js';
import type { ProviderFetch } from '../src/http/provider-fetch.js';
import { openaiCompatible } from '../src/openai-compatible/openai-compatible.js';
import { ask } from './conformance/ask.js';
import { chat, messages, type Protocol } from './conformance/protocol.js';
import { sentKey } from './conformance/subjects.js';

interface Sent {
  readonly url: string;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
  readonly redirect: RequestInit['redirect'];
}

/** A way to a host that is not asked in tests: what would be sent there, and an answer. */
function wayTo(protocol: Protocol): { readonly fetch: ProviderFetch; readonly sent: readonly Sent[] } {
  const sent: Sent[] = [];
  return {
    sent,
    fetch: async (input, init) => {
      // The body of these requests is JSON.
      const body = JSON.parse(init?.body as string) as Sent['body'];
      const url = input instanceof Request ? input.url : String(input);
      sent.push({ url, body, headers: new Headers(init?.headers), redirect: init?.redirect });
      const text = protocol.body({ parts: [{ kind: 'text', text: '{}' }] });
      return new Response(text, { headers: { 'content-type': 'application/json' } });
    },
  };
}

const options = { apiKey: sentKey, model: 'm', stream: false, structured: 'text', maxOutputTokens: 50 } as const;

test('PSA-29: OpenAI is told the limit by the name that all its models know, other servers by the usual one', async () => {
  const { fetch, sent } = wayTo(chat);
  for (const baseURL of ['https://api.openai.com/v1/', 'https://other.example/v1']) {
    expect((await ask(openaiCompatible({ ...options, baseURL, fetch }))).error).toBeUndefined();
  }
  expect(sent.map(({ url }) => url)).toEqual([
    'https://api.openai.com/v1/chat/completions',
    'https://other.example/v1/chat/completions',
  ]);
  expect(sent[0]?.body).toMatchObject({ max_completion_tokens: 50 });
  expect(sent[0]?.body).not.toHaveProperty('max_tokens');
  expect(sent[1]?.body).toMatchObject({ max_tokens: 50 });
  for (const { headers, redirect } of sent) {
    expect(headers.get('authorization')).toBe(`Bearer ${sentKey}`);
    expect(redirect).toBe('manual');
  }
});

test('PSA-29: a query of the base URL and headers go along, each header once', async () => {
  const { fetch, sent } = wayTo(chat);
  const baseURL = 'https://a.example/openai/deployments/x?api-version=2024-06-01';
  const headers = { 'Api-Key': sentKey, 'X-Team': 'docs', Authorization: 'Bearer other-0123456789' };
  await ask(openaiCompatible({ ...options, apiKey: undefined, baseURL, headers, fetch }));
  expect(sent[0]?.url).toBe('https://a.example/openai/deployments/x/chat/completions?api-version=2024-06-01');
  expect(sent[0]?.headers.get('api-key')).toBe(sentKey);
  expect(sent[0]?.headers.get('x-team')).toBe('docs');
  expect(sent[0]?.headers.get('authorization')).toBe('Bearer other-0123456789');
});

test('PSA-29: without a key no key is sent', async () => {
  const { fetch, sent } = wayTo(chat);
  await ask(openaiCompatible({ ...options, apiKey: undefined, baseURL: 'http://localhost:1/v1', fetch }));
  expect(sent[0]?.headers.has('authorization')).toBe(false);
});

test('PSA-29: a base URL of Anthropic’s protocol may end in /v1 or before it', async () => {
  const { fetch, sent } = wayTo(messages);
  for (const baseURL of [
    undefined,
    'https://api.anthropic.com',
    'https://api.anthropic.com/v1/',
    'https://gateway.example/anthropic',
    'https://gateway.example/anthropic/v1/messages',
  ]) {
    expect((await ask(anthropic({ ...options, baseURL, fetch }))).error).toBeUndefined();
  }
  expect(sent.map(({ url }) => url)).toEqual([
    'https://api.anthropic.com/v1/messages',
    'https://api.anthropic.com/v1/messages',
    'https://api.anthropic.com/v1/messages',
    'https://gateway.example/anthropic/v1/messages',
    'https://gateway.example/anthropic/v1/messages',
  ]);
});

test('PSA-29: Anthropic keeps the prompt from turn to turn; other servers are not asked for what they may not know', async () => {
  const { fetch, sent } = wayTo(messages);
  await ask(anthropic({ ...options, fetch }));
  await ask(anthropic({ ...options, baseURL: 'https://gateway.example', fetch }));
  await ask(anthropic({ ...options, fetch, providerOptions: { anthropic: { cacheControl: undefined } } }));
  expect(sent[0]?.body).toMatchObject({ cache_control: { type: 'ephemeral' } });
  expect(sent[1]?.body).not.toHaveProperty('cache_control');
  expect(sent[2]?.body).not.toHaveProperty('cache_control');
});

test('PSA-29: nothing is taken from the environment', async () => {
  vi.stubEnv('ANTHROPIC_BASE_URL', 'https://evil.example');
  vi.stubEnv('ANTHROPIC_API_KEY', 'sk-from-the-environment');
  vi.stubEnv('OPENAI_API_KEY', 'sk-from-the-environment');
  vi.stubEnv('OPENAI_BASE_URL', 'https://evil.example');
  try {
    const { fetch, sent } = wayTo(messages);
    await ask(anthropic({ ...options, fetch }));
    expect(sent[0]?.url).toBe('https://api.anthropic.com/v1/messages');
    expect(sent[0]?.headers.get('x-api-key')).toBe(sentKey);
    const other = wayTo(chat);
    await ask(openaiCompatible({ ...options, apiKey: undefined, baseURL: 'https://a.example/v1', fetch: other.fetch }));
    expect(other.sent[0]?.url).toBe('https://a.example/v1/chat/completions');
    expect(other.sent[0]?.headers.has('authorization')).toBe(false);
  } finally {
    vi.unstubAllEnvs();
  }
});
