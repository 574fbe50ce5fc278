import { expect, test } from 'vitest';
import { foldEvents } from '../../src/agent/fold-events.js';
import { initialState } from '../../src/agent/initial-state.js';
import { reduceEvent } from '../../src/agent/reduce-event.js';
import { runAgent } from '../../src/agent/run-agent.js';
import { startRun } from '../../src/agent/start-run.js';
import { SkillsError } from '../../src/errors/skills-error.js';
import type { Plan } from '../../src/model/plan.js';
import type { SkillRegistry } from '../../src/registry/skill-registry.js';
import { agentWorld, answer, echoTool, named, select, skillFile } from './agent-world.js';

const files = {
  'pdf/SKILL.md': skillFile('pdf', '# Forms\nRead references/forms.md.'),
  'pdf/references/forms.md': '# Forms\nFill them with care.\n# Other\nNothing.',
};
const loadForms = {
  kind: 'load_resource',
  skill: { name: 'pdf' },
  relative_path: 'references/forms.md',
  section_hint: '# Forms',
} as const;

test('PSA-03: a run goes from its index over decisions, texts, actions and observations to its answer', async () => {
  const world = agentWorld([select('pdf'), loadForms, answer('Done.')], { files });
  const { text, stop, degraded } = await runAgent('Fill the form.', world.ports, named());
  expect({ text, stop, degraded }).toEqual({ text: 'Done.', stop: 'final_answer', degraded: false });
  const phases = [initialState('run').phase];
  let state = initialState('run');
  for (const event of world.events) {
    state = reduceEvent(state, event);
    if (state.phase !== phases.at(-1)) phases.push(state.phase);
  }
  expect(phases).toEqual([
    'init',
    'index_skills',
    'decide',
    'load_skill_body',
    'observe',
    'decide',
    'act',
    'observe',
    'decide',
    'final',
  ]);
  expect(foldEvents(world.events)).toEqual(state);
});

test('PSA-05: each turn has one model call and at most one action, and what is no decision is no action', async () => {
  const two = `${JSON.stringify({ action: select('pdf') })}\n${JSON.stringify({ action: answer('No.') })}`;
  const world = agentWorld(['Certainly! I will use the skill.', two, select('pdf'), answer('Done.')], { files });
  await runAgent('Fill the form.', world.ports, named());
  const turns: string[][] = [];
  for (const { type } of world.events) {
    if (type === 'turn_started') turns.push([]);
    if (type === 'model_requested' || type === 'action_started' || type === 'decision_rejected')
      turns.at(-1)?.push(type);
  }
  expect(turns).toEqual([
    ['model_requested', 'decision_rejected'],
    ['model_requested', 'decision_rejected'],
    ['model_requested', 'action_started'],
    ['model_requested', 'action_started'],
  ]);
  // It is told why, with what it had said.
  expect(world.model.requests[1]?.messages.at(-2)).toMatchObject({
    role: 'assistant',
    content: expect.stringContaining('Certainly'),
  });
  expect(world.model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'observation', ok: false });
  expect(world.model.requests[2]?.messages.at(-1)?.content).toContain('several decisions that differ');
});

test('PSA-06: the state holds request, index, loaded skills, plan, budget and audit', async () => {
  const plan: Plan = { goal: 'A form', steps: [], assumptions: [], constraints: {} };
  const world = agentWorld(
    [{ action: select('pdf'), plan_update: { kind: 'replace', plan } }, loadForms, answer('Done.')],
    { files },
  );
  const { state } = await runAgent('Fill the form.', world.ports, named());
  expect(state).toMatchObject({
    request: { text: 'Fill the form.' },
    index: { skills: 1, hash: (await world.ports.registry.index()).hash },
    activations: [{ name: 'pdf', by: 'model', reason: 'It fits.', turn: 1, location: 'memory:/pdf' }],
    resources: [{ location: 'memory:/pdf', path: 'references/forms.md', section: '# Forms', turn: 2 }],
    plan,
    spent: { turns: 3, toolCalls: 2, tokens: 45, consecutiveFailures: 0 },
    audit: [
      { id: 'a1', turn: 1, action: { kind: 'select_skills' }, ok: true },
      { id: 'a2', turn: 2, action: { kind: 'load_resource' }, ok: true, kept: [{ name: 'references/forms.md' }] },
      { id: 'a3', turn: 3, action: { kind: 'final_answer' }, ok: true },
    ],
    finished: true,
  });
});

test('PSA-07: a plan comes with the first decision, is patched by a later one, and the model reads it as it stands', async () => {
  const plan: Plan = {
    goal: 'A form',
    steps: [{ id: 's1', title: 'Read', status: 'in_progress' }],
    assumptions: [],
    constraints: {},
  };
  const world = agentWorld(
    [
      { action: select('pdf'), plan_update: { kind: 'replace', plan } },
      {
        action: { kind: 'update_plan' },
        plan_update: { kind: 'patch', operations: [{ op: 'set_status', id: 's1', status: 'completed' }] },
      },
      answer('Done.'),
    ],
    { files },
  );
  await runAgent('Fill the form.', world.ports, named());
  expect(world.of('plan_updated').map(({ how, plan: { steps } }) => [how, steps[0]?.status])).toEqual([
    ['replace', 'in_progress'],
    ['patch', 'completed'],
  ]);
  expect(world.model.requests[2]?.messages.at(-1)?.content).toContain('"status":"completed"');
});

