import { expect, test } from 'vitest';
import { sha256 } from '../../test/sha256.js';
import { startRun } from '../agent/start-run.js';
import { createSkillSession } from '../agent/create-skill-session.js';
import { SkillsError } from '../errors/skills-error.js';
import { fakeClock } from '../testing/fake-clock.js';
import { createMemoryJournal } from '../agent/memory-journal.js';
import { cacheRegistry } from './cache-registry.js';
import { createSkillRegistry } from './create-skill-registry.js';
import { layerRegistries } from './layer-registries.js';
import { memorySkills } from './memory-skills.js';
import type { SkillBackend } from './skill-backend.js';
import type { SkillRegistry } from './skill-registry.js';

const good = memorySkills({ 'pdf/SKILL.md': '---\nname: pdf\ndescription: Reads PDF files.\n---\n\nDo it.\n' });
const [pdf] = (await good.list({})).skills;
if (pdf === undefined) throw new Error('it is not there');

const throwing = Object.defineProperty({}, 'skills', {
  get: () => {
    throw new Error('no');
  },
});

const garbage: readonly (readonly [what: string, listing: unknown, said: string])[] = [
  ['nothing', undefined, 'nothing instead of its skills'],
  ['null', null, 'nothing instead of its skills'],
  ['a text', 'pdf', 'a string instead of its skills'],
  ['a list', [pdf], 'an array instead of its skills'],
  ['no skills', {}, 'nothing, not a list, as its skills'],
  ['skills that are no list', { skills: { pdf } }, 'an object, not a list, as its skills'],
  ['a skill that is none', { skills: [pdf, undefined] }, 'nothing as number 2 of its skills'],
  ['a hole', { skills: Array(1) }, 'nothing as number 1 of its skills'],
  ['a name alone', { skills: ['pdf'] }, 'a string as number 1 of its skills'],
  ['a skill without a name', { skills: [{ ...pdf, name: undefined }] }, 'a skill without a name'],
  ['an empty name', { skills: [{ ...pdf, name: '' }] }, 'a skill without a name'],
  ['no location', { skills: [{ ...pdf, location: undefined }] }, '“pdf” with nothing as its location'],
  ['no scope', { skills: [{ ...pdf, scope: undefined }] }, '“pdf” with nothing as its scope'],
  ['another scope', { skills: [{ ...pdf, scope: 'galaxy' }] }, '“pdf” with “galaxy” as its scope'],
  ['a pack that is no text', { skills: [{ ...pdf, pack: 7 }] }, '“pdf” with a number as its pack'],
  ['no head', { skills: [{ ...pdf, head: undefined }] }, '“pdf” with nothing as its head'],
  ['a head without a name', { skills: [{ ...pdf, head: {} }] }, '“pdf” with nothing as the name in its head'],
  [
    'a description that is no text',
    { skills: [{ ...pdf, head: { ...pdf.head, description: 7 } }] },
    '“pdf” with a number as its description',
  ],
  ['shadowed skills that are no list', { skills: [], shadowed: 7 }, 'a number, not a list, as its shadowed skills'],
  ['a shadowed skill that is none', { skills: [], shadowed: [null] }, 'nothing as number 1 of its shadowed skills'],
  ['nobody who shadows', { skills: [], shadowed: [{ entry: pdf }] }, 'a skill that nothing shadows as number 1'],
  ['a shadowed entry that is none', { skills: [], shadowed: [{ by: 'x' }] }, 'nothing as number 1'],
  ['problems that are no list', { skills: [], problems: 'x' }, 'a string, not a list, as its problems'],
  ['a problem that is none', { skills: [], problems: [undefined] }, 'nothing as number 1 of its problems'],
  [
    'a problem without a message',
    { skills: [], problems: [{ code: 'ignored', location: 'x' }] },
    'a problem with nothing as its message',
  ],
  ['skills that throw', throwing, 'skills that cannot be read, “no”'],
  ['an error', { error: new Error('no') }, 'nothing, not a list, as its skills'],
];

/** Somebody's own registry, which answers with it. */
function answering(listing: unknown): SkillRegistry {
  const answer = async (): Promise<never> => listing as never;
  return {
    ...createSkillRegistry(good, { sha256 }),
    kind: 'their own',
    index: answer,
    reload: answer,
    list: answer,
  };
}

