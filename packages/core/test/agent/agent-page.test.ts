import { expect, test } from 'vitest';
import { continueRun } from '../../src/agent/continue-run.js';
import { runAgent } from '../../src/agent/run-agent.js';
import { startRun } from '../../src/agent/start-run.js';
import { SkillsError } from '../../src/errors/skills-error.js';
import { agentWorld, answer, echoTool, named, select, skillFile, type AgentWorld } from './agent-world.js';

const files = { 'alone/SKILL.md': skillFile('alone', 'ALONE-BODY', { 'run-mode': 'subagent' }) };

test('a request that is cancelled before it is received is none', async () => {
  const world = agentWorld([answer('Done.')], { files });
  const run = await startRun(world.ports, named());
  const asked = run.ask({ text: 'Do it.', skill: 'alone' }, { signal: AbortSignal.abort() });
  await expect(asked).rejects.toSatisfy((error) => SkillsError.is(error, 'INTERRUPTED'));
  expect(world.of('request_received')).toEqual([]);
  expect(await run.ask('Do it.')).toMatchObject({ text: 'Done.' });
});

test('a search finds skills that the catalogue had no room for', async () => {
  const words = 'Does what nobody would think of, in many words, at some length, and with care. '.repeat(4);
  const many = Array.from({ length: 200 }, (_, index) => [
    `skill-${index}/SKILL.md`,
    skillFile(`skill-${index}`, 'Body.', { description: words }),
  ]);
  const zeppelin = { 'zeppelin/SKILL.md': skillFile('zeppelin', 'Body.', { description: 'Steers airships.' }) };
  const world = agentWorld([{ kind: 'search_skills', query: 'airships' }, answer('Done.')], {
    files: { ...Object.fromEntries(many), ...zeppelin },
    contextTokens: 20_000,
  });
  await runAgent('Hello.', world.ports, named());
  expect(world.of('model_requested')[0]?.catalogue.hidden).toBeGreaterThan(0);
  expect(world.model.requests[0]?.system).not.toContain('zeppelin');
  expect(world.of('observation_recorded')[0]?.content).toContain('- zeppelin');
});

test('a skill with run-mode subagent that a person names, or that is preloaded, is read into the run itself', async () => {
  const called = agentWorld([answer('Done.')], { files });
  await (await startRun(called.ports, named())).ask({ text: 'Go.', skill: 'alone' });
  const preloaded = agentWorld([answer('Done.')], { files });
  await runAgent('Go.', preloaded.ports, named({ preload: ['alone'] }));
  for (const { types, model } of [called, preloaded]) {
    expect(types()).not.toContain('subagent_started');
    expect(JSON.stringify(model.requests[0]?.messages)).toContain('ALONE-BODY');
  }
});

test('a child run has the tools that were there from the beginning', async () => {
  const world = agentWorld([select('alone'), answer('Done.'), answer('All.')], { files, tools: [echoTool('read')] });
  await runAgent('Go.', world.ports, named());
  expect(world.model.requests[1]?.tools.map(({ name }) => name)).toEqual(['read']);
});

test('what a run lay still does not count, and a request that is gone on with has what is left of its time', async () => {
  const first: AgentWorld = agentWorld(
    [
      () => {
        first.clock.advance(600);
        return { kind: 'call_tool', tool: 'read', input: {} };
      },
      answer('Never.'),
    ],
    { tools: [echoTool('read')] },
  );
  const options = named({ limits: { wallTime: 1_000 } });
  await runAgent('Go.', first.ports, options);
  const end = first.events.findIndex(({ type }) => type === 'turn_finished') + 1;
  const cut = first.events.slice(0, end);

  const second: AgentWorld = agentWorld([]);
  second.clock.advance(3_600_000);
  for (const event of cut) await second.journal.append(event);
  const model = {
    ...second.ports.model,
    decide: async () => {
      second.clock.advance(400);
      second.clock.advance(3_000);
      return new Promise<never>(() => {});
    },
  };
  const ports = { ...second.ports, model, tools: [echoTool('read')] };
  const run = await continueRun(cut, ports, options);
  expect(run.state.spent.wallTime).toBe(600);
  expect(await run.goOn()).toMatchObject({ stop: 'max_wall_time' });
});

test('the journal is waited for, however long it takes', async () => {
  const world: AgentWorld = agentWorld([answer('Done.')]);
  const journal = {
    ...world.ports.journal,
    sync: async () => {
      world.clock.advance(1_000);
      world.clock.advance(3_000);
      await new Promise((resolve) => setImmediate(resolve));
      await world.journal.sync();
    },
  };
  const run = await startRun({ ...world.ports, journal }, named({ limits: { wallTime: 1_000 } }));
  expect(await run.ask('Go.')).toMatchObject({ stop: 'final_answer', text: 'Done.' });
  expect(world.journal.synced).toBe(world.events.length);
});