test('PSA-07: a patch that does not fit changes nothing and is told, and the action that it came with is done', async () => {
  const patch = { kind: 'patch', operations: [{ op: 'remove_step', id: 's9' }] } as const;
  const world = agentWorld(
    [
      { action: select('pdf'), plan_update: patch },
      { action: { kind: 'update_plan' }, plan_update: patch },
      answer('Done.'),
    ],
    { files },
  );
  const { state } = await runAgent('Fill the form.', world.ports, named());
  expect(state.plan).toBeUndefined();
  expect(world.of('observation_recorded').map(({ ok }) => ok)).toEqual([true, false]);
  expect(world.of('observation_recorded')[0]?.content).toMatch(/The plan was not changed[\s\S]*Read references/u);
});

test('one request follows another in one conversation, with a budget of its own', async () => {
  const world = agentWorld([answer('Blue.'), { kind: 'ask_user', question: 'Which one?' }, answer('Red.')]);
  const run = await startRun(world.ports, named({ limits: { turns: 1 } }));
  expect(await run.ask('Which colour?')).toMatchObject({ text: 'Blue.', stop: 'final_answer' });
  expect(await run.ask('And the other?')).toEqual({ text: 'Which one?', stop: 'question', degraded: false });
  expect(await run.ask('The second.')).toMatchObject({ text: 'Red.' });
  expect(world.model.requests[2]?.messages.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'user',
    'assistant',
    'user',
  ]);
  expect(run.state.totals.turns).toBe(3);
  const finished = await run.finish();
  expect(finished.finished).toBe(true);
  await expect(run.ask('More?')).rejects.toSatisfy((error) => SkillsError.is(error, 'USAGE'));
});

test('while one request is worked on, another one is refused', async () => {
  const world = agentWorld([answer('First.')]);
  const run = await startRun(world.ports, named());
  const first = run.ask('One.');
  await expect(run.ask('Two.')).rejects.toSatisfy((error) => SkillsError.is(error, 'BUSY'));
  await expect(run.finish()).rejects.toSatisfy((error) => SkillsError.is(error, 'BUSY'));
  expect((await first).text).toBe('First.');
});

test('a model that cannot be reached is asked again, and one that refuses its key is not', async () => {
  const flaky = agentWorld([new SkillsError('NETWORK_ERROR', 'Gone.'), answer('Here.')]);
  expect(await runAgent('Hello.', flaky.ports, named())).toMatchObject({ text: 'Here.', stop: 'final_answer' });
  expect(flaky.of('model_failed')).toMatchObject([{ error: { code: 'NETWORK_ERROR', message: 'Gone.' } }]);

  const gone = agentWorld(Array.from({ length: 9 }, () => new SkillsError('TIMEOUT', 'Too slow.')));
  expect(await runAgent('Hello.', gone.ports, named())).toMatchObject({ stop: 'model_failed', degraded: true });
  expect(gone.model.requests).toHaveLength(4);

  const refused = agentWorld([new SkillsError('UNAUTHORIZED', 'No valid key.')]);
  const { text, stop } = await runAgent('Hello.', refused.ports, named());
  expect(stop).toBe('model_failed');
  expect(text).toContain('No valid key.');
  expect(refused.model.requests).toHaveLength(1);

  const broken = agentWorld([new TypeError('x is not a function')]);
  expect(await runAgent('Hello.', broken.ports, named())).toMatchObject({ stop: 'model_failed' });
  expect(broken.of('model_failed')[0]?.error.code).toBe('INTERNAL');
});

test('a record that cannot be written ends everything, and nothing goes into it any more', async () => {
  const tool = echoTool('note', {
    run: () => {
      world.journal.fail(true);
      return {};
    },
  });
  const world = agentWorld([{ kind: 'call_tool', tool: 'note', input: {} }, answer('Done.')], { tools: [tool] });
  const run = await startRun(world.ports, named());
  await expect(run.ask('Note it.')).rejects.toSatisfy((error) => SkillsError.is(error, 'IO_ERROR'));
  const before = world.events.length;
  world.journal.fail(false);
  await expect(run.ask('Again.')).rejects.toSatisfy((error) => SkillsError.is(error, 'IO_ERROR'));
  await run[Symbol.asyncDispose]();
  expect(world.events).toHaveLength(before);
  expect(world.model.requests).toHaveLength(1);
});

