import { expect, test } from 'vitest';
import { sha256 } from '../../test/sha256.js';
import { SkillsError } from '../errors/skills-error.js';
import { fakeClock } from '../testing/fake-clock.js';
import { cacheRegistry } from './cache-registry.js';
import { createSkillRegistry } from './create-skill-registry.js';
import { createSkillView } from './create-skill-view.js';
import { filterRegistry } from './filter-registry.js';
import { layerRegistries, type RegistryLayer } from './layer-registries.js';
import type { SkillScope } from './layer-skills.js';
import { memorySkills } from './memory-skills.js';
import { prefixRegistry } from './prefix-registry.js';
import type { RegistryChange, SkillRegistry } from './skill-registry.js';

function registryOf(scope: SkillScope, names: readonly string[], more: Record<string, string> = {}): SkillRegistry {
  const files = names.map((name): [string, string] => [
    `${name}/SKILL.md`,
    `---\nname: ${name}\ndescription: ${name} of the ${scope}.\n---\n\nOf the ${scope}.\n`,
  ]);
  const backend = memorySkills({ ...Object.fromEntries(files), ...more }, { scope, location: `${scope}:` });
  return createSkillRegistry(backend, { sha256 });
}

const failing: SkillRegistry = createSkillRegistry(
  {
    ...memorySkills({}),
    kind: 'far away',
    list: async () => {
      throw new SkillsError('NETWORK_ERROR', 'No answer.');
    },
  },
  { sha256 },
);

async function offered(registry: SkillRegistry): Promise<readonly string[]> {
  return (await registry.index()).skills.map(({ location }) => location);
}

test('SAA-05, SPEC-10: the skill of a trusted project is offered before that of the user, whatever the order of layers', async () => {
  const project = registryOf('project', ['pdf', 'ours']);
  const user = registryOf('user', ['pdf', 'notes']);
  for (const layers of [
    [{ registry: user }, { registry: project, trusted: true }],
    [{ registry: project, trusted: true }, { registry: user }],
  ]) {
    const registry = layerRegistries(layers, { sha256 });
    expect(await offered(registry)).toEqual(['user:/notes', 'project:/ours', 'project:/pdf']);
    const { shadowed, problems } = await registry.index();
    expect(shadowed).toMatchObject([{ entry: { location: 'user:/pdf' }, by: 'project:/pdf' }]);
    expect(problems).toEqual([]);
    const ofUser = await registry.get({ name: 'pdf', source: 'user' });
    if (ofUser === undefined) throw new Error('it is not there');
    expect((await registry.body(ofUser)).skill.body).toBe('\nOf the user.\n');
    expect((await registry.read(ofUser, 'SKILL.md')).text).toContain('pdf of the user.');
  }
});

test('SPEC-10: skills of a project that nobody trusted are left out, and told of; those of others take their place', async () => {
  const project = registryOf('project', ['pdf', 'ours', 'a', 'b', 'c', 'd', 'e']);
  const user = registryOf('user', ['pdf']);
  const registry = layerRegistries([{ registry: project }, { registry: user }], { sha256 });
  const { skills, shadowed, problems } = await registry.index();
  expect(skills.map(({ location }) => location)).toEqual(['user:/pdf']);
  expect(shadowed).toEqual([]);
  expect(problems).toEqual([
    {
      code: 'untrusted',
      location: 'project:',
      message: '7 skills of a place that is not trusted are left out: a, b, c, d, e and 2 more.',
    },
  ]);
  const [ours] = (await project.index()).skills;
  if (ours === undefined) throw new Error('it is not there');
  expect(await registry.get('ours')).toBeUndefined();
  expect(await registry.get({ name: 'pdf', source: 'project' })).toBeUndefined();
  expect(await registry.getByPath(ours.location)).toBeUndefined();
  await expect(registry.read(ours, 'SKILL.md')).rejects.toSatisfy((error) => SkillsError.is(error, 'SKILL_NOT_FOUND'));
  expect(await registry.search('ours')).toEqual([]);
});

test('SPEC-10: trust is asked of a place that is layered as the project, and may be refused to any other', async () => {
  const gated = layerRegistries([{ registry: registryOf('other', ['pdf']), scope: 'project' }], { sha256 });
  expect(await offered(gated)).toEqual([]);
  const refused = layerRegistries(
    [{ registry: registryOf('user', ['pdf']), trusted: false }, { registry: registryOf('builtin', ['pdf']) }],
    { sha256 },
  );
  expect(await offered(refused)).toEqual(['builtin:/pdf']);
});

