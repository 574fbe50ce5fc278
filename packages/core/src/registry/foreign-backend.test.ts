import { expect, test } from 'vitest';
import { sha256 } from '../../test/sha256.js';
import { createSkillRegistry } from './create-skill-registry.js';
import { createSkillView } from './create-skill-view.js';
import { filterRegistry } from './filter-registry.js';
import { layerRegistries } from './layer-registries.js';
import { memorySkills } from './memory-skills.js';
import type { SkillListing } from './skill-backend.js';
import type { SkillEntry } from './skill-entry.js';
import type { SkillRegistry } from './skill-registry.js';

const good = memorySkills({ 'pdf/SKILL.md': '---\nname: pdf\ndescription: x\n---\n' });
const [pdf] = (await good.list({})).skills;
if (pdf === undefined) throw new Error('it is not there');
const composed = 'caf\u00E9';
const decomposed = 'cafe\u0301';

function named(name: string, more: Partial<SkillEntry> = {}): SkillEntry {
  return { ...pdf!, name, location: `place:/${name}`, ...more };
}

/** A registry of what somebody else lists. */
function listing(given: SkillListing): SkillRegistry {
  return createSkillRegistry({ ...good, kind: 'theirs', list: async () => given }, { sha256 });
}

test('a file without a byte is a file, and one counts as executable only where that is said', async () => {
  const files = [
    { path: '.keep', size: 0, executable: false },
    { path: 'SKILL.md', size: 9, executable: 'yes' as never },
    { path: 'run.sh', size: 9, executable: true },
  ];
  const registry = createSkillRegistry({ ...good, files: async () => files }, { sha256 });
  expect(await registry.files(pdf)).toEqual([
    { path: '.keep', size: 0, executable: false },
    { path: 'SKILL.md', size: 9, executable: false },
    { path: 'run.sh', size: 9, executable: true },
  ]);
});

test('what a person is told of skills that nobody trusts holds no control character of their names', async () => {
  const names = ['a\u202Eb\u001B[2J', 'x'.repeat(150)];
  const theirs = listing({ skills: names.map((name) => named(name, { scope: 'project' })) });
  const { problems } = await layerRegistries([{ registry: theirs }], { sha256 }).index();
  expect(problems).toMatchObject([{ code: 'untrusted', location: 'place:' }]);
  expect(problems[0]?.message).toBe(
    `2 skills of a place that is not trusted are left out: a<U+202E>b<U+001B>[2J, ${'x'.repeat(100)}.`,
  );
});

test('what a person is told of a layer that cannot be read holds no password', async () => {
  const far = createSkillRegistry(
    {
      ...good,
      kind: 'far',
      list: async () => {
        throw new Error('GET https://me:secret@host/index?token=abc failed\u202E');
      },
    },
    { sha256 },
  );
  const layers = [{ registry: far }, { registry: listing({ skills: [pdf] }) }];
  const { problems } = await layerRegistries(layers, { sha256 }).index();
  expect(problems.map(({ message }) => message)).toEqual([
    'The skills of “far” cannot be read: “GET https://host/index failed<U+202E>”.',
  ]);
});

test('a registry that is filtered has the words of the one it is made of before it is read, and after', async () => {
  const spoken = { promptTemplate: 'Mine: {skills_list}', loadInstructions: 'Load.' };
  const backend = { ...good, ...spoken };
  const filtered = filterRegistry(createSkillRegistry(backend, { sha256 }), { sha256 }, { keep: () => true });
  expect(filtered).toMatchObject(spoken);
  await filtered.index();
  expect(filtered).toMatchObject(spoken);
});

test('what a backend says has lost stays so in what is made of it, unless the winner is left out', async () => {
  const winner = named('pdf', { scope: 'user', location: 'user:/pdf' });
  const loser = named('pdf', { scope: 'project', location: 'project:/pdf' });
  const theirs = listing({ skills: [winner], shadowed: [{ entry: loser, by: winner.location }] });
  const offered = async (keep: (entry: SkillEntry) => boolean): Promise<unknown> => {
    const { skills, shadowed } = await filterRegistry(theirs, { sha256 }, { keep }).index();
    return [skills.map(({ location }) => location), shadowed.map(({ entry, by }) => [entry.location, by])];
  };
  expect(await offered(() => true)).toEqual([['user:/pdf'], [['project:/pdf', 'user:/pdf']]]);
  expect(await offered(({ scope }) => scope === 'project')).toEqual([['project:/pdf'], []]);
});

test('a skill that lost is said to be shadowed by the one that its name means, in whatever Unicode form', async () => {
  const winner = named(decomposed);
  const shadowed = [{ entry: named(composed, { location: 'place:/other' }), by: 'somewhere else' }];
  const index = await listing({ skills: [winner], shadowed }).index();
  expect(index.shadowed).toMatchObject([{ by: winner.location }]);
});

test('SAA-16: a skill is off by its name in any Unicode form', async () => {
  for (const [name, asked] of [
    [decomposed, composed],
    [composed, decomposed],
  ] as const) {
    const view = createSkillView(listing({ skills: [named(name)] }), { sha256 });
    await view.disable(asked);
    expect([await view.size(), await view.contains(name), view.isDisabled(name)]).toEqual([0, false, true]);
    expect((await view.enable(asked))?.name).toBe(name);
    expect(await view.size()).toBe(1);
  }
});

test('a skill from somewhere else is refused with its name and place, in which nothing is hidden', async () => {
  const stranger = named('odd\u202E', { location: 'else:/odd\n' });
  await expect(listing({ skills: [pdf] }).body(stranger)).rejects.toMatchObject({
    code: 'SKILL_NOT_FOUND',
    message: 'The skill “odd<U+202E>” at “else:/odd ” is not in the index.',
  });
});

test('PSA-02: a skill of another organisation is not the one that is meant, however its name ends', async () => {
  const registry = listing({ skills: [named('pdf', { pack: 'not-acme/tools' })] });
  expect(await registry.get('acme/pdf')).toBeUndefined();
  expect(await registry.get('not-acme/pdf')).toMatchObject({ name: 'pdf' });
});

test('a path with half a character is one that no file has, and the backend is not asked', async () => {
  const asked: string[] = [];
  const registry = createSkillRegistry(
    {
      ...good,
      bytes: async (_, path) => {
        asked.push(path);
        return new Uint8Array();
      },
    },
    { sha256 },
  );
  await expect(registry.read(pdf, 'a\uD800')).rejects.toMatchObject({
    code: 'FILE_NOT_FOUND',
    message: expect.stringContaining('is not valid Unicode') as string,
  });
  expect(asked).toEqual([]);
});

test('an index of the same skills has the same hash, in whatever Unicode form their names are', async () => {
  const hashes = [composed, decomposed].map(
    async (name) => (await listing({ skills: [named(name, { location: 'place:/x' })] }).index()).hash,
  );
  const [one, other] = await Promise.all(hashes);
  expect(one).toBe(other);
});

test('a registry whose texts are not searched offers no way to read them for that, nor does what is made of it', () => {
  const plain = listing({ skills: [pdf] });
  const made = [plain, createSkillView(plain, { sha256 }), layerRegistries([{ registry: plain }], { sha256 })];
  expect(made.map(({ searchText }) => searchText)).toEqual([undefined, undefined, undefined]);
});
