import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { continueRun } from '../../src/agent/continue-run.js';
import { formatRunEvent } from '../../src/agent/record/parse-run-event.js';
import { readRunEvents } from '../../src/agent/record/read-run-events.js';
import { replayRun } from '../../src/agent/replay/replay-run.js';
import { startRun } from '../../src/agent/start-run.js';
import type { Digest } from '../../src/digest/is-digest.js';
import { SkillsError } from '../../src/errors/skills-error.js';
import type { AgentAction } from '../../src/model/action.js';
import { createSkillRegistry } from '../../src/registry/create-skill-registry.js';
import { memorySkills } from '../../src/registry/memory-skills.js';
import type { SkillRegistry } from '../../src/registry/skill-registry.js';
import { sha256 } from '../sha256.js';
import { agentWorld, answer, echoTool, named, select, skillFile, type AgentWorld } from './agent-world.js';

const files = {
  'pdf/SKILL.md': skillFile('pdf', 'PDF-BODY', { 'allowed-tools': 'peek' }),
  'own/SKILL.md': skillFile('own', 'OWN-BODY', { 'disable-model-invocation': 'true' }),
};

function disable(name: string): AgentAction {
  return { kind: 'disable_skill', skill: { name }, reason: 'It gets in the way.' };
}

const peek: AgentAction = { kind: 'call_tool', tool: 'peek', input: {} };

/** The record can be read, and comes to the same again. */
async function sound({ events, journal }: AgentWorld): Promise<void> {
  const read = readRunEvents(events.map(formatRunEvent).join(''), { sha256 }, { what: 'it', run: 'run' });
  const kept = async (digest: Digest) => journal.kept.get(digest);
  expect(await replayRun({ events: read.events, kept }, { sha256 })).toMatchObject({ same: true });
}

function switches(world: AgentWorld): readonly unknown[] {
  return world.events.flatMap((event) =>
    event.type === 'skill_disabled' || event.type === 'skill_enabled' ? [[event.type, event.name, event.by]] : [],
  );
}

describe('a skill that a model switched off', () => {
  test('is on again as soon as a person names it, and the record says who did that', async () => {
    const world = agentWorld([disable('pdf'), answer('One.'), answer('Two.')], { files });
    const run = await startRun(world.ports, named());
    await run.ask('One.');
    expect(run.state.disabled).toEqual([{ name: 'pdf', reason: 'It gets in the way.', by: 'model' }]);
    expect(await run.ask({ text: 'Two.', skill: 'pdf' })).toMatchObject({ text: 'Two.' });
    expect(
      world.model.requests
        .at(-1)
        ?.messages.map(({ content }) => content)
        .join('\n'),
    ).toContain('PDF-BODY');
    expect(run.state.disabled).toEqual([]);
    expect(switches(world)).toEqual([
      ['skill_disabled', 'pdf', 'model'],
      ['skill_enabled', 'pdf', 'user'],
    ]);
    await sound(world);
  });

  test('stays off where its text cannot be read when a person names it', async () => {
    const world = agentWorld([disable('pdf'), answer('One.'), select('pdf'), answer('Two.')], { files });
    let broken = false;
    const bytes: SkillRegistry['bytes'] = async (...asked) => {
      if (broken) throw new SkillsError('IO_ERROR', 'The disk is gone.');
      return world.ports.registry.bytes(...asked);
    };
    const run = await startRun({ ...world.ports, registry: { ...world.ports.registry, bytes } }, named());
    await run.ask('One.');
    broken = true;
    const called = run.ask({ text: 'Two.', skill: 'pdf' });
    await expect(called).rejects.toSatisfy((error) => SkillsError.is(error, 'IO_ERROR'));
    await run.ask('Two.');
    expect(world.of('observation_recorded').at(-1)?.content).toContain('switched off');
    expect(switches(world)).toEqual([['skill_disabled', 'pdf', 'model']]);
    await sound(world);
  });

  test('is not one that the model is not offered', async () => {
    const world = agentWorld(
      [disable('own'), disable('none'), disable('pdf'), disable('pdf'), answer('One.'), answer('Two.')],
      {
        files,
      },
    );
    const run = await startRun(world.ports, named({ limits: { consecutiveFailures: 9 } }));
    await run.ask('One.');
    expect(world.of('observation_recorded').map(({ content }) => content.split('.')[0])).toEqual([
      'There is no skill “own”',
      'There is no skill “none”',
      'The skill “pdf” is switched off for this run',
      'The skill “pdf” is switched off already',
    ]);
    expect(await run.ask({ text: 'Two.', skill: 'own' })).toMatchObject({ text: 'Two.' });
    await sound(world);
  });
});

