import { describe, expect, test } from 'vitest';
import type { AgentOptions, AskOptions } from '../../src/agent/agent-run.js';
import {
  createRedactor,
  redactNothing,
  replayRun,
  runAgent,
  SkillsError,
  startRun,
  summariseRun,
} from '../../src/index.js';
import type { ModelAdapter, ModelAnswer } from '../../src/model/model-adapter.js';
import { sha256 } from '../sha256.js';
import { agentWorld, answer, echoTool, named, type AgentWorld, type Reply, type WorldOptions } from './agent-world.js';

async function expectSame({ events, journal }: AgentWorld): Promise<void> {
  const kept = async (digest: Parameters<typeof journal.kept.get>[0]) => journal.kept.get(digest);
  expect(await replayRun({ events, kept }, { sha256 })).toMatchObject({ same: true, events: events.length });
}

/** A world whose model adds something to each of its answers, and tells its thoughts in pieces of three characters. */
function worldOf(replies: readonly Reply[], added: Partial<ModelAnswer>, options: WorldOptions = {}) {
  const world = agentWorld(replies, options);
  const model: ModelAdapter = {
    ...world.model,
    decide: async (request, how) => {
      const said = { ...(await world.model.decide(request, how)), ...added };
      for (const piece of said.reasoning?.match(/[^]{1,3}/gu) ?? []) how.onReasoning?.(piece);
      for (const piece of said.text.match(/[^]{1,3}/gu) ?? []) how.onText?.(piece);
      return said;
    },
  };
  return { world, ports: { ...world.ports, model } };
}

