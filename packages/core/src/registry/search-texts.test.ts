import { expect, test } from 'vitest';
import { sha256 } from '../../test/sha256.js';
import { SkillsError } from '../errors/skills-error.js';
import { createSkillRegistry } from './create-skill-registry.js';
import { createSkillView } from './create-skill-view.js';
import { cacheRegistry } from './cache-registry.js';
import { filterRegistry } from './filter-registry.js';
import { layerRegistries } from './layer-registries.js';
import { memorySkills } from './memory-skills.js';
import { prefixRegistry } from './prefix-registry.js';
import type { SkillBackend } from './skill-backend.js';
import type { SkillRegistry } from './skill-registry.js';

function text(name: string, body: string): string {
  return `---\nname: ${name}\ndescription: What it does.\n---\n\n${body}\n`;
}

const files = {
  'first/SKILL.md': text('first', 'Ask for the name of the zeppelin.'),
  'second/SKILL.md': text('second', 'Weigh the anchor.'),
  'late/SKILL.md': text('late', `${'far '.repeat(500)}balloon`),
};

interface World {
  readonly backend: SkillBackend;
  /** The skills whose texts were read, in order. */
  readonly read: string[];
  /** How many were read at once, at the most. */
  most(): number;
}

function world(given: Readonly<Record<string, string>> = files): World {
  const memory = memorySkills(given);
  const read: string[] = [];
  let now = 0;
  let most = 0;
  const backend: SkillBackend = {
    ...memory,
    bytes: async (skill, path, options) => {
      read.push(skill.name);
      now += 1;
      most = Math.max(most, now);
      await Promise.resolve();
      try {
        if (skill.name.startsWith('broken')) throw new SkillsError('IO_ERROR', 'The disk is gone.');
        return await memory.bytes(skill, path, options);
      } finally {
        now -= 1;
      }
    },
  };
  return { backend, read, most: () => most };
}

async function found(registry: SkillRegistry, query: string): Promise<readonly string[]> {
  return (await registry.search(query)).map(({ entry }) => entry.name);
}

test('texts are searched where that is asked for, and nowhere else', async () => {
  const plain = world();
  expect(await found(createSkillRegistry(plain.backend, { sha256 }), 'zeppelin')).toEqual([]);
  expect(plain.read).toEqual([]);
  const { backend, read } = world();
  const registry = createSkillRegistry(backend, { sha256 }, { searchBodies: true });
  await registry.index();
  expect(read).toEqual([]);
  expect(await found(registry, 'zeppelin')).toEqual(['first']);
  expect(await found(registry, 'balloon')).toEqual([]);
});

test('each text is read once an index, however many search, and again with the next index', async () => {
  const given: Record<string, string> = { ...files };
  const { backend, read } = world(given);
  const registry = createSkillRegistry(backend, { sha256 }, { searchBodies: true });
  await Promise.all([found(registry, 'zeppelin'), found(registry, 'anchor'), found(registry, 'x')]);
  expect(read.toSorted()).toEqual(['first', 'late', 'second']);
  given['first/SKILL.md'] = text('first', 'Ask for the name of the airship.');
  expect(await found(registry, 'airship')).toEqual([]);
  await registry.reload();
  expect(await found(registry, 'airship')).toEqual(['first']);
  expect(read).toHaveLength(6);
});

test('a text is read again with the next index also where a backend lists the same entries', async () => {
  const given: Record<string, string> = { ...files };
  const { backend } = world(given);
  const listing = await backend.list({});
  const registry = createSkillRegistry({ ...backend, list: async () => listing }, { sha256 }, { searchBodies: true });
  expect(await found(registry, 'zeppelin')).toEqual(['first']);
  given['first/SKILL.md'] = text('first', 'Ask for the name of the airship.');
  await registry.reload();
  expect(await found(registry, 'airship')).toEqual(['first']);
});

test('a text that cannot be read is passed over, and few are read at once', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [`skill-${at}/SKILL.md`, text(`skill-${at}`, `Number ${at} zeppelin${at}.`)]),
  );
  const { backend, most } = world({ ...many, 'broken/SKILL.md': text('broken', 'zeppelin0') });
  const registry = createSkillRegistry(backend, { sha256 }, { searchBodies: true });
  expect(await found(registry, 'zeppelin0')).toEqual(['skill-0']);
  expect(await found(registry, 'broken')).toEqual(['broken']);
  expect(most()).toBeGreaterThan(1);
  expect(most()).toBeLessThanOrEqual(8);
});