describe('a skill that a person switches off', () => {
  test('takes its tools with it at once, and brings them back', async () => {
    const tool = echoTool('peek');
    const world = agentWorld([select('pdf'), answer('One.'), peek, answer('Two.'), peek, answer('Three.')], {
      files,
      skillTools: [tool],
    });
    const run = await startRun(world.ports, named());
    await run.ask('One.');
    expect(await run.disable('pdf', { reason: 'Not now.' })).toEqual({ name: 'pdf', reason: 'Not now.', by: 'user' });
    await run.ask('Two.');
    const [, , request] = world.model.requests;
    expect(request?.tools).toEqual([]);
    expect(request?.messages.at(-1)?.content).toContain('skills hidden: pdf');
    expect(request?.messages.at(-1)?.content).not.toContain('skills loaded');
    expect(tool.calls).toEqual([]);
    expect(await run.enable('pdf')).toMatchObject({ name: 'pdf' });
    expect(await run.enable('pdf')).toBeUndefined();
    await run.ask('Three.');
    expect(tool.calls).toHaveLength(1);
    await run.finish();
    await sound(world);
  });

  test('is switched on by no model, and is not read for the person either until they switch it on', async () => {
    const world = agentWorld([{ kind: 'enable_skill', skill: { name: 'pdf' } }, select('pdf'), answer('One.')], {
      files,
    });
    const run = await startRun(world.ports, named());
    await run.disable('pdf');
    await run.ask('One.');
    expect(world.of('observation_recorded').map(({ ok }) => ok)).toEqual([false, false]);
    const called = run.ask({ text: 'Two.', skill: 'pdf' });
    await expect(called).rejects.toThrow('The skill “pdf” is switched off in this run.');
    expect(run.state.disabled).toEqual([{ name: 'pdf', reason: undefined, by: 'user' }]);
    await sound(world);
  });

  test('stays theirs after the run was cut off', async () => {
    const world = agentWorld([disable('pdf'), answer('One.')], { files });
    const first = await startRun(world.ports, named({ preload: ['own'] }));
    await first.ask('One.');
    await first.disable('own');
    const again = agentWorld([{ kind: 'enable_skill', skill: { name: 'own' } }, answer('Two.')], { files });
    const ports = { ...again.ports, journal: world.journal };
    const run = await continueRun(world.events, ports, named({ preload: ['own'] }));
    await run.ask('Two.');
    expect(world.of('observation_recorded').at(-1)?.error?.code).toBe('TOOL_NOT_ALLOWED');
    expect(await run.enable('own')).toMatchObject({ by: 'user' });
    expect(await run.enable('pdf')).toMatchObject({ by: 'model' });
    await run.finish();
    await sound(world);
  });

  test('may have come to the registry a moment ago', async () => {
    const source: Record<string, string> = { ...files };
    const memory = memorySkills(source);
    const registry = createSkillRegistry({ ...memory, list: async () => memorySkills(source).list({}) }, { sha256 });
    const world = agentWorld([answer('One.')], { registry });
    const run = await startRun(world.ports, named({ autoReload: true }));
    source['new/SKILL.md'] = skillFile('new', 'NEW-BODY');
    expect(await run.disable('new')).toMatchObject({ name: 'new' });
    expect(world.types()).toEqual(['run_started', 'index_changed', 'skill_disabled']);
    source['newer/SKILL.md'] = skillFile('newer', 'NEWER-BODY');
    await expect(run.disable('none')).rejects.toSatisfy((error) => SkillsError.is(error, 'SKILL_NOT_FOUND'));
    await run.disable('pdf');
    await run.ask('One.');
    await sound(world);
  });

  test('cannot be switched while a request is worked on, nor after the end', async () => {
    const world = agentWorld([() => run.disable('pdf').then(() => answer('Never.')), answer('One.')], { files });
    const run = await startRun(world.ports, named());
    await run.ask('One.');
    expect(world.of('model_failed')[0]?.error.code).toBe('BUSY');
    await run.finish();
    await expect(run.enable('pdf')).rejects.toSatisfy((error) => SkillsError.is(error, 'USAGE'));
  });
});

