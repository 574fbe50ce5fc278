import { expect, test } from 'vitest';
import type { UserRequest } from '../../src/agent/run-event.js';
import { formatRunEvent } from '../../src/agent/record/parse-run-event.js';
import { readRunEvents } from '../../src/agent/record/read-run-events.js';
import { replayRun } from '../../src/agent/replay/replay-run.js';
import { continueRun } from '../../src/agent/continue-run.js';
import { startRun } from '../../src/agent/start-run.js';
import type { Digest } from '../../src/digest/is-digest.js';
import { SkillsError } from '../../src/errors/skills-error.js';
import { createSkillRegistry } from '../../src/registry/create-skill-registry.js';
import { layerRegistries } from '../../src/registry/layer-registries.js';
import { memorySkills } from '../../src/registry/memory-skills.js';
import { sha256 } from '../sha256.js';
import { agentWorld, answer, named, skillFile, type AgentWorld } from './agent-world.js';

function twoSources() {
  const of = (scope: 'user' | 'project') =>
    memorySkills({ 'pdf/SKILL.md': skillFile('pdf', `Of the ${scope}.`) }, { scope, location: `${scope}:` });
  const layers = [of('user'), of('project')].map((backend) => ({
    registry: createSkillRegistry(backend, { sha256 }),
    trusted: true,
  }));
  return layerRegistries(layers, { sha256 });
}

/** The record can be read, and comes to the same again. */
async function sound({ events, journal }: AgentWorld): Promise<void> {
  const read = readRunEvents(events.map(formatRunEvent).join(''), { sha256 }, { what: 'it', run: 'run' });
  const kept = async (digest: Digest) => journal.kept.get(digest);
  expect(await replayRun({ events: read.events, kept }, { sha256 })).toMatchObject({ same: true });
}

test.for<readonly [asked: NonNullable<UserRequest['skill']>, body: string]>([
  ['pdf', 'Of the project.'],
  [{ name: 'pdf' }, 'Of the project.'],
  [{ name: 'pdf', source: 'project' }, 'Of the project.'],
  [{ name: 'pdf', source: 'user' }, 'Of the user.'],
])('a person who names %j is given its text, %s', async ([skill, body]) => {
  const world = agentWorld([answer('Done.')], { registry: twoSources() });
  const run = await startRun(world.ports, named());
  await run.ask({ text: 'Go.', skill });
  const [request] = world.model.requests;
  expect(request?.messages[0]?.content.match(/Of the .*\./gu)).toEqual([body]);
  await sound(world);
});

test('each of two requests that name skills of one name is shown with its own', async () => {
  const world = agentWorld([answer('One.'), answer('Two.')], { registry: twoSources() });
  const run = await startRun(world.ports, named());
  await run.ask({ text: 'First.', skill: 'pdf' });
  await run.ask({ text: 'Second.', skill: { name: 'pdf', source: 'user' } });
  const shown = world.model.requests.at(-1)?.messages.filter(({ role }) => role === 'user') ?? [];
  expect(shown.map(({ content }) => /Of the .*\./u.exec(content)?.[0])).toEqual(['Of the project.', 'Of the user.']);
  await sound(world);
});

test.for<readonly [unknown]>([[7], [null], [{}], [{ name: 7 }], [{ name: 'pdf', source: 'nowhere' }], [['pdf']]])(
  'a request whose skill is %j is refused before anything is recorded',
  async ([skill]) => {
    const world = agentWorld([answer('Done.')], { registry: twoSources() });
    const run = await startRun(world.ports, named());
    // Cast: whoever asks may be written in a language without types.
    const asked = run.ask({ text: 'Go.', skill: skill as string });
    await expect(asked).rejects.toSatisfy((error) => SkillsError.is(error, 'USAGE'));
    expect(world.types()).toEqual(['run_started']);
    expect(await run.ask('Then so.')).toMatchObject({ text: 'Done.' });
    await sound(world);
  },
);

