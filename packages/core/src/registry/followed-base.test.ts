import { expect, test } from 'vitest';
import { sha256 } from '../../test/sha256.js';
import { SkillsError } from '../errors/skills-error.js';
import { createSkillRegistry } from './create-skill-registry.js';
import { layerRegistries } from './layer-registries.js';
import { memorySkills } from './memory-skills.js';
import type { SkillRegistry } from './skill-registry.js';

interface Place {
  readonly registry: SkillRegistry;
  /** How many watch it now. */
  readonly watches: () => number;
  /** Whether it can be read, and watched. */
  readonly set: (now: { readonly readable?: boolean; readonly watchable?: boolean }) => void;
  readonly put: (name: string) => void;
  /** Tells those who watch. */
  readonly tell: () => void;
}

/** A place of skills that can be away. */
function place(kind: string): Place {
  const files: Record<string, string> = {};
  const watching = new Set<() => void>();
  let state = { readable: false, watchable: true };
  const memory = memorySkills(files, { kind, location: `${kind}:` });
  const registry = createSkillRegistry(
    {
      ...memory,
      list: async (options) => {
        if (state.readable) return memory.list(options);
        throw new SkillsError('IO_ERROR', `${kind} is away.`);
      },
      watch: async (changed) => {
        if (!state.watchable) throw new SkillsError('IO_ERROR', `${kind} cannot be watched.`);
        watching.add(changed);
        return { [Symbol.asyncDispose]: async () => void watching.delete(changed) };
      },
    },
    { sha256 },
  );
  return {
    registry,
    watches: () => watching.size,
    set: (now) => (state = { ...state, ...now }),
    put: (name) => (files[`${name}/SKILL.md`] = `---\nname: ${name}\ndescription: x\n---\n`),
    tell: () => {
      for (const changed of watching) changed();
    },
  };
}

async function listening(
  registry: SkillRegistry,
): Promise<{ readonly told: readonly (readonly string[])[] } & AsyncDisposable> {
  const told: (readonly string[])[] = [];
  const subscription = await registry.subscribe(({ added }) => void told.push(added));
  return { told, [Symbol.asyncDispose]: async () => subscription[Symbol.asyncDispose]() };
}

const here = createSkillRegistry(memorySkills({}), { sha256 });

/** Layers of layers: what is away is away two levels down. */
function nested(base: SkillRegistry): SkillRegistry {
  return layerRegistries([{ registry: layerRegistries([{ registry: base }], { sha256 }) }, { registry: here }], {
    sha256,
  });
}

test.each([
  ['layers', (base: SkillRegistry) => layerRegistries([{ registry: base }, { registry: here }], { sha256 })] as const,
  ['layers of layers', nested] as const,
])(
  'of %s, one that was away when somebody subscribed is followed once its place tells that it is there',
  async (_, over) => {
    const away = place('away');
    const layered = over(away.registry);
    const { told, ...subscription } = await listening(layered);
    away.put('pdf');
    // What happens in a place that is still away changes nothing.
    away.tell();
    expect((await layered.index()).problems).toMatchObject([{ code: 'unreadable' }]);
    away.set({ readable: true });
    away.tell();
    away.tell();
    await expect.poll(() => told).toEqual([['pdf']]);
    expect((await layered.index()).problems).toEqual([]);
    await expect.poll(away.watches).toBe(1);
    away.put('notes');
    away.tell();
    await expect.poll(() => told).toEqual([['pdf'], ['notes']]);
    await subscription[Symbol.asyncDispose]();
    expect(away.watches()).toBe(0);
  },
);

test('a reload follows a layer that nobody could follow before, whether its place tells anything or not', async () => {
  const away = place('away');
  away.set({ watchable: false });
  const layered = layerRegistries([{ registry: away.registry }, { registry: here }], { sha256 });
  const { told, ...subscription } = await listening(layered);
  away.put('pdf');
  await layered.reload();
  expect(away.watches()).toBe(0);
  away.set({ readable: true });
  await layered.reload();
  await expect.poll(() => told).toEqual([['pdf']]);
  expect(away.watches()).toBe(0);
  away.set({ watchable: true });
  await layered.reload();
  await expect.poll(away.watches).toBe(1);
  away.put('notes');
  away.tell();
  await expect.poll(() => told).toEqual([['pdf'], ['notes']]);
  await subscription[Symbol.asyncDispose]();
  expect(away.watches()).toBe(0);
});

test('nobody follows a layer that comes back after the listener has left', async () => {
  const away = place('away');
  const layered = layerRegistries([{ registry: away.registry }, { registry: here }], { sha256 });
  const { told, ...subscription } = await listening(layered);
  expect(away.watches()).toBe(1);
  away.put('pdf');
  away.set({ readable: true });
  // It is being read again when the listener leaves.
  away.tell();
  await subscription[Symbol.asyncDispose]();
  expect((await layered.reload()).skills).toHaveLength(1);
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  expect(told).toEqual([]);
  expect(away.watches()).toBe(0);
});

test('one registry in two layers is followed once', async () => {
  const twice = place('twice');
  twice.set({ readable: true });
  const layers = [{ registry: twice.registry }, { registry: twice.registry, scope: 'user' as const }];
  const { told, ...subscription } = await listening(layerRegistries(layers, { sha256 }));
  expect(twice.watches()).toBe(1);
  twice.put('pdf');
  twice.tell();
  await expect.poll(() => told).toEqual([['pdf']]);
  await subscription[Symbol.asyncDispose]();
  expect(twice.watches()).toBe(0);
});
