import { expect, test } from 'vitest';
import { sha256 } from '../../test/sha256.js';
import { caught } from '../../test/caught.js';
import { SkillsError } from '../errors/skills-error.js';
import { cacheRegistry } from './cache-registry.js';
import { createSkillRegistry } from './create-skill-registry.js';
import { createSkillView } from './create-skill-view.js';
import { filterRegistry } from './filter-registry.js';
import { layerRegistries } from './layer-registries.js';
import { memorySkills } from './memory-skills.js';
import { prefixRegistry } from './prefix-registry.js';
import type { RegistryOptions } from './skill-backend.js';
import type { SkillIndex } from './skill-entry.js';
import type { SkillRegistry } from './skill-registry.js';

function text(name: string): string {
  return `---\nname: ${name}\ndescription: What ${name} does.\n---\n\nDo it.\n`;
}

function registryOf(scope: 'user' | 'builtin', ...names: readonly string[]): SkillRegistry {
  const files = Object.fromEntries(names.map((name) => [`${name}/SKILL.md`, text(name)]));
  return createSkillRegistry(memorySkills(files, { scope, location: `${scope}:` }), { sha256 });
}

async function offered(registry: SkillRegistry): Promise<readonly string[]> {
  return (await registry.index()).skills.map(({ name }) => name);
}

test('a filter hides a skill from every answer, and lets one that it shadowed take its place', async () => {
  const user = registryOf('user', 'pdf', 'notes');
  const both = layerRegistries([{ registry: user }, { registry: registryOf('builtin', 'pdf') }], { sha256 });
  const registry = filterRegistry(both, { sha256 }, { keep: ({ scope }) => scope === 'builtin' });
  const { skills, shadowed } = await registry.index();
  expect(skills.map(({ location }) => location)).toEqual(['builtin:/pdf']);
  expect(shadowed).toEqual([]);
  const hidden = (await user.get('pdf')) ?? (await user.index()).skills[0];
  if (hidden === undefined) throw new Error('it is not there');
  expect(await registry.get('notes')).toBeUndefined();
  expect(await registry.get({ name: 'pdf', source: 'user' })).toBeUndefined();
  expect(await registry.getByPath('user:/pdf')).toBeUndefined();
  expect(await registry.search('notes')).toEqual([]);
  expect((await registry.list({})).skills).toHaveLength(1);
  await expect(registry.body(hidden)).rejects.toSatisfy((error) => SkillsError.is(error, 'SKILL_NOT_FOUND'));
  expect((await registry.index()).hash).not.toBe((await both.index()).hash);
  expect(await offered(both)).toEqual(['notes', 'pdf']);
});

test('a prefix renames every skill, and the name it gives itself stays in its head', async () => {
  const acme = prefixRegistry(registryOf('user', 'pdf'), { sha256 }, { prefix: 'acme-' });
  const pdf = await acme.get('acme-pdf');
  if (pdf === undefined) throw new Error('it is not there');
  expect(pdf).toMatchObject({ name: 'acme-pdf', location: 'user:/pdf', head: { name: 'pdf' } });
  expect(await acme.get('pdf')).toBeUndefined();
  expect((await acme.search('acme-pdf'))[0]?.matched).toBe('name');
  expect((await acme.body(pdf)).skill.name).toBe('pdf');
  const namespaced = prefixRegistry(registryOf('builtin', 'pdf'), { sha256 }, { prefix: 'acme/' });
  const both = layerRegistries([{ registry: registryOf('user', 'pdf') }, { registry: namespaced }], { sha256 });
  expect(await offered(both)).toEqual(['acme/pdf', 'pdf']);
  expect(await both.get('acme/pdf')).toMatchObject({ scope: 'builtin' });
});

test('every registry is asked without options, and files then have the limit of the registry that reads them', async () => {
  const files = { 'pdf/SKILL.md': text('pdf'), 'pdf/long.md': 'x'.repeat(100) };
  const base = createSkillRegistry(memorySkills(files), { sha256 }, { limits: { fileBytes: 99 } });
  const registries = [
    base,
    filterRegistry(base, { sha256 }, { keep: () => true }),
    layerRegistries([{ registry: base }], { sha256 }),
    cacheRegistry(base, { clock: { now: () => 0 } }),
    createSkillView(base, { sha256 }),
  ];
  for (const registry of registries) {
    const pdf = (await registry.list()).skills[0]!;
    expect((await registry.files(pdf)).map(({ path }) => path)).toEqual(['SKILL.md', 'long.md']);
    expect(new TextDecoder().decode(await registry.bytes(pdf, 'SKILL.md'))).toBe(files['pdf/SKILL.md']);
    await expect(registry.bytes(pdf, 'long.md')).rejects.toSatisfy((error) => SkillsError.is(error, 'FILE_TOO_LARGE'));
    expect(await registry.bytes(pdf, 'long.md', { maxBytes: 100 })).toHaveLength(100);
  }
});

