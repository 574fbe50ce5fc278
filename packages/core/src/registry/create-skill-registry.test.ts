import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256 } from '../../test/sha256.js';
import { SkillsError } from '../errors/skills-error.js';
import { parseSkillHead } from '../skill/parse-skill.js';
import { cacheRegistry } from './cache-registry.js';
import { createSkillRegistry } from './create-skill-registry.js';
import { createSkillView } from './create-skill-view.js';
import { memorySkills } from './memory-skills.js';
import type { SkillBackend, SkillListing } from './skill-backend.js';
import type { SkillEntry, SkillIndex } from './skill-entry.js';
import type { RegistryChange } from './skill-registry.js';

function text(name: string, description: string): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\nDo it.\n`;
}

function entry(name: string, more: Partial<SkillEntry> = {}): SkillEntry {
  const parse = parseSkillHead(text(name, `What ${name} does.`));
  if (parse.kind === 'refused') throw new Error('no skill');
  const common = { pack: undefined, packVersion: undefined, digest: undefined, diagnostics: [] };
  return { name, scope: 'user', location: `place:/${name}`, head: parse.skill, ...common, ...more };
}

interface World {
  readonly backend: SkillBackend;
  readonly calls: string[];
  /** What the next lists come to, the last of them from then on. */
  readonly listings: (() => Promise<SkillListing>)[];
  change(): void;
}

function world(...first: SkillEntry[]): World {
  const calls: string[] = [];
  const listings: (() => Promise<SkillListing>)[] = [async () => ({ skills: first })];
  const watching = new Set<() => void>();
  const backend: SkillBackend = {
    kind: 'world',
    list: async () => {
      calls.push('list');
      const next = listings.length > 1 ? listings.shift() : listings[0];
      return (await next?.()) ?? { skills: [] };
    },
    files: async () => [{ path: 'SKILL.md', size: 1, executable: false }],
    bytes: async (skill, path) => {
      calls.push(`bytes ${skill.location} ${path}`);
      return new TextEncoder().encode(text(skill.name, 'x'));
    },
    watch: async (changed) => {
      calls.push('watch');
      watching.add(changed);
      return {
        [Symbol.asyncDispose]: async () => {
          calls.push('unwatch');
          watching.delete(changed);
        },
      };
    },
  };
  return {
    backend,
    calls,
    listings,
    change: () => {
      for (const changed of watching) changed();
    },
  };
}

test('SAA-03: a registry is asked by name, by place, by words, for content, for what it is, and to read anew', async () => {
  const files: Record<string, string> = { 'pdf/SKILL.md': text('pdf', 'Reads PDF files.') };
  const backend: SkillBackend = {
    ...memorySkills(files, { kind: 'bundle', scope: 'user', location: 'bundle:' }),
    loadInstructions: 'Say its name.',
    promptTemplate: '{skills_list}',
  };
  const view = createSkillView(createSkillRegistry(backend, { sha256 }), { sha256 });
  expect(view).toMatchObject({ kind: 'bundle', loadInstructions: 'Say its name.', promptTemplate: '{skills_list}' });
  const pdf = await view.get('pdf');
  if (pdf === undefined) throw new Error('pdf is not there');
  expect(pdf).toMatchObject({ name: 'pdf', scope: 'user', location: 'bundle:/pdf' });
  expect(await view.getByPath('bundle:/pdf/SKILL.md')).toBe(pdf);
  expect(await view.entries()).toEqual([pdf]);
  expect([await view.contains('pdf'), await view.contains('table'), await view.size()]).toEqual([true, false, 1]);
  expect((await view.search('pdf'))[0]?.entry).toBe(pdf);
  expect((await view.body(pdf)).skill.body).toBe('\nDo it.\n');
  expect((await view.read(pdf, 'SKILL.md')).text).toBe(files['pdf/SKILL.md']);
  await view.disable('pdf');
  expect([view.isDisabled('pdf'), await view.contains('pdf'), await view.size()]).toEqual([true, false, 0]);
  files['table/SKILL.md'] = text('table', 'Reads tables.');
  expect((await view.reload()).skills.map(({ name }) => name)).toEqual(['table']);
});

test('SAA-04: skills that are part of a program are found, each folder with a SKILL.md, at places of their own', async () => {
  const registry = createSkillRegistry(
    memorySkills({
      'pdf/SKILL.md': text('pdf', 'Reads PDF files.'),
      'pdf/parts/inner/SKILL.md': text('inner', 'Belongs to pdf.'),
      'office/table/SKILL.md': text('table', 'Reads tables.'),
      'office/table/scripts/run.sh': '#!/bin/sh\n',
      'no-skill/README.md': 'Nothing.',
    }),
    { sha256 },
  );
  const { skills } = await registry.index();
  expect(skills.map(({ name, location, scope }) => [name, location, scope])).toEqual([
    ['pdf', 'memory:/pdf', 'builtin'],
    ['table', 'memory:/office/table', 'builtin'],
  ]);
  const [pdf, table] = skills;
  if (pdf === undefined || table === undefined) throw new Error('they are not there');
  expect(await registry.files(table, {})).toEqual([
    { path: 'SKILL.md', size: 55, executable: false },
    { path: 'scripts/run.sh', size: 10, executable: true },
  ]);
  expect((await registry.read(pdf, 'parts/inner/SKILL.md')).text).toContain('Belongs to pdf.');
});

test.each(['../pdf/SKILL.md', '/pdf/SKILL.md', 'pdf\\SKILL.md', 'pdf//SKILL.md', './pdf/SKILL.md', ''])(
  'skills in memory cannot lie at %j',
  (path) => {
    expect(() => memorySkills({ [path]: 'x' })).toThrow(SkillsError);
  },
);

test('SAA-06: skills are read when they are first asked for; with autoLoad off, not before reload', async () => {
  const on = world(entry('pdf'));
  const registry = createSkillRegistry(on.backend, { sha256 });
  expect(on.calls).toEqual([]);
  expect(await registry.get('pdf')).toMatchObject({ name: 'pdf' });
  expect(on.calls).toEqual(['list']);
  const off = world(entry('pdf'));
  const lazy = createSkillRegistry(off.backend, { sha256 }, { autoLoad: false });
  expect((await lazy.index()).skills).toEqual([]);
  expect(await lazy.get('pdf')).toBeUndefined();
  expect(await lazy.search('pdf')).toEqual([]);
  expect(off.calls).toEqual([]);
  expect((await lazy.reload()).skills.map(({ name }) => name)).toEqual(['pdf']);
  expect(await lazy.get('pdf')).toMatchObject({ name: 'pdf' });
});

test('AGIO-02, SAA-07: skills that cannot be read are told, and the others are offered', async () => {
  const registry = createSkillRegistry(
    memorySkills({
      'bad/SKILL.md': 'no front matter',
      'worse/SKILL.md': new Uint8Array([0xff, 0x00]),
      'pdf/SKILL.md': text('pdf', 'Reads PDF files.'),
    }),
    { sha256 },
  );
  const { skills, problems } = await registry.index();
  expect(skills.map(({ name }) => name)).toEqual(['pdf']);
  expect(problems.map(({ code, location }) => [code, location])).toEqual([
    ['refused', 'memory:/bad'],
    ['refused', 'memory:/worse'],
  ]);
  expect(problems[0]?.message).toContain('front matter');
});

test('PSA-02: of one name the higher scope is offered, the others are reported, and any can be asked for', async () => {
  const project = entry('pdf', { scope: 'project', location: 'place:/project/pdf' });
  const user = entry('pdf', { scope: 'user', location: 'place:/user/pdf', pack: 'acme/documents' });
  const builtin = entry('pdf', { scope: 'builtin', location: 'place:/builtin/pdf', pack: 'skillpack/pdf' });
  const registry = createSkillRegistry(world(builtin, user, project).backend, { sha256 });
  const { skills, shadowed } = await registry.index();
  expect(skills).toEqual([project]);
  expect(shadowed).toEqual([
    { entry: user, by: project.location },
    { entry: builtin, by: project.location },
  ]);
  expect(await registry.get('pdf')).toBe(project);
  expect(await registry.get({ name: 'pdf', source: 'builtin' })).toBe(builtin);
  expect(await registry.get({ name: 'pdf', source: 'other' })).toBeUndefined();
  expect(await registry.get('acme/pdf')).toBe(user);
  expect(await registry.get({ name: 'acme/pdf', source: 'user' })).toBe(user);
  expect(await registry.get({ name: 'acme/pdf', source: 'builtin' })).toBeUndefined();
  expect(await registry.get('skillpack/pdf')).toBe(builtin);
  expect(await registry.get('acm/pdf')).toBeUndefined();
  expect(await registry.getByPath(user.location)).toBe(user);
  expect((await registry.body(builtin)).skill.name).toBe('pdf');
});

test('what a backend says is shadowed stays so, even under a lower scope', async () => {
  const asked = entry('pdf', { scope: 'user' });
  const lost = entry('pdf', { scope: 'project', location: 'place:/project/pdf' });
  const { backend } = world();
  const listing = { skills: [asked], shadowed: [{ entry: lost, by: asked.location }] };
  const registry = createSkillRegistry({ ...backend, list: async () => listing }, { sha256 });
  expect(await registry.index()).toMatchObject({ skills: [asked], shadowed: [{ entry: lost, by: asked.location }] });
  expect(await registry.get('pdf')).toBe(asked);
  expect(await registry.get({ name: 'pdf', source: 'project' })).toBe(lost);
  const twice = { skills: [asked], shadowed: [{ entry: { ...asked, scope: 'other' as const }, by: asked.location }] };
  const again = createSkillRegistry({ ...backend, list: async () => twice }, { sha256 });
  expect(await again.index()).toMatchObject({ skills: [asked], shadowed: [], problems: [] });
});

test('two skills at one place are one; where they differ, that is told', async () => {
  const registry = createSkillRegistry(
    world(entry('pdf'), entry('pdf', { scope: 'project' }), entry('table', { location: 'place:/pdf' })).backend,
    { sha256 },
  );
  const { skills, shadowed, problems } = await registry.index();
  expect(skills).toHaveLength(1);
  expect(shadowed).toEqual([]);
  expect(problems).toMatchObject([{ code: 'ignored', location: 'place:/pdf' }]);
});

test('PSA-28: the hash is that of what is offered, in whatever order and with whatever keys it was listed', async () => {
  const hashOf = async (...entries: SkillEntry[]) =>
    (await createSkillRegistry(world(...entries).backend, { sha256 }).index()).hash;
  const pdf = entry('pdf');
  const table = entry('table');
  const hash = await hashOf(pdf, table);
  expect(await hashOf(table, pdf)).toBe(hash);
  const reversed = Object.fromEntries(Object.entries(pdf.head).toReversed()) as unknown as SkillEntry['head'];
  expect(await hashOf({ ...pdf, head: reversed }, table)).toBe(hash);
  const others: readonly Partial<SkillEntry>[] = [
    { name: 'pdf2' },
    { scope: 'project' },
    { location: 'place:/elsewhere' },
    { pack: 'acme/pdf' },
    { packVersion: '1.0.0' },
    { head: { ...pdf.head, description: 'Something else.' } },
  ];
  const hashes = await Promise.all(others.map(async (other) => hashOf({ ...pdf, ...other }, table)));
  expect(new Set([hash, ...hashes]).size).toBe(others.length + 1);
});

test('SAA-13: an index is kept until it is read anew, and a change is then seen', async () => {
  const { backend, calls, listings } = world(entry('pdf'));
  const registry = createSkillRegistry(backend, { sha256 });
  const before = await registry.index();
  listings.splice(0, 1, async () => ({ skills: [entry('pdf'), entry('table')] }));
  expect(await registry.index()).toBe(before);
  expect(calls).toEqual(['list']);
  expect((await registry.reload()).skills.map(({ name }) => name)).toEqual(['pdf', 'table']);
  expect(await registry.get('table')).toMatchObject({ name: 'table' });
});

test('a reload never takes part in a load that began before it, and shares the one that follows', async () => {
  const { backend, calls, listings } = world();
  const { promise, resolve } = Promise.withResolvers<SkillListing>();
  listings.splice(
    0,
    1,
    async () => promise,
    async () => ({ skills: [entry('new')] }),
  );
  const registry = createSkillRegistry(backend, { sha256 });
  const first = registry.index();
  const reloads = [registry.reload(), registry.reload(), registry.reload()];
  resolve({ skills: [entry('old')] });
  expect((await first).skills.map(({ name }) => name)).toEqual(['old']);
  const [one, ...others] = await Promise.all(reloads);
  expect(one?.skills.map(({ name }) => name)).toEqual(['new']);
  for (const other of others) expect(other).toBe(one);
  expect(calls).toEqual(['list', 'list']);
});

test('however reloads and loads overlap, each reload sees what was so when it was called, and the newest is kept', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(6), { maxLength: 12 }),
      fc.array(fc.nat(6), { maxLength: 12 }),
      async (calls, takes) => {
        let begun = 0;
        const registry = createSkillRegistry(
          {
            ...world().backend,
            list: async () => {
              const number = (begun += 1);
              await ticks(takes[number] ?? 0);
              return { skills: [entry(`s${number}`)] };
            },
          },
          { sha256 },
        );
        const reads: Promise<void>[] = [];
        for (const [at, wait] of calls.entries()) {
          await ticks(wait);
          const before = begun;
          if (at % 3 === 2) reads.push(registry.index().then(() => undefined));
          else reads.push(registry.reload().then((index) => expect(numberOf(index)).toBeGreaterThan(before)));
        }
        await Promise.all(reads);
        if (begun > 0) expect(numberOf(await registry.index())).toBe(begun);
      },
    ),
  );
});

async function ticks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick += 1) await Promise.resolve();
}

function numberOf({ skills }: SkillIndex): number {
  return Number(skills[0]?.name.slice(1));
}

test('when reading anew fails, what was good stays, and is said to be stale until it succeeds', async () => {
  const { backend, listings } = world(entry('pdf'));
  const registry = createSkillRegistry(backend, { sha256 });
  const { hash } = await registry.index();
  const fail = async (): Promise<never> => {
    throw new Error('connect https://user:secret@db.example/ \u001B[31mrefused');
  };
  listings.splice(0, 1, fail, fail, async () => ({ skills: [entry('pdf')] }));
  for (let times = 0; times < 2; times += 1) {
    const stale = await registry.reload();
    expect(stale).toMatchObject({ hash, problems: [{ code: 'stale', location: 'world' }] });
    expect(stale.problems[0]?.message).toContain('refused');
    expect(stale.problems[0]?.message).not.toContain('secret');
    expect(stale.problems[0]?.message).toContain('<U+001B>');
    expect(await registry.get('pdf')).toMatchObject({ name: 'pdf' });
  }
  expect((await registry.reload()).problems).toEqual([]);
});

test('a reload that everybody gave up is no failure: what was good is not said to be stale', async () => {
  const backend = memorySkills({ 'pdf/SKILL.md': '---\nname: pdf\ndescription: x\n---\n' });
  let hang = false;
  const registry = createSkillRegistry(
    {
      ...backend,
      list: async (options) =>
        hang
          ? new Promise<never>((_, reject) => {
              options.signal?.addEventListener('abort', () => reject(new Error('stopped')));
            })
          : backend.list(options),
    },
    { sha256 },
  );
  await registry.index();
  hang = true;
  const controller = new AbortController();
  const reloading = registry.reload({ signal: controller.signal });
  controller.abort();
  await expect(reloading).rejects.toSatisfy((error) => SkillsError.is(error, 'INTERRUPTED'));
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  expect((await registry.index()).problems).toEqual([]);
});

test('a listener whose watch could not begin hears nothing, not even after another could', async () => {
  const files: Record<string, string> = {};
  let broken = true;
  const registry = createSkillRegistry(
    {
      ...memorySkills(files),
      watch: async () => {
        if (broken) throw new SkillsError('IO_ERROR', 'Too many watches.');
        return { [Symbol.asyncDispose]: async () => undefined };
      },
    },
    { sha256 },
  );
  const told: string[] = [];
  await expect(registry.subscribe(() => void told.push('first'))).rejects.toThrow('Too many watches.');
  broken = false;
  const subscription = await registry.subscribe(() => void told.push('second'));
  files['pdf/SKILL.md'] = '---\nname: pdf\ndescription: x\n---\n';
  await registry.reload();
  expect(told).toEqual(['second']);
  await subscription[Symbol.asyncDispose]();
});

test('what a backend says is shadowed is shadowed by the skill that is offered, not by the one it names', async () => {
  const entries = await Promise.all(
    (['user', 'builtin', 'other'] as const).map(async (scope) => {
      const files = { 'pdf/SKILL.md': '---\nname: pdf\ndescription: x\n---\n' };
      const { skills } = await memorySkills(files, { scope, location: `${scope}:` }).list({});
      return skills[0]!;
    }),
  );
  const [user, builtin, other] = entries;
  const listing = { skills: [user!, other!], shadowed: [{ entry: builtin!, by: 'user:/pdf' }] };
  const registry = createSkillRegistry({ ...memorySkills({}), list: async () => listing }, { sha256 });
  const { skills, shadowed } = await registry.index();
  expect(skills).toMatchObject([{ location: 'other:/pdf' }]);
  expect(shadowed.map((one) => [one.entry.location, one.by])).toEqual([
    ['user:/pdf', 'other:/pdf'],
    ['builtin:/pdf', 'other:/pdf'],
  ]);
});

test('when nothing was ever read, the error is thrown, and the next call tries again', async () => {
  const { backend, listings } = world();
  const fail = async (): Promise<never> => {
    throw new SkillsError('IO_ERROR', 'The disk is gone.');
  };
  listings.splice(0, 1, fail, fail, async () => ({ skills: [entry('pdf')] }));
  const registry = createSkillRegistry(backend, { sha256 });
  await expect(registry.get('pdf')).rejects.toThrow('The disk is gone.');
  const lazy = createSkillRegistry(backend, { sha256 }, { autoLoad: false });
  await expect(lazy.reload()).rejects.toThrow('The disk is gone.');
  expect(await registry.get('pdf')).toMatchObject({ name: 'pdf' });
});

test('whoever cancels waits no longer, the others get what they asked for; when all have, the backend is told', async () => {
  const { backend } = world();
  const seen: AbortSignal[] = [];
  const { promise, resolve } = Promise.withResolvers<SkillListing>();
  const slow: SkillBackend = {
    ...backend,
    list: async ({ signal }) => {
      if (signal !== undefined) seen.push(signal);
      return promise;
    },
  };
  const registry = createSkillRegistry(slow, { sha256 });
  const cancelled = new AbortController();
  const first = registry.index({ signal: cancelled.signal });
  const second = registry.index();
  cancelled.abort();
  await expect(first).rejects.toSatisfy((error) => SkillsError.is(error, 'INTERRUPTED'));
  expect(seen[0]?.aborted).toBe(false);
  resolve({ skills: [entry('pdf')] });
  expect((await second).skills).toHaveLength(1);

  seen.splice(0);
  const only = new AbortController();
  const waiting = createSkillRegistry({ ...slow, list: async ({ signal }) => never(seen, signal) }, { sha256 });
  const reading = waiting.index({ signal: only.signal });
  only.abort();
  await expect(reading).rejects.toSatisfy((error) => SkillsError.is(error, 'INTERRUPTED'));
  expect(seen[0]?.aborted).toBe(true);
});

async function never(seen: AbortSignal[], signal: AbortSignal | undefined): Promise<never> {
  if (signal !== undefined) seen.push(signal);
  return new Promise(() => undefined);
}

test('listeners are told of what a watched backend announces; it is watched as long as there are any', async () => {
  const { backend, calls, listings, change } = world(entry('pdf'), entry('table'));
  const registry = createSkillRegistry(backend, { sha256 });
  const told: RegistryChange[] = [];
  const rude = await registry.subscribe(() => {
    throw new Error('a listener of others');
  });
  let tell = (): void => undefined;
  const polite = await registry.subscribe((one) => {
    told.push(one);
    tell();
  });
  expect(calls).toEqual(['list', 'watch']);
  const other = entry('pdf', { head: { ...entry('pdf').head, description: 'Something else.' } });
  listings.splice(0, 1, async () => ({ skills: [entry('notes'), other] }));
  const isTold = new Promise<void>((resolve) => {
    tell = resolve;
  });
  change();
  await isTold;
  expect(told).toMatchObject([{ added: ['notes'], removed: ['table'], changed: ['pdf'] }]);
  expect(await registry.index()).toBe(told[0]?.index);
  await rude[Symbol.asyncDispose]();
  await rude[Symbol.asyncDispose]();
  expect(calls).not.toContain('unwatch');
  await polite[Symbol.asyncDispose]();
  expect(calls.at(-1)).toBe('unwatch');
});

test('PSA-22: a backend is never asked for a path that could lead out, whatever the caller asks for', async () => {
  const component = fc.constantFrom(
    '..',
    '.',
    '',
    'a',
    'SKILL.md',
    '..\\a',
    '\0',
    '\uFF0E\uFF0E',
    '.. ',
    'C:',
    '\uFF0F',
  );
  const asked: string[] = [];
  const { backend } = world(entry('pdf'));
  const bytes: SkillBackend['bytes'] = async (_, path) => {
    asked.push(path);
    throw new SkillsError('FILE_NOT_FOUND', 'It is not there.');
  };
  const registry = createSkillRegistry({ ...backend, bytes }, { sha256 });
  await fc.assert(
    fc.asyncProperty(fc.array(component, { maxLength: 5 }), async (components) => {
      const path = components.join('/');
      const reads = [registry.read(entry('pdf'), path), registry.bytes(entry('pdf'), path, { maxBytes: 9 })];
      for (const one of await Promise.allSettled(reads)) expect(one.status).toBe('rejected');
    }),
    { numRuns: 500 },
  );
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter((path) => !/^(?:a|SKILL\.md)(?:\/(?:a|SKILL\.md|C:))*$/u.test(path))).toEqual([]);
});

test('the backend is asked for what it listed, whatever the caller’s entry says', async () => {
  const { backend, calls } = world(entry('pdf', { location: 'C:\\skills\\pdf' }));
  const registry = createSkillRegistry(backend, { sha256 });
  await registry.body({ ...entry('other'), location: 'C:/skills/pdf/' });
  expect(calls).toEqual(['list', 'bytes C:\\skills\\pdf SKILL.md']);
});

test('an excerpt is as short as a reader wants, in every view of a registry, and never longer than the registry gives', async () => {
  const registry = createSkillRegistry(
    memorySkills({ 'pdf/SKILL.md': text('pdf', 'Reads.'), 'pdf/long.md': 'A line of it.\n'.repeat(100) }),
    { sha256 },
    { limits: { excerptLength: 500 } },
  );
  const view = createSkillView(cacheRegistry(registry, { clock: { now: () => 0 } }), { sha256 });
  const pdf = (await view.get('pdf'))!;
  const lengths = [undefined, 9_000, 100].map(async (excerptLength) => {
    const { text: shown, next } = await view.read(pdf, 'long.md', { excerptLength });
    expect(next?.kind).toBe('lines');
    return shown.length;
  });
  expect(await Promise.all(lengths)).toEqual([490, 490, 98]);
  for (const excerptLength of [0, -1, NaN]) {
    await expect(registry.read(pdf, 'long.md', { excerptLength })).rejects.toMatchObject({ code: 'USAGE' });
  }
});

test('a backend that gives more than it was asked for is held to the limit, and paths nobody can ask for are not told', async () => {
  const { backend } = world(entry('pdf'));
  const greedy: SkillBackend = {
    ...backend,
    bytes: async () => new Uint8Array(2 * 1024 * 1024 + 1),
    files: async () =>
      ['b', '../up', 'a', '/etc/passwd', 'x\0', 'c\\d'].map((path) => ({ path, size: 1, executable: false })),
  };
  const registry = createSkillRegistry(greedy, { sha256 });
  const pdf = entry('pdf');
  await expect(registry.read(pdf, 'a')).rejects.toSatisfy((error) => SkillsError.is(error, 'FILE_TOO_LARGE'));
  await expect(registry.body(pdf)).rejects.toSatisfy((error) => SkillsError.is(error, 'FILE_TOO_LARGE'));
  expect((await registry.files(pdf, {})).map(({ path }) => path)).toEqual(['a', 'b']);
});

test.each<[string, unknown, string]>([
  ['a string', text('pdf', 'Reads PDF files.'), 'gave a string'],
  ['nothing', undefined, 'gave nothing'],
  ['numbers', [35, 32], 'gave an array'],
  ['wider numbers', new Uint16Array(2), 'gave an object'],
])('a backend that gives %s for bytes is told so, with the place', async (_, given, said) => {
  const { backend } = world(entry('pdf'));
  const bytes = async (): Promise<Uint8Array> => given as Uint8Array;
  const registry = createSkillRegistry({ ...backend, bytes }, { sha256 });
  const pdf = entry('pdf');
  for (const asked of [registry.body(pdf), registry.read(pdf, 'SKILL.md')]) {
    const error: unknown = await asked.catch((thrown: unknown) => thrown);
    expect(SkillsError.is(error, 'REGISTRY_ERROR')).toBe(true);
    expect(String(error)).toContain(said);
    expect(String(error)).toContain('“SKILL.md” of the skill “pdf” at “place:/pdf”');
  }
});

test('bytes of another realm are bytes', async () => {
  const { backend } = world(entry('pdf'));
  const content = text('pdf', 'Reads PDF files.');
  const foreign = runInNewContext('new Uint8Array(codes)', { codes: [...content].map((one) => one.charCodeAt(0)) });
  const bytes = async (): Promise<Uint8Array> => foreign as Uint8Array;
  const registry = createSkillRegistry({ ...backend, bytes }, { sha256 });
  expect((await registry.body(entry('pdf'))).skill.description).toBe('Reads PDF files.');
});

test.each<[string, unknown]>([
  ['no list', undefined],
  ['names alone', ['SKILL.md']],
  ['a path that is no string', [{ path: 1, size: 1, executable: false }]],
  ['a size as text', [{ path: 'SKILL.md', size: '1', executable: false }]],
  ['a size that is no number', [{ path: 'SKILL.md', size: Number.NaN, executable: false }]],
  ['a size below nothing', [{ path: 'SKILL.md', size: -1, executable: false }]],
])('a backend that gives %s for files is told so, with the place', async (_, given) => {
  const { backend } = world(entry('pdf'));
  const files = async (): ReturnType<SkillBackend['files']> => given as never;
  const error: unknown = await createSkillRegistry({ ...backend, files }, { sha256 })
    .files(entry('pdf'), {})
    .catch((thrown: unknown) => thrown);
  expect(SkillsError.is(error, 'REGISTRY_ERROR')).toBe(true);
  expect(String(error)).toContain('of the skill “pdf” at “place:/pdf”');
});

test('a file is found by its name in another Unicode form, and a SKILL.md in another case', async () => {
  const { backend } = world(entry('pdf'));
  const files: Record<string, string> = { 'cafe\u0301.md': 'Coffee.', 'skill.md': text('pdf', 'Reads PDF files.') };
  const registry = createSkillRegistry(
    {
      ...backend,
      files: async () => Object.keys(files).map((path) => ({ path, size: 1, executable: false })),
      bytes: async (_, path) => {
        const content = files[path];
        if (content === undefined) throw new SkillsError('FILE_NOT_FOUND', 'It is not there.');
        return new TextEncoder().encode(content);
      },
    },
    { sha256 },
  );
  expect(await registry.read(entry('pdf'), 'caf\u00E9.md')).toMatchObject({ path: 'cafe\u0301.md', text: 'Coffee.' });
  expect((await registry.body(entry('pdf'))).skill.description).toBe('Reads PDF files.');
});
