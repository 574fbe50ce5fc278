import { inspect } from 'node:util';
import { SkillsError } from '@skillpack/core';
import { expect, test } from 'vitest';
import { anthropic } from '../anthropic/anthropic.js';
import { openaiCompatible } from '../openai-compatible/openai-compatible.js';

test('PSA-29: a model is called by its provider and its name there', () => {
  const apiKey = 'sk-0123456789';
  expect(openaiCompatible({ baseURL: 'https://api.openai.com/v1', apiKey, model: 'gpt-5' }).name).toBe('openai:gpt-5');
  expect(openaiCompatible({ baseURL: 'http://localhost:1/v1', model: 'qwen3:8b' }).name).toBe(
    'openai-compatible:localhost:1/qwen3:8b',
  );
  expect(openaiCompatible({ baseURL: 'https://a.example', model: 'two words' }).name).not.toContain(' ');
  expect(anthropic({ apiKey, model: 'claude-x' }).name).toBe('anthropic:claude-x');
  expect(anthropic({ apiKey, model: 'claude-x', name: 'mine:claude' }).name).toBe('mine:claude');
});

test.for([
  ['an empty model', { model: '' }],
  ['a model with a line break', { model: 'a\nb' }],
  ['an empty key', { apiKey: '' }],
  ['a key with a line break', { apiKey: 'sk-0123456789\r\nx: y' }],
  ['a key with a blank at its end', { apiKey: 'sk-0123456789 ' }],
  ['a key beyond Latin-1', { apiKey: 'sk-0123456789漢' }],
  ['a limit that is no number', { maxBytes: Number.NaN }],
  ['a limit of nothing', { maxBytes: 0 }],
  ['a header without a value', { headers: { 'x-a': undefined } }],
  ['a header with a line break', { headers: { 'x-a': 'sk-0123456789\nb: c' } }],
  ['a header whose name is none', { headers: { 'x a': 'b' } }],
  ['a header twice', { headers: { 'X-A': 'b', 'x-a': 'c' } }],
  ['a header of the client', { headers: { 'Content-Length': '5' } }],
  ['another host', { headers: { host: 'evil.example' } }],
])('PSA-29: %s is refused before anything is sent, without a key in the message', ([, given]) => {
  const error = thrown(() =>
    openaiCompatible({ baseURL: 'https://a.example/v1', model: 'm', apiKey: 'sk-other', ...(given as object) }),
  );
  expect(SkillsError.is(error, 'USAGE'), String(error)).toBe(true);
  expect(String(error)).not.toMatch(/sk-/u);
});

test('PSA-29: Anthropic is not asked without a key, and none is looked for elsewhere', () => {
  // As in JavaScript, where no type asks for it.
  const without = { model: 'm' } as Parameters<typeof anthropic>[0];
  expect(
    SkillsError.is(
      thrown(() => anthropic(without)),
      'USAGE',
    ),
  ).toBe(true);
});

function thrown(make: () => unknown): unknown {
  try {
    make();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

test('PSA-29: a parameter of the base URL that by its name holds a secret goes along, and stands in no error', async () => {
  const asked: string[] = [];
  const model = openaiCompatible({
    baseURL: 'https://models.example/v1?subscription-key=hunter2secret&api-version=7',
    model: 'm',
    fetch: async (url) => {
      asked.push(new Request(url).url);
      return new Response(`What is ${asked.at(-1)}, hunter2secret?`, { status: 400 });
    },
  });
  const error: unknown = await model
    .decide(
      { system: 's', messages: [], tools: [], actions: ['final_answer'], answerSchema: {} },
      { signal: new AbortController().signal },
    )
    .catch((reason: unknown) => reason);
  expect(asked[0]).toContain('subscription-key=hunter2secret');
  const told = inspect(error, { depth: 9, showHidden: true });
  expect(told).toContain('REQUEST_REFUSED');
  expect(told).not.toContain('hunter2secret');
});
