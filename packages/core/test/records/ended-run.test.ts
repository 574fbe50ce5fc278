import { expect, test } from 'vitest';
import { isRunId, replayRun, resumeRun, SkillsError, startRun, summariseRun, type RunEvent } from '../../src/index.js';
import { agentWorld, answer, named, skillFile, type AgentWorld } from '../agent/agent-world.js';
import { sha256 } from '../sha256.js';

const recordOf = ({ journal }: AgentWorld, events: readonly RunEvent[] = [...journal.events]) => ({
  events,
  kept: async (digest: Parameters<typeof journal.kept.get>[0]) => journal.kept.get(digest),
});

test('SAA-27: a run that is finished is not taken up again', async () => {
  const world = agentWorld([answer('One.'), answer('Two.')]);
  const run = await startRun(world.ports, named());
  await run.ask('First?');
  const open = recordOf(world);
  await run.finish();
  const length = world.events.length;
  await expect(resumeRun(recordOf(world), world.ports)).rejects.toSatisfy(
    (error) => SkillsError.is(error, 'USAGE') && error.message.includes('finished') && error.hint !== undefined,
  );
  expect(world.events).toHaveLength(length);
  // One that was answered, and is open, goes on.
  expect(await (await resumeRun(open, world.ports)).ask('Second?')).toMatchObject({ text: 'Two.' });
});

test.each([
  ['is not there', {}, 'SKILL_NOT_FOUND'],
  ['cannot be read', { 'pdf/SKILL.md': skillFile('pdf', 'PDF-BODY') }, 'IO_ERROR'],
] as const)('a run whose preloaded skill %s ends where it began, and its record says so', async (_, more, code) => {
  const files = { 'base/SKILL.md': skillFile('base', 'Always.'), ...more };
  const world = agentWorld([answer('Never.')], { files });
  const { registry } = world.ports;
  const reading: typeof registry.bytes = async (entry, ...rest) => {
    if (entry.name === 'pdf') throw new SkillsError('IO_ERROR', 'It cannot be read.');
    return registry.bytes(entry, ...rest);
  };
  const ports = { ...world.ports, registry: { ...registry, bytes: reading } };
  await expect(startRun(ports, named({ preload: ['base', 'pdf'] }))).rejects.toSatisfy((error) =>
    SkillsError.is(error, code),
  );
  expect(world.types().at(-1)).toBe('run_finished');
  expect(world.journal.synced).toBe(world.events.length);
  expect(summariseRun(world.events)).toMatchObject({ status: 'finished', requests: [], skills: [{ name: 'base' }] });
  expect(await replayRun(recordOf(world), { sha256 })).toMatchObject({ same: true, events: world.events.length });
});

test('a run whose record cannot be written throws what the journal threw, also where a preloaded skill is missing', async () => {
  const world = agentWorld([answer('Never.')], { files: { 'base/SKILL.md': skillFile('base', 'Always.') } });
  const { registry } = world.ports;
  const bytes: typeof registry.bytes = async (...given) => {
    world.journal.fail(true);
    return registry.bytes(...given);
  };
  const ports = { ...world.ports, registry: { ...registry, bytes } };
  await expect(startRun(ports, named({ preload: ['base', 'none'] }))).rejects.toSatisfy(
    (error) => SkillsError.is(error, 'IO_ERROR') && error.message.includes('no room'),
  );
});

test.each([
  'con',
  'CON',
  'prn',
  'aux',
  'nul',
  'NUL',
  'com1',
  'Com9',
  'lpt0',
  'nul.txt',
  '',
  'a/b',
  '-x',
  'x'.repeat(129),
])('no run is called %j, whichever disk its record lies on', async (id) => {
  const world = agentWorld([answer('Never.')]);
  expect(isRunId(id)).toBe(false);
  await expect(startRun(world.ports, { id })).rejects.toSatisfy((error) => SkillsError.is(error, 'USAGE'));
  expect(world.events).toStrictEqual([]);
});

test.each(['console', 'com', 'com12', 'nul-1', '_', 'x'.repeat(128)])('a run may be called %j', async (id) => {
  expect(isRunId(id)).toBe(true);
  expect((await startRun(agentWorld([]).ports, { id })).id).toBe(id);
});

test('a limit that is none is left out of run.json', async () => {
  const world = agentWorld([answer('One.')]);
  const run = await startRun(world.ports, named({ limits: { turns: Infinity, cost: 2 } }));
  await run.ask('First?');
  const { limits } = summariseRun(world.events);
  expect(limits).toStrictEqual({ toolCalls: 30, scripts: 10, cost: 2, wallTime: 600_000, consecutiveFailures: 4 });
});