test('of a layer of several scopes, only the skills of the project wait for trust', async () => {
  const mixed = layerRegistries(
    [{ registry: registryOf('project', ['pdf']), trusted: true }, { registry: registryOf('user', ['pdf', 'notes']) }],
    { sha256 },
  );
  const { skills, problems } = await layerRegistries([{ registry: mixed }], { sha256 }).index();
  expect(skills.map(({ location }) => location)).toEqual(['user:/notes', 'user:/pdf']);
  expect(problems).toMatchObject([{ code: 'untrusted', location: 'project:' }]);
});

test('PSA-02: within a scope the earlier layer wins, and a layer can be given another scope', async () => {
  const first = registryOf('user', ['pdf']);
  const second = registryOf('other', ['pdf', 'notes']);
  const registry = layerRegistries([{ registry: first }, { registry: second, scope: 'user' }], { sha256 });
  expect(await offered(registry)).toEqual(['other:/notes', 'user:/pdf']);
  const notes = await registry.get('notes');
  if (notes === undefined) throw new Error('it is not there');
  expect(notes.scope).toBe('user');
  expect((await registry.body(notes)).skill.name).toBe('notes');
});

test('the same place in two layers is offered once, and shadows nothing', async () => {
  const user = registryOf('user', ['pdf']);
  const { skills, shadowed, problems } = await layerRegistries(
    [{ registry: user }, { registry: user, scope: 'builtin' }],
    {
      sha256,
    },
  ).index();
  expect(skills).toMatchObject([{ location: 'user:/pdf', scope: 'user' }]);
  expect({ shadowed, problems }).toEqual({ shadowed: [], problems: [] });
});

test('SAA-07: a layer that cannot be read is told of and keeps no other from loading, nor asks again before a reload', async () => {
  let asked = 0;
  let back = false;
  const far = registryOf('other', ['far']);
  const counted: SkillRegistry = {
    ...far,
    kind: 'far away',
    index: async (options) => {
      asked += 1;
      return back ? far.index(options) : failing.index(options);
    },
    reload: async (options) => (back ? far.reload(options) : failing.reload(options)),
  };
  const registry = layerRegistries([{ registry: counted }, { registry: registryOf('user', ['pdf']) }], { sha256 });
  expect((await registry.index()).problems).toMatchObject([
    {
      code: 'unreadable',
      location: 'far away',
      message: 'The skills of \u201Cfar away\u201D cannot be read: \u201CNo answer.\u201D.',
    },
  ]);
  expect(await offered(registry)).toEqual(['user:/pdf']);
  expect(asked).toBe(1);
  expect((await registry.reload()).problems).toHaveLength(1);
  back = true;
  expect((await registry.reload()).problems).toEqual([]);
  expect(await offered(registry)).toEqual(['other:/far', 'user:/pdf']);
});

test('where no layer can be read, the error is thrown; where there is none, nothing is offered', async () => {
  await expect(layerRegistries([{ registry: failing }, { registry: failing }], { sha256 }).index()).rejects.toThrow(
    'No answer.',
  );
  expect(await offered(layerRegistries([], { sha256 }))).toEqual([]);
});

test('problems of the layers are told', async () => {
  const registry = layerRegistries([{ registry: registryOf('user', [], { 'bad/SKILL.md': 'no' }) }], { sha256 });
  expect((await registry.index()).problems).toMatchObject([{ code: 'refused', location: 'user:/bad' }]);
});

function speaking(words: string, registry: SkillRegistry): SkillRegistry {
  return { ...registry, promptTemplate: `${words} {skills_list}`, loadInstructions: `Load with ${words}.` };
}

async function wordsOf(registry: SkillRegistry): Promise<readonly unknown[]> {
  await registry.index().catch(() => undefined);
  const layered = [registry.promptTemplate?.split(' ')[0], registry.loadInstructions?.split(' ')[2]];
  const view = createSkillView(registry, { sha256 });
  const filtered = filterRegistry(registry, { sha256 }, { keep: () => true });
  const kept = cacheRegistry(registry, { clock: fakeClock() });
  for (const one of [view, filtered, kept, prefixRegistry(registry, { sha256 }, { prefix: 'x-' })]) {
    expect([one.promptTemplate, one.loadInstructions]).toEqual([registry.promptTemplate, registry.loadInstructions]);
  }
  return layered;
}