function refusal(said: string): (error: unknown) => boolean {
  return (error) =>
    SkillsError.is(error, 'REGISTRY_ERROR') &&
    error.message.includes(`The registry “their own” gave `) &&
    error.message.includes(said);
}

const model = {
  name: 'none',
  contextTokens: 8_000,
  decide: async (): Promise<never> => {
    throw new SkillsError('MODEL_ERROR', 'It is not asked.');
  },
};

test.each(garbage)('a registry that answers with %s is refused by name, whoever asks it', async (_, listing, said) => {
  const registry = answering(listing);
  const clock = fakeClock();
  const ports = { registry, model, journal: createMemoryJournal(sha256), clock, sha256 };
  await expect(startRun(ports, { id: 'run' })).rejects.toSatisfy(refusal(said));
  expect(ports.journal.events).toEqual([]);
  const session = createSkillSession(registry, { sha256 });
  await expect(session.initialise()).rejects.toSatisfy(refusal(said));
  await expect(session.prepare({ system: '', tools: [] })).rejects.toSatisfy(refusal(said));
  const kept = cacheRegistry(registry, { clock });
  await expect(kept.index()).rejects.toSatisfy(refusal(said));
  await expect(kept.get('pdf')).rejects.toSatisfy(refusal(said));
});

test.each(garbage)('a backend that lists %s is refused by name', async (_, listing, said) => {
  const backend: SkillBackend = { ...good, kind: 'their own', list: async () => listing as never };
  const registry = createSkillRegistry(backend, { sha256 });
  await expect(registry.index()).rejects.toSatisfy(refusal(said));
  await expect(registry.list()).rejects.toSatisfy(refusal(said));
});

test.each(garbage)('a layer that answers with %s keeps no other from loading', async (_, listing, said) => {
  const other = createSkillRegistry(good, { sha256 });
  const { skills, problems } = await layerRegistries([{ registry: answering(listing) }, { registry: other }], {
    sha256,
  }).index();
  expect(skills.map(({ name }) => name)).toEqual(['pdf']);
  expect(problems).toMatchObject([{ code: 'unreadable', location: 'their own' }]);
  expect(problems[0]?.message).toContain(said);
});

test('what was good stays where a registry answers with garbage later, in a run and beside it', async () => {
  const registry = createSkillRegistry(good, { sha256 });
  const kept = cacheRegistry({ ...registry, reload: answering(undefined).reload }, { clock: fakeClock() });
  await kept.index();
  const { skills, problems } = await kept.reload();
  expect([skills.map(({ name }) => name), problems.map(({ code }) => code)]).toEqual([['pdf'], ['stale']]);
  const answer = { text: '{"action":{"kind":"final_answer","content":"Done."}}', finish: 'stop' } as const;
  const usage = { inputTokens: 1, outputTokens: 1 };
  const journal = createMemoryJournal(sha256);
  const ports = {
    registry: { ...registry, reload: answering({ skills: [{}] }).reload },
    model: { ...model, decide: async () => ({ ...answer, usage }) },
    journal,
    clock: fakeClock(),
    sha256,
  };
  const run = await startRun(ports, { id: 'run', autoReload: true });
  expect(await run.ask('Do it.')).toMatchObject({ text: 'Done.', stop: 'final_answer' });
  expect(journal.events.map(({ type }) => type)).not.toContain('index_changed');
});

test('a registry without a kind is refused, too', async () => {
  const nameless = { ...answering(undefined), kind: undefined as never };
  await expect(createSkillSession(nameless, { sha256 }).initialise()).rejects.toMatchObject({
    code: 'REGISTRY_ERROR',
    message: 'The registry without a kind gave nothing instead of its skills.',
  });
});

test('a registry that never answers is left behind when the time is up, or the caller has gone', async () => {
  const clock = fakeClock();
  const never = new Promise<never>(() => undefined);
  const silent = { ...answering(undefined), index: async () => never };
  const ports = { registry: silent, model, journal: createMemoryJournal(sha256), clock, sha256 };
  const cancel = new AbortController();
  const waiting = [
    startRun(ports, { id: 'run', limits: { wallTime: 1_000 } }),
    createSkillSession(silent, { sha256 }).initialise({ signal: cancel.signal }),
  ];
  clock.advance(1_000);
  clock.advance(10_000);
  cancel.abort();
  const settled = await Promise.allSettled(waiting);
  expect(settled).toMatchObject([{ reason: { code: 'TIMEOUT' } }, { reason: { code: 'INTERRUPTED' } }]);
});