test('a skill that the registry offers no more takes its tools with it', async () => {
  const tool = echoTool('peek');
  const source: Record<string, string> = { ...files };
  const memory = memorySkills(source);
  const registry = createSkillRegistry({ ...memory, list: async () => memorySkills(source).list({}) }, { sha256 });
  const world = agentWorld([select('pdf'), peek, answer('One.'), peek, answer('Two.')], {
    registry,
    skillTools: [tool],
  });
  const run = await startRun(world.ports, named({ autoReload: true }));
  await run.ask('One.');
  delete source['pdf/SKILL.md'];
  await run.ask('Two.');
  expect(world.model.requests.map(({ tools }) => tools.length)).toEqual([0, 1, 1, 0, 0]);
  expect(tool.calls).toHaveLength(1);
  await sound(world);
});

test('one that is off is off by the name of its pack, too, and the names that there are tell of it', async () => {
  const memory = memorySkills({ 'pdf/SKILL.md': skillFile('pdf', 'PDF-BODY') });
  const list = async () => {
    const { skills } = await memory.list({});
    return { skills: skills.map((entry) => ({ ...entry, pack: 'org/office' })) };
  };
  const registry = createSkillRegistry({ ...memory, list }, { sha256 });
  const world = agentWorld([disable('org/pdf'), select('org/pdf'), select('none'), answer('One.'), answer('Two.')], {
    registry,
  });
  const run = await startRun(world.ports, named());
  await run.ask('One.');
  expect(world.of('observation_recorded').map(({ content }) => content)).toEqual([
    'The skill “pdf” is switched off for this run.',
    'The skill “org/pdf” is switched off. enable_skill brings it back.',
    'There is no skill “none”. No skills are available; switched off: “pdf”.',
  ]);
  const unknown = run.ask({ text: 'Two.', skill: 'none' });
  await expect(unknown).rejects.toMatchObject({ hint: 'There are no skills; switched off: “pdf”.' });
  await run.ask({ text: 'Two.', skill: 'org/pdf' });
  expect(run.state.disabled).toEqual([]);
  expect(await run.disable('org/pdf')).toMatchObject({ name: 'pdf' });
  expect(await run.enable('org/pdf')).toMatchObject({ name: 'pdf' });
  await sound(world);
});

test('a request for a skill that could not be read, made when the index had changed, replays', async () => {
  const source: Record<string, string> = { ...files };
  const memory = memorySkills(source);
  const bytes = async (): Promise<never> => {
    throw new SkillsError('IO_ERROR', 'The disk is gone.');
  };
  const list = async () => memorySkills(source).list({});
  const world = agentWorld([], { registry: createSkillRegistry({ ...memory, list, bytes }, { sha256 }) });
  const run = await startRun(world.ports, named({ autoReload: true }));
  source['new/SKILL.md'] = skillFile('new', 'NEW-BODY');
  await expect(run.ask({ text: 'Go.', skill: 'pdf' })).rejects.toThrow('The disk is gone.');
  expect(world.types()).toEqual(['run_started', 'index_changed', 'skill_read']);
  await sound(world);
});

