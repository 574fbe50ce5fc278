import { LLMock } from '@copilotkit/aimock';
import { runAgent, SkillsError } from '@skillpack/core';
import { expect, test } from 'vitest';
import type { AiSdkOptions } from '../src/ai-sdk/ai-sdk-options.js';
import { agentWorld, decisions, toldBefore } from './conformance/agent-world.js';
import { ask } from './conformance/ask.js';
import { anthropicSubject, forms, openaiSubject, type Subject } from './conformance/subjects.js';

// @copilotkit/aimock speaks both protocols, and nobody here has written it.

const both = [openaiSubject, anthropicSubject].map((subject) => [subject.title, subject] as const);

type Responder = Extract<Parameters<LLMock['on']>[1], (...given: never[]) => unknown>;

/** Says what fits all that was told: the last of the decisions before which it had to be; of nothing known, the answer. */
const decide: Responder = (request) => {
  const told = JSON.stringify(request.messages);
  const turn = toldBefore.findLastIndex((words) => told.includes(words.at(-1) ?? ''));
  const decision = decisions.at(turn) ?? '';
  const { action } = JSON.parse(decision) as { readonly action: { readonly tool?: string; readonly input?: unknown } };
  const names = (request.tools ?? []).map((tool) => tool.function.name);
  if (names.length === 0) return { content: decision };
  const own = action.tool !== undefined && names.includes(action.tool);
  const call = own
    ? { name: action.tool ?? '', arguments: JSON.stringify(action.input) }
    : { name: names.at(-1) ?? '', arguments: decision };
  return { toolCalls: [call] };
};

async function withServer(use: (server: LLMock) => Promise<void>): Promise<void> {
  const server = await LLMock.create({ port: 0, host: '127.0.0.1', logLevel: 'silent' });
  try {
    server.on({ predicate: () => true }, decide, { chunkSize: 5 });
    await use(server);
  } finally {
    await server.stop();
  }
}

const cases = both.flatMap(([title, subject]) =>
  forms.flatMap(([form, options]) =>
    [true, false].map((stream) => [title, form, stream, { subject, options: { ...options, stream } }] as const),
  ),
);

test.for(cases)(
  'PSA-29: an agent reads, calls and answers over a server of somebody else: %s, %s, in pieces %s',
  async ([, , , { subject, options }]) => {
    await withServer(async (server) => {
      const answer = await runAgent('How many pages has über.pdf?', agentWorld(subject.make(server.url, options)), {
        id: 'one',
      });
      expect(answer).toMatchObject({ text: 'It has 3 pages – 三ページ.', stop: 'final_answer', degraded: false });
      expect(answer.state.spent).toMatchObject({ turns: 4, toolCalls: 3 });
      expect(server.getRequests()).toHaveLength(4);
    });
  },
);

async function codeOf(subject: Subject, url: string, options: AiSdkOptions = {}): Promise<string | undefined> {
  const { error } = await ask(subject.make(url, { structured: 'text', ...options }));
  return SkillsError.is(error) ? error.code : undefined;
}

test.for(both)('PSA-29: what a server of somebody else breaks has a code: %s', async ([, subject]) => {
  await withServer(async (server) => {
    for (const [status, type, code] of [
      [401, 'authentication_error', 'UNAUTHORIZED'],
      [404, 'not_found_error', 'MODEL_NOT_FOUND'],
      [503, 'overloaded_error', 'OVERLOADED'],
      [529, 'overloaded_error', 'OVERLOADED'],
      [500, 'api_error', 'MODEL_ERROR'],
      [400, 'invalid_request_error', 'REQUEST_REFUSED'],
    ] as const) {
      server.nextRequestError(status, { message: 'It is so.', type });
      expect([status, await codeOf(subject, server.url)]).toEqual([status, code]);
    }
    server.setChaos({ rateLimitRate: 1 });
    const { error } = await ask(subject.make(server.url, { structured: 'text' }));
    expect(error).toMatchObject({ code: 'RATE_LIMITED', data: { retryAfter: expect.any(Number) as unknown } });
    server.setChaos({ malformedRate: 1 });
    expect(await codeOf(subject, server.url)).toBe('MODEL_ERROR');
    expect(await codeOf(subject, server.url, { stream: false })).toBe('MODEL_ERROR');
    server.setChaos({ disconnectRate: 1 });
    expect(await codeOf(subject, server.url)).toBe('NETWORK_ERROR');
    server.setChaos({ dropRate: 1 });
    expect(['MODEL_ERROR', 'NETWORK_ERROR']).toContain(await codeOf(subject, server.url));
    server.clearChaos();
    expect(await codeOf(subject, server.url)).toBeUndefined();
  });
});

test.for(both)('PSA-29: a stream that a server of somebody else cuts off is no answer: %s', async ([, subject]) => {
  await withServer(async (server) => {
    server.clearFixtures();
    server.on({ predicate: () => true }, { content: decisions[0] ?? '' }, { chunkSize: 5, truncateAfterChunks: 3 });
    expect(['MODEL_ERROR', 'NETWORK_ERROR']).toContain(await codeOf(subject, server.url));
  });
});