test('at the end of each turn the record is on the disk', async () => {
  const synced: number[] = [];
  const world = agentWorld([
    () => {
      synced.push(world.journal.synced);
      return 'nonsense';
    },
    () => {
      synced.push(world.journal.synced);
      return answer('Done.');
    },
  ]);
  await runAgent('Hello.', world.ports, named());
  const ends = world.events.filter(({ type }) => type === 'turn_finished').map(({ seq }) => seq);
  expect(synced).toEqual([1, ends[0]]);
  expect(world.journal.synced).toBe(world.events.length);
});

test('without skills the model is told of none, and the actions about them are not offered', async () => {
  for (const options of [named(), named({ enableSkills: false })]) {
    const world = agentWorld([answer('Done.')], options.enableSkills === false ? { files } : {});
    await runAgent('Hello.', world.ports, options);
    expect(world.model.requests[0]?.actions).toEqual(['update_plan', 'ask_user', 'final_answer']);
    expect(world.model.requests[0]?.system).not.toContain('select_skills');
  }
});

test('a skill that the person names is read before their words, and one that is not there is no request', async () => {
  const world = agentWorld([answer('Done.')], { files });
  const run = await startRun(world.ports, named());
  await expect(run.ask({ text: 'x', skill: 'docx' })).rejects.toSatisfy((error) =>
    SkillsError.is(error, 'SKILL_NOT_FOUND'),
  );
  expect(world.types()).not.toContain('request_received');
  await run.ask({ text: 'Fill it.', skill: 'pdf' });
  const [message] = world.model.requests[0]?.messages ?? [];
  expect(message?.content).toMatch(/Read references\/forms\.md\.[\s\S]*Fill it\./u);
  expect(run.state.activations).toMatchObject([{ name: 'pdf', by: 'user' }]);
});

test('the registry is read anew before each request where that is asked for, and the record says what changed', async () => {
  const growing: Record<string, string> = { ...files };
  const world = agentWorld([answer('One.'), answer('Two.'), answer('Three.')], { files: growing });
  const run = await startRun(world.ports, named({ autoReload: true }));
  await run.ask('First.');
  growing['docx/SKILL.md'] = skillFile('docx', 'Write.');
  await run.ask('Second.');
  await run.ask('Third.');
  expect(world.of('index_changed')).toMatchObject([{ index: { skills: 2 } }]);
  expect(world.model.requests.map(({ system }) => system.includes('docx'))).toEqual([false, true, true]);
});

test('an index that is read anew and is the same is neither redacted nor kept again', async () => {
  const many = Array.from({ length: 50 }, (_, at) => [`made-${at}/SKILL.md`, skillFile(`made-${at}`, 'Do.')] as const);
  const growing: Record<string, string> = Object.fromEntries(many);
  const world = agentWorld([answer('One.'), answer('Two.'), answer('Three.')], { files: growing });
  let indexes = 0;
  const journal = {
    ...world.journal,
    keep: async (bytes: Uint8Array) => {
      if (new TextDecoder().decode(bytes).includes('"skills":[{')) indexes += 1;
      return world.journal.keep(bytes);
    },
  };
  const run = await startRun({ ...world.ports, journal }, named({ autoReload: true, redact: (text) => text }));
  await run.ask('First.');
  await run.ask('Second.');
  expect(indexes).toBe(1);
  growing['docx/SKILL.md'] = skillFile('docx', 'Write.');
  await run.ask('Third.');
  expect(indexes).toBe(2);
  expect(world.of('index_changed')).toMatchObject([{ index: { skills: 51 } }]);
});

test('PSA-28: the index is the one that the run began with, whatever the registry offers meanwhile', async () => {
  const growing: Record<string, string> = { ...files };
  const world = agentWorld(
    [
      async () => {
        growing['docx/SKILL.md'] = skillFile('docx', 'Write.');
        await world.ports.registry.reload();
        return select('docx');
      },
      answer('Done.'),
    ],
    { files: growing },
  );
  await runAgent('Fill the form.', world.ports, named());
  expect(await world.ports.registry.get('docx')).toBeDefined();
  expect(world.of('observation_recorded')[0]?.content).toContain('Available: “pdf”.');
  expect(world.of('run_started')[0]?.index).toMatchObject({ skills: 1 });
  expect(world.model.requests[1]?.system).not.toContain('docx');
});

test('a registry that cannot be read anew offers what it offered before', async () => {
  const world = agentWorld([answer('One.'), answer('Two.')], { files });
  const registry: SkillRegistry = {
    ...world.ports.registry,
    reload: async () => {
      throw new SkillsError('IO_ERROR', 'The disk is gone.');
    },
  };
  const run = await startRun({ ...world.ports, registry }, named({ autoReload: true }));
  expect(await run.ask('Hello.')).toMatchObject({ text: 'One.' });
  expect(world.model.requests[0]?.system).toContain('What pdf is for');
});

test.for(['', 'a/b', '..', 'x'.repeat(129), 'a b'])('a run cannot be called %j', async (id) => {
  await expect(startRun(agentWorld([]).ports, { id })).rejects.toSatisfy((error) => SkillsError.is(error, 'USAGE'));
});