describe('what a model thinks', () => {
  async function thinking(reasoning: string, options: Partial<AgentOptions> = {}, heard: Partial<AskOptions> = {}) {
    const call = { kind: 'call_tool', tool: 'shout', input: {} } as const;
    const { world, ports } = worldOf([call, answer('Done.')], { reasoning }, { tools: [echoTool('shout')] });
    const told: string[] = [];
    const run = await startRun(ports, named(options));
    const { text } = await run.ask('Go.', { onReasoning: (delta) => told.push(delta), ...heard });
    expect(text).toBe('Done.');
    const recorded = world.of('model_answered').map((event) => event.reasoning);
    await expectSame(world);
    return { world, told, recorded };
  }

  test('PSA-29: is recorded apart and told as it arrives; neither the conversation nor the answer holds it, and a replay comes to the same', async () => {
    const { world, told, recorded } = await thinking('First I {shout}.', { redact: redactNothing });
    expect(recorded).toEqual(['First I {shout}.', 'First I {shout}.']);
    expect(told.length).toBe(12);
    expect(told.join('')).toBe('First I {shout}.'.repeat(2));
    expect(JSON.stringify(world.model.requests)).not.toContain('First I');
    expect(world.of('model_answered').every(({ text }) => !text.includes('First'))).toBe(true);
  });

  test('is recorded without secrets, and told without them', async () => {
    const redact = createRedactor({ values: ['hunter2 secret'] });
    const { world, told, recorded } = await thinking('It is hunter2 secret, \\u0068unter2 secret.', { redact });
    expect(JSON.stringify(world.events)).not.toMatch(/hunter2 secret|u0068/u);
    expect(recorded[0]).toBe('It is [redacted:value], [redacted:value].');
    expect(told.join('')).toBe(recorded.join(''));
    expect(told.length).toBeGreaterThan(2);
    // Of a function of somebody else's, nobody knows what it takes out.
    const other = await thinking('It is hunter2 secret.', { redact: (text) => redact(text) });
    expect(other.told).toEqual(['It is [redacted:value].', 'It is [redacted:value].']);
  });

  test('is kept up to 65,536 characters of each answer, and told as far', async () => {
    const { told, recorded } = await thinking('thoughts '.repeat(20_000));
    expect(recorded.map((reasoning) => reasoning?.length)).toEqual([65_536, 65_536]);
    expect(told.join('')).toBe(recorded.join(''));
    const secret = `${'x'.repeat(65_530)} hunter2 secret and more`;
    const cut = await thinking(secret, { redact: createRedactor({ values: ['hunter2 secret'] }) });
    expect(cut.recorded[0]).toBe(`${'x'.repeat(65_530)} [reda`);
    expect(cut.told.join('')).not.toContain('hunter');
  });

  test('is nothing where nothing of it may be told', async () => {
    const thought = 'It is hunter2.';
    const { world, recorded } = await thinking(thought, { redact: (text) => text.replaceAll(thought, '') });
    expect(recorded).toEqual([undefined, undefined]);
    expect(world.of('model_answered')[0]).not.toHaveProperty('reasoning');
  });

  test('of an adapter that tells none, or something else than a text, is nothing', async () => {
    for (const reasoning of ['', 7, null, ['a']]) {
      // Cast: adapters come from anywhere.
      const { world, ports } = worldOf([answer('Done.')], {});
      const model = {
        ...ports.model,
        decide: async (...[request, how]: Parameters<ModelAdapter['decide']>) => ({
          ...(await ports.model.decide(request, how)),
          reasoning: reasoning as string,
        }),
      };
      await runAgent('Go.', { ...ports, model }, named());
      expect(world.of('model_answered')[0]).not.toHaveProperty('reasoning');
    }
  });

  test('whoever throws at it is told no more, and the request is answered', async () => {
    let calls = 0;
    const thrown = new Error('mine');
    const asked = thinking(
      'First this.',
      {},
      {
        onReasoning: () => {
          calls += 1;
          throw thrown;
        },
      },
    );
    await expect(asked).rejects.toBe(thrown);
    expect(calls).toBe(1);
  });

  test('of a model that was left behind is not heard any more', async () => {
    let late = (): void => undefined;
    const { world, ports } = worldOf([], {});
    const model: ModelAdapter = {
      ...ports.model,
      decide: async (_, { onReasoning }) =>
        new Promise(() => {
          late = () => onReasoning?.('too late');
          onReasoning?.('in time');
          world.clock.advance(10_000);
          world.clock.advance(10_000);
        }),
    };
    const told: string[] = [];
    const run = await startRun({ ...ports, model }, named({ limits: { wallTime: 5_000 }, redact: redactNothing }));
    expect(await run.ask('Go.', { onReasoning: (delta) => told.push(delta) })).toMatchObject({ stop: 'max_wall_time' });
    late();
    expect(told).toEqual(['in time']);
  });
});

describe('an answer that is refused', () => {
  const refused = { finish: 'refused' } as const;

  test('PSA-29: with no decision in it ends the request at once, with what the model said', async () => {
    const { world, ports } = worldOf(['I cannot help with “that”.'], refused);
    const answered = await runAgent('Go.', ports, named());
    expect(answered).toMatchObject({
      stop: 'model_failed',
      degraded: true,
      error: {
        code: 'MODEL_REFUSED',
        message: 'The model “test:replies” refuses to answer. It says “I cannot help with “that”.”.',
      },
    });
    expect(answered.text).toContain('refuses to answer');
    expect(world.model.requests).toHaveLength(1);
    expect(world.types().filter((type) => /^model|rejected/u.test(type))).toEqual([
      'model_requested',
      'model_answered',
      'decision_rejected',
    ]);
    expect(summariseRun(world.events).usage).toMatchObject({ answers: 1, failures: 0, rejected: 1 });
    await expectSame(world);
  });

  test('PSA-29: without a word, says that', async () => {
    const { ports } = worldOf([' '], refused);
    expect((await runAgent('Go.', ports, named())).error?.message).toContain('It says nothing');
  });

  test('PSA-29: with a decision in it is done', async () => {
    const { ports } = worldOf([answer('Done.')], refused);
    expect(await runAgent('Go.', ports, named())).toMatchObject({ text: 'Done.', stop: 'final_answer' });
  });

  test('PSA-29: is asked again where that is wished; so it was of old, and such records replay', async () => {
    const { world, ports } = worldOf(['No.', answer('Done.')], refused);
    expect(await runAgent('Go.', ports, named({ refusals: 'ask-again' }))).toMatchObject({ text: 'Done.' });
    expect(world.of('decision_rejected')).toHaveLength(1);
    const [started] = world.of('run_started');
    const setup =
      started?.options.setup === undefined ? undefined : world.journal.kept.get(started.options.setup.digest);
    expect(new TextDecoder().decode(setup)).not.toContain('refusals');
    await expectSame(world);
  });

  test('has no secret in what is said of it, and a replay comes to the same', async () => {
    const redact = createRedactor({ values: ['hunter2 secret'] });
    const said = `${'No, not with words. '.repeat(24)}the hunter2 secret is yours.`;
    const { world, ports } = worldOf([said], refused);
    await runAgent('Go.', ports, named({ redact }));
    expect(JSON.stringify(world.events)).not.toMatch(/hunter2/u);
    await expectSame(world);
    // What may be the beginning of a secret stands before the cut of the message.
    for (let length = 485; length < 500; length += 1) {
      const begun = worldOf([`${'y'.repeat(length)} hunter2 sea, and more than is told of it.`], refused);
      await runAgent('Go.', begun.ports, named({ redact }));
      await expectSame(begun.world);
    }
  });
});

