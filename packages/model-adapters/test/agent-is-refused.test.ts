import { type RunEvent, runAgent } from '@skillpack/core';
import { expect, test } from 'vitest';
import { agentWorld, decisions } from './conformance/agent-world.js';
import { send } from './conformance/protocol.js';
import { sayInForm } from './conformance/say-in-form.js';
import { type Answer, startProvider } from './conformance/start-provider.js';
import { anthropicSubject, openaiSubject, sentKey, type Subject } from './conformance/subjects.js';

const both = [openaiSubject, anthropicSubject].map((subject) => [subject.title, subject] as const);

interface Trouble {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const told = (message: string, type = 'invalid_request_error') => ({ type: 'error', error: { type, message } });

/** What comes of a run whose server is in trouble first, and then answers. */
async function runThrough(subject: Subject, troubles: readonly Trouble[]) {
  const events: RunEvent[] = [];
  const { protocol, make } = subject;
  const answer: Answer = async (call, out) => {
    const at = provider.calls.indexOf(call);
    const trouble = troubles[at];
    if (trouble === undefined) {
      await send(protocol, { call, out }, sayInForm(call, decisions.at(-1) ?? ''));
      return;
    }
    out.head(trouble.status, { 'content-type': 'application/json', ...trouble.headers });
    await out.write(JSON.stringify(trouble.body ?? told('It is so.')));
    out.end();
  };
  const provider = await startProvider(protocol.check, answer);
  const ports = agentWorld(make(provider.origin));
  const began = ports.clock.now();
  const result = await runAgent('How many pages?', ports, { id: 'one', onEvent: (event) => events.push(event) });
  await provider.close();
  return { events, result, waited: ports.clock.now() - began, calls: provider.calls.length };
}

test.for(both)('PSA-29: an agent asks again when its provider wants, and then goes on: %s', async ([, subject]) => {
  const limit = { status: 429, headers: { 'retry-after': '20' }, body: told('Slow.', 'rate_limit_error') };
  const busy = { status: 529, body: told('Busy.', 'overloaded_error') };
  const { result, waited, calls } = await runThrough(subject, [limit, busy]);
  expect(result).toMatchObject({ text: 'It has 3 pages – 三ページ.', stop: 'final_answer', degraded: false });
  expect(calls).toBe(3);
  expect(waited).toBeGreaterThanOrEqual(20_000);
  expect(waited).toBeLessThan(60_000);
});

test.for(both)('PSA-29: an agent does not ask again where nothing would change: %s', async ([, subject]) => {
  for (const [trouble, code] of [
    [{ status: 401, body: told('No.', 'authentication_error') }, 'UNAUTHORIZED'],
    [{ status: 404, body: told('model: small', 'not_found_error') }, 'MODEL_NOT_FOUND'],
    [{ status: 402, body: told('Pay.') }, 'REQUEST_REFUSED'],
  ] as const) {
    const { result, waited, calls } = await runThrough(subject, [trouble, trouble, trouble]);
    expect(result).toMatchObject({ stop: 'model_failed', degraded: true, error: { code } });
    expect([calls, waited]).toEqual([1, 0]);
  }
});

test.for(both)('PSA-29: a key that a server repeats stands in no record of a run: %s', async ([, subject]) => {
  const body = told(`Your key ${sentKey} is wrong.`, sentKey);
  const { events, result } = await runThrough(subject, [{ status: 500, headers: { 'x-key': sentKey }, body }]);
  expect(result.stop).toBe('final_answer');
  expect(JSON.stringify(events)).toContain('Your key');
  expect(JSON.stringify(events)).not.toContain(sentKey);
});
