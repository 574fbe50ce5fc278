import { expect, test } from 'vitest';
import type { AgentPorts } from '../../src/agent/agent-run.js';
import { startRun } from '../../src/agent/start-run.js';
import { SkillsError } from '../../src/errors/skills-error.js';
import { createSkillRegistry } from '../../src/registry/create-skill-registry.js';
import { memorySkills } from '../../src/registry/memory-skills.js';
import { sha256 } from '../sha256.js';
import { agentWorld, answer, echoTool, named, select, skillFile } from './agent-world.js';

const files = {
  'pdf/SKILL.md': skillFile('pdf', 'PDF-BODY', { 'allowed-tools': 'Look' }),
  'pdf/notes.md': 'NOTES',
  'mail/SKILL.md': skillFile('mail', 'MAIL-BODY'),
};

/** Skills that belong to a pack. */
function packed(): AgentPorts['registry'] {
  const memory = memorySkills(files);
  const list = async () => {
    const { skills } = await memory.list({});
    return { skills: skills.map((entry) => ({ ...entry, pack: 'org/office' })) };
  };
  return createSkillRegistry({ ...memory, list }, { sha256 });
}

test('a run that is left behind ends its record, one that has ended it does not end it twice', async () => {
  const world = agentWorld([answer('Done.')]);
  {
    await using run = await startRun(world.ports, named());
    expect(run.id).toBe('run');
    await run.ask('Go.');
  }
  expect(world.types().at(-1)).toBe('run_finished');
  const run = await startRun(agentWorld([]).ports, named());
  await run.finish();
  await run[Symbol.asyncDispose]();
  await expect(run.ask('More.')).rejects.toSatisfy((error) => SkillsError.is(error, 'USAGE'));
  await expect(run.finish()).rejects.toSatisfy((error) => SkillsError.is(error, 'USAGE'));
});

test('a record that could not be written is told of once: leaving the run behind does not throw again', async () => {
  const world = agentWorld([answer('Done.')]);
  const append: AgentPorts['journal']['append'] = async (event) => {
    if (event.type === 'turn_started') throw new SkillsError('IO_ERROR', 'The disk is full.');
    await world.journal.append(event);
  };
  const run = await startRun({ ...world.ports, journal: { ...world.ports.journal, append } }, named());
  await expect(run.ask('Go.')).rejects.toSatisfy((error) => SkillsError.is(error, 'IO_ERROR'));
  await run[Symbol.asyncDispose]();
  expect(world.types().at(-1)).toBe('request_received');
});

test('a skill of a pack is called, preloaded and selected by the owner of the pack and its name', async () => {
  const world = agentWorld(
    [
      { kind: 'load_resource', skill: { name: 'org/pdf' }, relative_path: 'notes.md' },
      answer('Done.'),
      select('org/pdf'),
      answer('Done.'),
    ],
    { registry: packed(), skillTools: [echoTool('Look')] },
  );
  const run = await startRun(world.ports, named({ preload: [{ name: 'mail', source: 'builtin' }] }));
  await run.ask({ text: 'Read it.', skill: 'org/pdf' });
  const [first] = world.model.requests;
  const [message] = first?.messages ?? [];
  expect(message?.content).toMatch(/MAIL-BODY[\s\S]*<skill_body name="pdf"[\s\S]*PDF-BODY[\s\S]*\n\nRead it\./u);
  expect(first?.tools.map(({ name }) => name)).toEqual(['Look']);
  expect(world.of('observation_recorded')[0]?.content).toContain('NOTES');
  expect(run.state.activations.map(({ name, by }) => [name, by])).toEqual([
    ['mail', 'preload'],
    ['pdf', 'user'],
  ]);
  await run.ask('Again.');
  expect(world.of('observation_recorded')[1]?.content).toContain('active already');
});

test('a skill that is not there is told with those that are; where there is none, that is told', async () => {
  const some = await startRun(agentWorld([], { files }).ports, named());
  await expect(some.ask({ text: 'Go.', skill: 'xls' })).rejects.toMatchObject({
    code: 'SKILL_NOT_FOUND',
    message: 'There is no skill “xls”.',
    hint: 'There is “mail”, “pdf”.',
  });
  const world = agentWorld([]);
  const none = await startRun(world.ports, named());
  await expect(none.ask({ text: 'Go.', skill: 'xls' })).rejects.toMatchObject({ hint: 'There are no skills.' });
  expect(world.of('request_received')).toEqual([]);
});