describe('a request that is too long for its provider', () => {
  const tooLong = new SkillsError('CONTEXT_TOO_LONG', 'The window has 8192 tokens.');
  const much = Array.from({ length: 6 }, () => ({ kind: 'call_tool', tool: 'much', input: {} }) as const);
  const tools = [echoTool('much', { run: () => ({ content: 'is said here. '.repeat(250) }) })];

  test('PSA-38: is made shorter once, and sent again in the same turn', async () => {
    const world = agentWorld([...much, tooLong, answer('Done.')], { tools });
    expect(await runAgent('Go.', world.ports, named())).toMatchObject({ text: 'Done.', stop: 'final_answer' });
    const [compaction] = world.of('context_compacted');
    expect(compaction?.after).toBeLessThanOrEqual((compaction?.before ?? 0) / 2);
    expect(world.types().slice(-9)).toEqual([
      'model_requested',
      'model_failed',
      'context_compacted',
      'model_requested',
      'model_answered',
      'action_started',
      'turn_finished',
      'request_answered',
      'run_finished',
    ]);
    const sizes = world.model.requests.map(({ messages }) => JSON.stringify(messages).length);
    expect(sizes.at(-1)).toBeLessThan((sizes.at(-2) ?? 0) / 2);
    expect(world.of('turn_started')).toHaveLength(7);
    await expectSame(world);
  });

  test('ends the request where it is too long again, or nothing can be left out', async () => {
    const again = agentWorld([...much, tooLong, tooLong, answer('Never.')], { tools });
    expect(await runAgent('Go.', again.ports, named())).toMatchObject({
      stop: 'model_failed',
      error: { code: 'CONTEXT_TOO_LONG' },
    });
    expect(again.model.requests).toHaveLength(8);
    await expectSame(again);
    const short = agentWorld([tooLong, answer('Never.')]);
    expect(await runAgent('Go.', short.ports, named())).toMatchObject({ stop: 'model_failed' });
    expect(short.model.requests).toHaveLength(1);
    await expectSame(short);
  });
});

test('what was kept from now on, and what was thought, counts in the summary of a run, where there is any', async () => {
  const usage = { cacheWriteTokens: 4, reasoningTokens: 3 };
  const world = agentWorld(['No decision.', answer('Done.')], { usage });
  await runAgent('Go.', world.ports, named());
  expect(summariseRun(world.events).usage).toMatchObject({ cacheWriteTokens: 8, reasoningTokens: 6 });
  const none = agentWorld([answer('Done.')]);
  await runAgent('Go.', none.ports, named());
  expect(summariseRun(none.events).usage).not.toHaveProperty('reasoningTokens');
});