test('SPEC-10: only a layer that was read, and of which nothing is left out for want of trust, has words for the prompt', async () => {
  const user = { registry: speaking('user', registryOf('user', ['pdf'])) };
  const ours = speaking('project', registryOf('project', ['ours']));
  const mixed = layerRegistries([{ registry: ours, trusted: true }, user], { sha256 });
  const cases: readonly (readonly [readonly RegistryLayer[], string | undefined])[] = [
    [[{ registry: ours }, user], 'user'],
    [[{ registry: ours, scope: 'project' }, user], 'user'],
    [[{ registry: ours, trusted: false }, user], 'user'],
    [[{ registry: ours, trusted: true }, user], 'project'],
    [[{ registry: speaking('far', failing) }, user], 'user'],
    [[{ registry: speaking('nothing', registryOf('other', [])) }, user], 'user'],
    [[{ registry: ours }], undefined],
    [[{ registry: speaking('far', failing) }], undefined],
    [[{ registry: mixed }, { registry: speaking('other', registryOf('other', ['pdf'])) }], 'other'],
    [[{ registry: registryOf('other', ['notes']) }, user], 'user'],
  ];
  for (const [layers, expected] of cases) {
    const said = expected === undefined ? undefined : `${expected}.`;
    expect(await wordsOf(layerRegistries(layers, { sha256 }))).toEqual([expected, said]);
  }
});

test('SPEC-10: before anything was read, no layer has words for the prompt; a view made then has them afterwards', async () => {
  const registry = layerRegistries([{ registry: speaking('user', registryOf('user', ['pdf'])) }], { sha256 });
  const view = createSkillView(registry, { sha256 });
  expect([registry.promptTemplate, registry.loadInstructions, view.promptTemplate]).toEqual(Array(3).fill(undefined));
  await view.index();
  expect([view.promptTemplate, view.loadInstructions]).toEqual(['user {skills_list}', 'Load with user.']);
});

test('SAA-07: listeners are told of the layers that can be read, whether another one can or not', async () => {
  const files: Record<string, string> = {};
  const user = createSkillRegistry(memorySkills(files, { scope: 'user' }), { sha256 });
  const registry = layerRegistries([{ registry: user }, { registry: failing }], { sha256 });
  const told: RegistryChange[] = [];
  const subscription = await registry.subscribe((change) => void told.push(change));
  files['pdf/SKILL.md'] = '---\nname: pdf\ndescription: x\n---\n';
  await user.reload();
  await expect.poll(() => told.map(({ added }) => added)).toEqual([['pdf']]);
  // A change that is being looked at when the listener leaves is none of its business.
  const leaving = await user.subscribe(() => void subscription[Symbol.asyncDispose]());
  files['notes/SKILL.md'] = '---\nname: notes\ndescription: x\n---\n';
  await user.reload();
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  expect(told).toHaveLength(1);
  await leaving[Symbol.asyncDispose]();
  await expect(layerRegistries([{ registry: failing }], { sha256 }).subscribe(() => undefined)).rejects.toThrow(
    'No answer.',
  );
});

test('SAA-07: a layer that says it was interrupted, though nobody did, is a problem; an abort is thrown', async () => {
  const saying: SkillRegistry = createSkillRegistry(
    {
      ...memorySkills({}),
      kind: 'far away',
      list: async () => {
        throw new SkillsError('INTERRUPTED', 'I had enough.');
      },
    },
    { sha256 },
  );
  const registry = layerRegistries([{ registry: registryOf('user', ['pdf']) }, { registry: saying }], { sha256 });
  expect((await registry.index()).problems).toMatchObject([{ code: 'unreadable', location: 'far away' }]);
  expect(await offered(registry)).toEqual(['user:/pdf']);

  const controller = new AbortController();
  const hanging: SkillRegistry = createSkillRegistry(
    {
      ...memorySkills({}),
      list: async () => {
        if (controller.signal.aborted) return { skills: [] };
        // Once the other layer was read.
        setImmediate(() => controller.abort());
        return new Promise<never>(() => undefined);
      },
    },
    { sha256 },
  );
  const aborted = layerRegistries([{ registry: registryOf('user', ['pdf']) }, { registry: hanging }], { sha256 });
  await expect(aborted.reload({ signal: controller.signal })).rejects.toMatchObject({ code: 'INTERRUPTED' });
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  expect((await aborted.index()).problems).toEqual([]);
});