test('a person who calls a skill that they switched off is told that it is off, not that there is none', async () => {
  const world = agentWorld([answer('Done.'), answer('Done.')], { files });
  const run = await startRun(world.ports, named());
  await run.ask('Go.');
  await run.disable('pdf');
  await expect(run.ask({ text: 'Read it.', skill: 'pdf' })).rejects.toMatchObject({
    code: 'SKILL_NOT_FOUND',
    message: 'The skill “pdf” is switched off in this run.',
    hint: 'Ask for it to be switched on again.',
  });
  await run.ask('Go on.');
  expect(world.of('request_received')).toHaveLength(2);
});

test('the body of an active skill stays in view when the registry does not have it any more; nothing more is read of it', async () => {
  const given: Record<string, string> = { ...files };
  const world = agentWorld(
    [answer('Done.'), { kind: 'load_resource', skill: { name: 'pdf' }, relative_path: 'notes.md' }, answer('Done.')],
    { files: given, skillTools: [echoTool('Look')] },
  );
  const run = await startRun(world.ports, named({ preload: ['pdf'], autoReload: true }));
  await run.ask('First.');
  delete given['pdf/SKILL.md'];
  delete given['pdf/notes.md'];
  await run.ask('Second.');
  const [first, second] = world.model.requests.map(({ messages }) => messages[0]?.content);
  expect(world.of('index_changed')).toHaveLength(1);
  expect(first).toContain('PDF-BODY');
  // The same bytes, up to the state of the run.
  expect(second?.split('\n\n<run_state>')[0]).toBe(first?.split('\n\n<run_state>')[0]);
  expect(world.of('observation_recorded')).toMatchObject([
    { ok: false, error: { code: 'SKILL_NOT_FOUND', message: 'The skill “pdf” is not offered any more.' } },
  ]);
});

test.for(['model', 'tool'] as const)(
  'a %s that says that it was interrupted ends the request as a cancel does',
  async (who) => {
    const interrupted = new SkillsError('INTERRUPTED', 'Somebody pressed a key.');
    const call = { kind: 'call_tool', tool: 'look', input: {} } as const;
    const world = agentWorld([who === 'model' ? interrupted : call, answer('Done.')], {
      tools: [
        echoTool('look', {
          run: () => {
            throw interrupted;
          },
        }),
      ],
    });
    const run = await startRun(world.ports, named());
    expect(await run.ask('Go.')).toMatchObject({ stop: 'cancelled', degraded: true });
    expect(world.model.requests).toHaveLength(1);
  },
);

test('each step is in the record before the next one begins, however slow the disk is', async () => {
  const world = agentWorld(
    [
      {
        action: select('pdf'),
        plan_update: { kind: 'replace', plan: { goal: 'All', steps: [], assumptions: [], constraints: {} } },
      },
      'no decision',
      new SkillsError('NETWORK_ERROR', 'Gone.'),
      { kind: 'disable_skill', skill: { name: 'mail' } },
      { kind: 'enable_skill', skill: { name: 'mail' } },
      { kind: 'call_tool', tool: 'Look', input: {} },
      answer('Done.'),
    ],
    { files, skillTools: [echoTool('Look')] },
  );
  const { append, keep, sync } = world.ports.journal;
  let writing = 0;
  const slow = async <Value>(write: () => Promise<Value>): Promise<Value> => {
    writing += 1;
    expect(writing).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    const value = await write();
    writing -= 1;
    return value;
  };
  const journal: AgentPorts['journal'] = {
    append: async (event) => slow(async () => append(event)),
    keep: async (bytes) => slow(async () => keep(bytes)),
    sync: async () => slow(async () => sync()),
  };
  const model: AgentPorts['model'] = {
    ...world.model,
    decide: async (...given) => {
      expect(writing).toBe(0);
      return world.model.decide(...given);
    },
  };
  const run = await startRun({ ...world.ports, journal, model }, named());
  expect(await run.ask('Go.')).toMatchObject({ text: 'Done.', stop: 'final_answer' });
  expect(world.events.map(({ seq }) => seq)).toEqual(world.events.map((_, at) => at + 1));
  expect(world.journal.synced).toBe(world.events.length);
});