test.each(['', '-', '../', 'a b', 'a\n', 'a..b', '<b>', 'x'.repeat(65)])('no name begins with %j', (prefix) => {
  expect(caught(() => prefixRegistry(registryOf('user'), { sha256 }, { prefix })).code).toBe('USAGE');
});

interface Counted {
  readonly registry: SkillRegistry;
  readonly files: Record<string, string>;
  /** `index` and `reload`, as they were called. */
  readonly calls: string[];
  failing: boolean;
}

function counted(): Counted {
  const files: Record<string, string> = { 'pdf/SKILL.md': text('pdf') };
  const base = createSkillRegistry(memorySkills(files), { sha256 });
  const state: Counted = { files, calls: [], failing: false, registry: base };
  const call =
    (name: 'index' | 'reload') =>
    async (options?: RegistryOptions): Promise<SkillIndex> => {
      state.calls.push(name);
      if (state.failing) throw new SkillsError('NETWORK_ERROR', 'No answer.');
      return base[name](options);
    };
  return Object.assign(state, { registry: { ...base, index: call('index'), reload: call('reload') } });
}

test('a cache reads anew when its time is up, once however many ask', async () => {
  const { registry, files, calls } = counted();
  let now = 1_000;
  const cached = cacheRegistry(registry, { clock: { now: () => now } }, { ttl: 100 });
  expect(await offered(cached)).toEqual(['pdf']);
  files['table/SKILL.md'] = text('table');
  now += 99;
  expect(await offered(cached)).toEqual(['pdf']);
  expect(calls).toEqual(['index']);
  now += 1;
  const [one, ...others] = await Promise.all([
    cached.index(),
    cached.get('table'),
    cached.search('table'),
    cached.index(),
  ]);
  expect(one.skills.map(({ name }) => name)).toEqual(['pdf', 'table']);
  expect(others[0]).toMatchObject({ name: 'table' });
  expect(calls).toEqual(['index', 'reload']);
  // A clock that was put back.
  now = 0;
  await cached.index();
  expect(calls).toEqual(['index', 'reload', 'reload']);
});

test('a reading that was cancelled does not count: the next call reads', async () => {
  const { registry, calls } = counted();
  let hang = true;
  const first: SkillRegistry = {
    ...registry,
    index: async (options) =>
      hang
        ? new Promise<never>((_, reject) => {
            options?.signal?.addEventListener('abort', () => reject(new Error('stopped')));
          })
        : registry.index(options),
  };
  const cached = cacheRegistry(first, { clock: { now: () => 0 } }, { ttl: 100 });
  const controller = new AbortController();
  const reading = cached.index({ signal: controller.signal });
  controller.abort();
  await expect(reading).rejects.toSatisfy((error) => SkillsError.is(error, 'INTERRUPTED'));
  hang = false;
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  expect(await offered(cached)).toEqual(['pdf']);
  // The first reading it was, not one anew.
  expect(calls).toEqual(['index']);
});

test('a cache keeps what was good when reading anew fails, says so, and tries again when the time is up', async () => {
  const state = counted();
  let now = 0;
  const cached = cacheRegistry(state.registry, { clock: { now: () => now } }, { ttl: 100 });
  const { hash } = await cached.index();
  state.failing = true;
  now = 100;
  expect(await cached.index()).toMatchObject({ hash, problems: [{ code: 'stale', location: 'memory' }] });
  now = 150;
  expect((await cached.index()).problems).toHaveLength(1);
  expect(state.calls).toEqual(['index', 'reload']);
  const pdf = await cached.get('pdf');
  if (pdf === undefined) throw new Error('it is not there');
  state.failing = false;
  expect((await cached.body(pdf)).skill.name).toBe('pdf');
  now = 200;
  expect((await cached.index()).problems).toEqual([]);
});

test('a cache that never read anything hands on the error, and is not kept for a negative time', async () => {
  const state = counted();
  state.failing = true;
  const cached = cacheRegistry(state.registry, { clock: { now: () => 0 } });
  await expect(cached.index()).rejects.toThrow('No answer.');
  state.failing = false;
  expect(await offered(cached)).toEqual(['pdf']);
  for (const ttl of [-1, Number.NaN]) {
    expect(caught(() => cacheRegistry(state.registry, { clock: { now: () => 0 } }, { ttl })).code).toBe('USAGE');
  }
});
