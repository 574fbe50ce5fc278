import { expect, test } from 'vitest';
import { sha256 } from '../../test/sha256.js';
import { SkillsError } from '../errors/skills-error.js';
import { createSkillRegistry } from './create-skill-registry.js';
import { createSkillView } from './create-skill-view.js';
import { layerRegistries } from './layer-registries.js';
import { memorySkills } from './memory-skills.js';
import type { RegistryChange, SkillRegistry } from './skill-registry.js';

function text(name: string): string {
  return `---\nname: ${name}\ndescription: What ${name} does with files.\n---\n\nDo it.\n`;
}

function registryOf(scope: 'user' | 'builtin', ...names: readonly string[]): SkillRegistry {
  const files = Object.fromEntries(names.map((name) => [`${name}/SKILL.md`, text(name)]));
  return createSkillRegistry(memorySkills(files, { scope, location: `${scope}:` }), { sha256 });
}

test('SAA-16: a skill that is switched off is in no answer of that session, and in every one of others', async () => {
  const registry = registryOf('user', 'notes', 'pdf', 'table');
  const mine = createSkillView(registry, { sha256 });
  const yours = createSkillView(registry, { sha256 });
  const before = await mine.index();
  const pdf = await mine.disable('pdf', { reason: 'It is\u202E wrong.' });
  expect(pdf).toMatchObject({ name: 'pdf' });
  expect((await mine.index()).skills.map(({ name }) => name)).toEqual(['notes', 'table']);
  expect((await mine.index()).hash).not.toBe(before.hash);
  expect(await mine.get('pdf')).toBeUndefined();
  expect(await mine.get({ name: 'pdf', source: 'user' })).toBeUndefined();
  expect(await mine.getByPath(pdf.location)).toBeUndefined();
  expect((await mine.list({})).skills).toHaveLength(2);
  expect((await mine.search('pdf')).map(({ entry }) => entry.name)).not.toContain('pdf');
  expect(await mine.search('files', { limit: 2 })).toHaveLength(2);
  expect([await mine.contains('pdf'), await mine.size(), mine.isDisabled('pdf')]).toEqual([false, 2, true]);
  expect(mine.disabled()).toEqual([{ name: 'pdf', reason: 'It is<U+202E> wrong.', by: 'user' }]);
  const reading = [
    mine.body(pdf),
    mine.read(pdf, 'SKILL.md'),
    mine.files(pdf, {}),
    mine.bytes(pdf, 'SKILL.md', { maxBytes: 9_999 }),
  ];
  for (const one of await Promise.allSettled(reading)) {
    expect(one).toMatchObject({ status: 'rejected', reason: { code: 'SKILL_NOT_FOUND' } });
  }
  expect(await yours.index()).toMatchObject({ hash: before.hash });
  expect((await yours.body(pdf)).skill.name).toBe('pdf');
  expect([yours.isDisabled('pdf'), await yours.contains('pdf'), yours.disabled()]).toEqual([false, true, []]);
  expect((await registry.index()).skills).toHaveLength(3);
});

test('SAA-16: what is switched off stays off when the registry is read anew, and can be switched on again', async () => {
  const view = createSkillView(registryOf('user', 'notes', 'pdf'), { sha256 });
  const { hash } = await view.index();
  await view.disable('pdf');
  expect((await view.reload()).skills.map(({ name }) => name)).toEqual(['notes']);
  await view.disable('pdf', { reason: 'Again.' });
  expect(view.disabled()).toEqual([{ name: 'pdf', reason: 'Again.', by: 'user' }]);
  expect(await view.enable('pdf')).toMatchObject({ name: 'pdf' });
  expect(await view.enable('pdf')).toBeUndefined();
  expect(await view.enable('nothing')).toBeUndefined();
  expect((await view.index()).hash).toBe(hash);
});

test('SAA-16: a model switches on what a model switched off, never what a person did; a person switches on both', async () => {
  const view = createSkillView(registryOf('user', 'notes', 'pdf', 'table'), { sha256 });
  const model = { by: 'model' } as const;
  await view.disable('pdf', { reason: 'Unsafe.' });
  await view.disable('notes', { ...model, reason: 'In the way.' });
  await view.disable('table', model);
  await view.disable('table', { reason: 'Unsafe, too.' });
  // Neither makes it the model's own to name it again, nor another Unicode form.
  await view.disable('pdf', { ...model, reason: 'Mine now.' });
  expect(view.disabled()).toEqual([
    { name: 'notes', reason: 'In the way.', by: 'model' },
    { name: 'pdf', reason: 'Unsafe.', by: 'user' },
    { name: 'table', reason: 'Unsafe, too.', by: 'user' },
  ]);
  for (const name of ['pdf', 'table']) {
    await expect(view.enable(name, model)).rejects.toMatchObject({ code: 'TOOL_NOT_ALLOWED' });
    expect(await view.contains(name)).toBe(false);
  }
  expect(await view.enable('notes', model)).toMatchObject({ name: 'notes' });
  expect(await view.enable('pdf')).toMatchObject({ name: 'pdf' });
});

test('a skill that is not there cannot be switched off, and those that may be meant are told', async () => {
  const view = createSkillView(registryOf('user', 'notes', 'pdf-tools'), { sha256 });
  for (const name of ['pdf-tool', '__proto__', '']) {
    await expect(view.disable(name)).rejects.toSatisfy((error) => SkillsError.is(error, 'SKILL_NOT_FOUND'));
  }
  await expect(view.disable('pdf-tool')).rejects.toMatchObject({ hint: 'There is \u201Cpdf-tools\u201D.' });
  expect(view.disabled()).toEqual([]);
});

test('a name that is off is off for the skills that it shadowed too, in whatever Unicode form it is given', async () => {
  const both = layerRegistries(
    [{ registry: registryOf('user', 'caf\u00E9') }, { registry: registryOf('builtin', 'caf\u00E9') }],
    {
      sha256,
    },
  );
  const view = createSkillView(both, { sha256 });
  await view.disable('cafe\u0301');
  expect(await view.index()).toMatchObject({ skills: [], shadowed: [] });
  expect([view.isDisabled('caf\u00E9'), view.isDisabled('cafe\u0301')]).toEqual([true, true]);
  expect(await view.enable('cafe\u0301')).toMatchObject({ scope: 'user' });
});

test('listeners of a view are told what is switched off and on in it; listeners of others are not', async () => {
  const registry = registryOf('user', 'notes', 'pdf');
  const view = createSkillView(registry, { sha256 });
  const told: RegistryChange[] = [];
  const others: RegistryChange[] = [];
  const other = await registry.subscribe((change) => void others.push(change));
  const subscription = await view.subscribe((change) => void told.push(change));
  await view.disable('pdf');
  await view.index();
  await view.enable('pdf');
  await view.index();
  await subscription[Symbol.asyncDispose]();
  await view.disable('notes');
  await view.index();
  expect(told.map(({ added, removed }) => ({ added, removed }))).toEqual([
    { added: [], removed: ['pdf'] },
    { added: ['pdf'], removed: [] },
  ]);
  await other[Symbol.asyncDispose]();
  expect(others).toEqual([]);
});