test('SPEC-10: a skill that is called again stands in the conversation once, unless it takes the words of the request', async () => {
  const files = {
    'pdf/SKILL.md': skillFile('pdf', 'Of pdf: fill the form.'),
    'mail/SKILL.md': skillFile('mail', 'Of mail: write to $ARGUMENTS.'),
  };
  const world = agentWorld(['One.', 'Two.', 'Three.', 'Four.', 'Five.'].map(answer), { files });
  const run = await startRun(world.ports, named());
  await run.ask({ text: 'a.pdf', skill: 'pdf' });
  await run.ask({ text: 'b.pdf', skill: 'pdf' });
  await run.ask({ text: '', skill: 'pdf' });
  await run.ask({ text: 'ada', skill: 'mail' });
  await run.ask({ text: 'bob', skill: 'mail' });
  const text = (world.model.requests.at(-1)?.messages ?? []).map(({ content }) => content).join('\n');
  expect(text.match(/Of pdf: fill the form\./gu)).toHaveLength(1);
  expect(text).toContain(
    'The skill “pdf” is called again. Its instructions stand above, and hold.</skill_note>\n\nb.pdf',
  );
  expect(text.match(/Of mail: write to .*/gu)).toEqual(['Of mail: write to ada.', 'Of mail: write to bob.']);
  await sound(world);
});

test('SPEC-10: where compaction took out the earlier call, the next one shows the skill again', async () => {
  const files = { 'pdf/SKILL.md': skillFile('pdf', 'Of pdf: fill the form.') };
  const talk = { kind: 'final_answer', content: 'words '.repeat(3_000) } as const;
  const world = agentWorld([talk, talk, answer('Done.')], { files, contextTokens: 8_000 });
  const run = await startRun(world.ports, named());
  for (const text of ['One.', 'Two.', 'Three.']) await run.ask({ text, skill: 'pdf' });
  expect(world.of('context_compacted').length).toBeGreaterThan(0);
  const text = (world.model.requests.at(-1)?.messages ?? []).map(({ content }) => content).join('\n');
  expect(text.match(/Of pdf: fill the form\./gu)).toHaveLength(1);
  await sound(world);
});

test('SKILL_NOT_FOUND names the skill of a source that is not there', async () => {
  const world = agentWorld([], { registry: twoSources() });
  const run = await startRun(world.ports, named());
  const asked = run.ask({ text: 'Go.', skill: { name: 'pdf', source: 'builtin' } });
  await expect(asked).rejects.toSatisfy((error) => SkillsError.is(error, 'SKILL_NOT_FOUND'));
});

test.each([
  ['another one', 'other'],
  ['the same, mended', 'pdf'],
])('a call of a skill that could not be read replays, also with a call of %s behind it', async (_, then) => {
  const source = { 'pdf/SKILL.md': skillFile('pdf', 'Read it.'), 'other/SKILL.md': skillFile('other', 'Look.') };
  const backend = memorySkills(source);
  const bytes: typeof backend.bytes = async (...given) => memorySkills(source).bytes(...given);
  const registry = createSkillRegistry({ ...backend, bytes }, { sha256 });
  const world = agentWorld([answer('One.'), answer('Two.')], { registry });
  const run = await startRun(world.ports, named());
  await run.ask('Go.');
  const good = source['pdf/SKILL.md'];
  source['pdf/SKILL.md'] = 'It is broken.';
  await expect(run.ask({ text: 'Go.', skill: 'pdf' })).rejects.toThrow('pdf/SKILL.md');
  source['pdf/SKILL.md'] = good;
  await run.ask({ text: 'Go.', skill: then });
  await run.finish();
  expect(world.of('skill_activated').map(({ activation }) => activation.name)).toEqual([then]);
  await sound(world);
});

test('a run whose preloaded skill is gone goes on without its text, as with any skill', async () => {
  const source: Record<string, string> = { 'pdf/SKILL.md': skillFile('pdf', 'Read it.') };
  const list = async () => memorySkills(source).list({});
  const registry = createSkillRegistry({ ...memorySkills(source), list }, { sha256 });
  const world = agentWorld([answer('One.'), answer('Two.')], { registry });
  const options = named({ preload: ['pdf'] });
  const run = await startRun(world.ports, options);
  await run.ask('Go.');
  delete source['pdf/SKILL.md'];
  const again = await continueRun(world.events, world.ports, options);
  expect(await again.ask('Go on.')).toMatchObject({ text: 'Two.' });
  await sound(world);
});