test('what a person switched off stays off after a crash, also of a skill that was gone meanwhile', async () => {
  const source: Record<string, string> = { ...files };
  const list = async () => memorySkills(source).list({});
  const registry = createSkillRegistry({ ...memorySkills(source), list }, { sha256 });
  const world = agentWorld([answer('One.'), select('pdf'), answer('Two.')], { registry });
  const options = named({ autoReload: true });
  const run = await startRun(world.ports, options);
  await run.disable('pdf');
  const gone = source['pdf/SKILL.md'] ?? '';
  delete source['pdf/SKILL.md'];
  const again = await continueRun(world.events, world.ports, options);
  await again.ask('Go.');
  source['pdf/SKILL.md'] = gone;
  await again.ask('Go on.');
  expect(world.of('skill_activated')).toEqual([]);
  expect(world.of('observation_recorded').at(-1)).toMatchObject({ ok: false, error: { code: 'SKILL_NOT_FOUND' } });
  await sound(world);
});

const name = fc.constantFrom('pdf', 'own', 'extra', 'none');
const step = fc.oneof(
  fc.record({ kind: fc.constant('disable' as const), name }),
  fc.record({ kind: fc.constant('enable' as const), name }),
  fc.record({ kind: fc.constant('call' as const), name }),
  fc.record({
    kind: fc.constantFrom('model disables' as const, 'model enables' as const, 'model selects' as const),
    name,
  }),
  fc.constantFrom({ kind: 'come or go' as const }, { kind: 'break' as const }, { kind: 'cut off' as const }),
);

test('whatever people and models switch, and however the registry changes, it replays, and what is off is in no request', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.boolean(), async (steps, autoReload) => {
      const source: Record<string, string> = { ...files };
      let broken = false;
      const memory = () => memorySkills(source);
      const registry = createSkillRegistry(
        {
          ...memory(),
          list: async () => memory().list({}),
          files: async (skill) => memory().files(skill, {}),
          bytes: async (skill, path, options) => {
            if (broken) throw new SkillsError('IO_ERROR', 'The disk is gone.');
            return memory().bytes(skill, path, options);
          },
        },
        { sha256 },
      );
      const next: AgentAction[] = [];
      const replies = Array.from({ length: 40 }, () => () => next.shift() ?? answer('Done.'));
      const world = agentWorld(replies, { registry, skillTools: [echoTool('peek')] });
      const options = named({ autoReload });
      let run = await startRun(world.ports, options);
      const foreseen = (error: unknown): void => {
        if (!SkillsError.is(error)) throw error;
      };
      for (const one of steps) {
        if (one.kind === 'disable') await run.disable(one.name).catch(foreseen);
        else if (one.kind === 'enable') await run.enable(one.name);
        else if (one.kind === 'call') await run.ask({ text: 'Go.', skill: one.name }).catch(foreseen);
        else if (one.kind === 'break') broken = !broken;
        else if (one.kind === 'cut off') run = await continueRun(world.events, world.ports, options);
        else if (one.kind === 'come or go') {
          if ('extra/SKILL.md' in source) delete source['extra/SKILL.md'];
          else source['extra/SKILL.md'] = skillFile('extra', 'EXTRA-BODY');
        } else {
          if (one.kind === 'model disables') next.push(disable(one.name));
          else if (one.kind === 'model enables') next.push({ kind: 'enable_skill', skill: { name: one.name } });
          else next.push(select(one.name));
          await run.ask('Go.');
          const off = run.state.disabled.some((other) => other.name === 'pdf');
          expect(off && world.model.requests.at(-1)?.tools.length !== 0).toBe(false);
        }
      }
      await sound(world);
    }),
    { numRuns: 150 },
  );
}, 60_000);
