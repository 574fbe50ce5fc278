import { runAgent } from '@skillpack/core';
import { expect, test } from 'vitest';
import { anthropic } from '../src/anthropic/anthropic.js';
import { agentWorld, decisions, toldBefore } from './conformance/agent-world.js';
import { send } from './conformance/protocol.js';
import { isBody } from './conformance/provider-call.js';
import type { Said } from './conformance/said.js';
import { sayInForm } from './conformance/say-in-form.js';
import { startProvider } from './conformance/start-provider.js';
import { anthropicSubject, forms, sentKey, subjects } from './conformance/subjects.js';

const cases = subjects.flatMap((subject) =>
  forms.flatMap(([form, options]) =>
    [true, false].map(
      (stream) =>
        [
          `${subject.title}, ${form}, ${stream ? 'in pieces' : 'at once'}`,
          { subject, options: { ...options, stream } },
        ] as const,
    ),
  ),
);

test.for(cases)(
  'PSA-29: an agent reads a skill and its resource, calls a tool and answers over HTTP: %s',
  async ([, { subject, options }]) => {
    const { protocol, make } = subject;
    const provider = await startProvider(protocol.check, async (call, out) => {
      const turn = provider.calls.indexOf(call);
      for (const word of toldBefore[turn] ?? []) expect(call.text).toContain(word);
      await send(protocol, { call, out }, sayInForm(call, decisions[turn] ?? ''));
    });
    const model = make(provider.origin, options);
    const told: string[] = [];
    const answer = await runAgent('How many pages has über.pdf?', agentWorld(model), {
      id: 'one',
      onAnswer: (delta) => told.push(delta),
    });
    await provider.close();
    expect(answer).toMatchObject({ text: 'It has 3 pages – 三ページ.', stop: 'final_answer', degraded: false });
    expect(told.join('')).toBe(answer.text);
    expect(provider.calls).toHaveLength(decisions.length);
    expect(answer.state.spent).toMatchObject({ turns: 4, toolCalls: 3, tokens: 60 });
  },
);

test.for(subjects.map((subject) => [subject.title, subject] as const))(
  'PSA-29: a cancel in the middle of an answer closes the connection: %s',
  async ([, { protocol, make }]) => {
    const provider = await startProvider(protocol.check, async ({ body }, out) => {
      expect(body['stream']).toBe(true);
      // Whole words: a run holds back what could be the beginning of a secret.
      const text = `Let me see what I can do for you. ${decisions[0] ?? ''}`;
      const events = protocol.events({ parts: [{ kind: 'text', text }] }).slice(0, 8);
      out.head(200, { 'content-type': 'text/event-stream' });
      for (const event of events) await out.write(`data: ${event}\n\n`);
      // And then nothing: it ends when the other side goes.
    });
    const controller = new AbortController();
    const answer = runAgent('How many pages?', agentWorld(make(provider.origin, { structured: 'text' })), {
      id: 'one',
      signal: controller.signal,
      onText: () => controller.abort(),
    });
    expect(await answer).toMatchObject({ stop: 'cancelled' });
    expect(await provider.calls[0]?.closed).toEqual({ cutOff: true });
    await provider.close();
  },
);

const claudes = ['claude-sonnet-5-5', 'claude-opus-5', 'claude-haiku-5-5', 'claude-sonnet-4-5', 'claude-3-5-haiku'];

test.for(claudes.flatMap((name) => forms.map(([form, options]) => [name, form, options] as const)))(
  'PSA-29: models of Anthropic that differ in what they take are asked so that they can answer: %s, %s',
  async ([name, , options]) => {
    const { protocol } = anthropicSubject;
    for (const obeys of [true, false]) {
      const provider = await startProvider(protocol.check, async (call, out) => {
        const turn = provider.calls.indexOf(call);
        for (const word of toldBefore[turn] ?? []) expect(call.text).toContain(word);
        const text = decisions[turn] ?? '';
        const choice = call.body['tool_choice'];
        const forced = isBody(choice) && choice['type'] !== 'auto';
        // Whom nothing forces may write what it was asked to call.
        const said: Said = obeys || forced ? sayInForm(call, text) : { parts: [{ kind: 'text', text }] };
        await send(protocol, { call, out }, said);
      });
      const model = anthropic({ ...options, baseURL: provider.origin, model: name, apiKey: sentKey });
      const answer = await runAgent('How many pages has über.pdf?', agentWorld(model), { id: 'one' });
      await provider.close();
      expect(answer).toMatchObject({ text: 'It has 3 pages – 三ページ.', stop: 'final_answer', degraded: false });
      expect(answer.state.spent).toMatchObject({ turns: 4, toolCalls: 3 });
    }
  },
);