test('of very many skills, the texts of a limited number are read', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 2_100 }, (_, at) => [`skill-${at}/SKILL.md`, text(`skill-${at}`, 'x')]),
  );
  const { backend, read } = world(many);
  const registry = createSkillRegistry(backend, { sha256 }, { searchBodies: true });
  expect(await found(registry, 'skill-2099')).toContain('skill-2099');
  expect(read).toHaveLength(2_000);
});

test('an aborted search ends at once and reads no further; one that waits for the same goes on', async () => {
  const held = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const memory = memorySkills(files);
  const signals: (AbortSignal | undefined)[] = [];
  const backend: SkillBackend = {
    ...memory,
    bytes: async (skill, path, options) => {
      signals.push(options.signal);
      begun.resolve();
      await held.promise;
      return memory.bytes(skill, path, options);
    },
  };
  const registry = createSkillRegistry(backend, { sha256 }, { searchBodies: true });
  const [first, second] = [new AbortController(), new AbortController()];
  const one = registry.search('zeppelin', { signal: first.signal });
  const two = registry.search('zeppelin', { signal: second.signal });
  const three = registry.search('zeppelin');
  await begun.promise;
  first.abort();
  await expect(one).rejects.toSatisfy((error) => SkillsError.is(error, 'INTERRUPTED'));
  held.resolve();
  expect((await two).map(({ entry }) => entry.name)).toEqual(['first']);
  expect(await three).toHaveLength(1);

  const stuck: SkillBackend = {
    ...memory,
    bytes: async (_, __, { signal }) => {
      signals.push(signal);
      return new Promise<never>(() => {});
    },
  };
  const lone = createSkillRegistry(stuck, { sha256 }, { searchBodies: true });
  const alone = new AbortController();
  signals.length = 0;
  const search = lone.search('zeppelin', { signal: alone.signal });
  while (signals.length === 0) await Promise.resolve();
  alone.abort();
  await expect(search).rejects.toSatisfy((error) => SkillsError.is(error, 'INTERRUPTED'));
  expect(signals.every((signal) => signal?.aborted === true)).toBe(true);
});

test('registries made of registries search the texts of those of theirs that do, and of nothing that they hide', async () => {
  const { backend, read } = world();
  const base = createSkillRegistry(backend, { sha256 }, { searchBodies: true });
  const filtered = filterRegistry(base, { sha256 }, { keep: ({ name }) => name !== 'second' });
  expect(await found(filtered, 'anchor')).toEqual([]);
  expect(read.toSorted()).toEqual(['first', 'late']);
  const prefixed = prefixRegistry(base, { sha256 }, { prefix: 'acme-' });
  expect(await found(prefixed, 'zeppelin')).toEqual(['acme-first']);
  const other = createSkillRegistry(
    memorySkills({ 'third/SKILL.md': text('third', 'A zeppelin, too.') }, { location: 'other:' }),
    { sha256 },
  );
  const layered = layerRegistries([{ registry: prefixed }, { registry: other }], { sha256 });
  expect(await found(layered, 'zeppelin')).toEqual(['acme-first']);
  expect(await found(cacheRegistry(layered, { clock: { now: () => 0 } }), 'zeppelin')).toEqual(['acme-first']);
  // What one of them read, the others do not read again.
  expect(read.toSorted()).toEqual(['first', 'late', 'second']);
  const view = createSkillView(base, { sha256 });
  expect(await found(view, 'zeppelin')).toEqual(['first']);
  await view.disable('first');
  expect(await found(view, 'zeppelin')).toEqual([]);
});

test('a search that everybody gave up is not kept: the next one is made anew', async () => {
  const backend = memorySkills({ 'pdf/SKILL.md': '---\nname: pdf\ndescription: x\n---\nAbout giraffes.\n' });
  const controller = new AbortController();
  const registry = createSkillRegistry(
    {
      ...backend,
      bytes: async (...given) => {
        if (controller.signal.aborted) return backend.bytes(...given);
        controller.abort();
        return new Promise<never>(() => undefined);
      },
    },
    { sha256 },
    { searchBodies: true },
  );
  await registry.index();
  const searching = registry.search('giraffes', { signal: controller.signal });
  await expect(searching).rejects.toMatchObject({ code: 'INTERRUPTED' });
  expect((await registry.search('giraffes')).map(({ entry }) => entry.name)).toEqual(['pdf']);
});
