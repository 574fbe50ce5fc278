import { createHash } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  createSkillRegistry,
  formatReceipt,
  SkillsError,
  type Digest,
  type PackName,
  type RegistryChange,
  type SkillRegistry,
} from '@skillpack/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { folderSkills, type FolderSkillsPorts } from './folder-skills.js';
import type { FolderSkillsOptions } from './folder-skills-options.js';
import type { SkillRoot } from './scan-report.js';

let base = '';
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'skillpack-folders-')));
});
afterEach(() => {
  rmSync(base, { recursive: true, force: true });
});

function put(path: string, text: string): void {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
}

function putSkill(path: string, description: string = 'd', body: string = 'Body.'): void {
  put(`${path}/SKILL.md`, `---\nname: ${path.split('/').at(-1)}\ndescription: ${description}\n---\n${body}\n`);
}

function root(path: string, scope: SkillRoot['scope'] = 'project'): SkillRoot {
  return { path: join(base, path), scope };
}

function sha256(data: Uint8Array | string): Digest {
  return `sha256:${createHash('sha256').update(data).digest('hex')}` as Digest;
}

function registryOf(
  roots: readonly SkillRoot[],
  options: FolderSkillsOptions = {},
  ports: FolderSkillsPorts = performance,
): SkillRegistry {
  return createSkillRegistry(folderSkills(roots, ports, options), { sha256 });
}

async function namesIn(registry: SkillRegistry): Promise<readonly string[]> {
  return (await registry.index()).skills.map(({ name, scope }) => `${name} ${scope}`);
}

test('SAA-05: of two skills of one name the project’s is offered; the user’s is there all the same, and said to be hidden', async () => {
  putSkill('user/pdf', 'of the user');
  putSkill('user/csv');
  putSkill('project/pdf', 'of the project');
  const registry = registryOf([root('user', 'user'), root('project')]);
  expect(await namesIn(registry)).toEqual(['csv user', 'pdf project']);
  const { shadowed } = await registry.index();
  expect(shadowed).toMatchObject([
    { entry: { name: 'pdf', scope: 'user', location: join(base, 'user/pdf') }, by: join(base, 'project/pdf') },
  ]);
  const hidden = await registry.get({ name: 'pdf', source: 'user' });
  expect(hidden?.head.description).toBe('of the user');
  expect((await registry.body(hidden!)).skill.body).toContain('Body.');
});

test('AGIO-02: skills are found in many folders, one bad one keeps no other out, and reading again finds what is new', async () => {
  putSkill('one/pdf');
  put('one/bad/SKILL.md', 'no front matter');
  putSkill('two/csv');
  const registry = registryOf([root('one'), root('two', 'user')]);
  expect(await namesIn(registry)).toEqual(['csv user', 'pdf project']);
  expect((await registry.index()).problems).toMatchObject([{ code: 'refused', location: join(base, 'one/bad') }]);
  putSkill('two/notes');
  expect(await namesIn(registry)).toEqual(['csv user', 'pdf project']);
  expect((await registry.reload()).skills.map(({ name }) => name)).toEqual(['csv', 'notes', 'pdf']);
  expect((await registry.get('notes'))?.head.description).toBe('d');
});

test('H9-07, SAA-07: a root that is not there is silent, unless somebody named it; one that is a file is a problem', async () => {
  put('file', 'text');
  expect(await registryOf([root('nowhere')]).index()).toMatchObject({ skills: [], problems: [] });
  const { problems } = await registryOf([{ ...root('nowhere'), named: true }, root('file')]).index();
  expect(problems).toMatchObject([
    { code: 'missing', location: join(base, 'nowhere') },
    { code: 'unreadable', location: join(base, 'file') },
  ]);
});

test('H9-01: in skills/ of the working folder, a skill that says no name has the name of its folder', async () => {
  put('skills/pdf/SKILL.md', '---\ndescription: d\n---\n');
  putSkill('skills/csv');
  expect(await namesIn(registryOf([root('skills')]))).toEqual(['csv project', 'pdf project']);
});

test('H9-08: a folder without a SKILL.md is passed over with a word', async () => {
  putSkill('skills/csv');
  put('skills/empty/notes.txt', '');
  expect((await registryOf([root('skills')]).index()).problems).toMatchObject([
    { code: 'ignored', location: join(base, 'skills/empty') },
  ]);
});

test('SAA-01: the files of a skill are listed and read, in folders of any name', async () => {
  putSkill('root/pdf');
  put('root/pdf/custom-scripts/run.sh', 'echo');
  put('root/pdf/references/forms.md', '# Forms\n');
  const registry = registryOf([root('root')]);
  const pdf = (await registry.get('pdf'))!;
  expect((await registry.files(pdf, {})).map(({ path }) => path)).toEqual([
    'SKILL.md',
    'custom-scripts/run.sh',
    'references/forms.md',
  ]);
  expect((await registry.read(pdf, 'references/forms.md')).text).toBe('# Forms\n');
  await expect(registry.read(pdf, '../csv/SKILL.md')).rejects.toSatisfy((error) =>
    SkillsError.is(error, 'PATH_TRAVERSAL_BLOCKED'),
  );
});

test('SAA-01: SKILL.md is among the files of a skill however many others there are, whatever its case', async () => {
  for (const own of ['SKILL.md', 'skill.md']) {
    put(`${own}/pdf/${own}`, '---\nname: pdf\ndescription: d\n---\nBody.\n');
    for (let at = 0; at < 50; at += 1) put(`${own}/pdf/A${at}`, '');
    const registry = registryOf([root(own)], { maxFiles: 5 });
    const pdf = await registry.get('pdf');
    const files = (await registry.files(pdf!, {})).map(({ path }) => path);
    expect(files).toHaveLength(5);
    expect(files).toContain('SKILL.md');
  }
});

test('SAA-25: the skills that another one names are found by name, and what they name by their absolute folder', async () => {
  putSkill('root/report', 'd', 'Use the skills pdf and csv.');
  putSkill('root/pdf');
  putSkill('root/category/csv', 'd', 'See references/dialects.md.');
  put('root/category/csv/references/dialects.md', 'semicolons');
  const registry = registryOf([root('root')]);
  const csv = (await registry.get('csv'))!;
  expect(csv.location).toBe(join(base, 'root/category/csv'));
  expect((await registry.read(csv, 'references/dialects.md')).text).toBe('semicolons');
  expect((await registry.getByPath(join(base, 'root/category/csv')))?.name).toBe('csv');
  expect((await registry.getByPath(join(base, 'root/category/csv/SKILL.md')))?.name).toBe('csv');
});

test.skipIf(process.platform === 'win32')(
  'a skill that is linked has the place of its link, and its files',
  async () => {
    putSkill('store/pdf');
    put('store/pdf/references/forms.md', 'forms');
    mkdirSync(join(base, 'root'));
    symlinkSync('../store/pdf', join(base, 'root/pdf'));
    const registry = registryOf([root('root')]);
    const pdf = (await registry.get('pdf'))!;
    expect(pdf.location).toBe(join(base, 'root/pdf'));
    expect((await registry.read(pdf, 'references/forms.md')).text).toBe('forms');
    // Another skill at the end of the link is another one: it is not read before it is listed.
    putSkill('store/other', 'other');
    rmSync(join(base, 'root/pdf'));
    symlinkSync('../store/other', join(base, 'root/pdf'));
    expect((await registry.body(pdf)).skill.description).toBe('d');
  },
);

test.skipIf(process.platform === 'win32')('a skill in a file called skill.md is read as SKILL.md', async () => {
  put('root/pdf/skill.md', '---\nname: pdf\ndescription: d\n---\nBody.\n');
  const registry = registryOf([root('root')]);
  const pdf = (await registry.get('pdf'))!;
  expect((await registry.body(pdf)).skill.body).toContain('Body.');
  expect((await registry.files(pdf, {})).map(({ path }) => path)).toEqual(['SKILL.md']);
});

test('a skill of a pack says which, and one folder below two roots is one skill', async () => {
  putSkill('root/pdf');
  putSkill('root/deep/csv');
  const digest = `sha256:${'0'.repeat(64)}` as Digest;
  put(
    'root/.skillpack/acme/documents/receipt.json',
    formatReceipt({
      name: 'acme/documents' as PackName,
      version: '1.2.0',
      source: { kind: 'registry', location: 'https://skills.example.org/' },
      integrity: digest,
      treeDigest: digest,
      skills: ['pdf'],
      installedAt: '2026-11-21T00:00:00Z',
      installedBy: '0.0.0',
      links: [],
    }),
  );
  const { skills, shadowed } = await registryOf([
    root('root'),
    root('root/deep', 'other'),
    root('root', 'user'),
  ]).index();
  expect(skills).toMatchObject([
    { name: 'csv', location: join(base, 'root/deep/csv') },
    { name: 'pdf', pack: 'acme/documents', packVersion: '1.2.0' },
  ]);
  expect(skills).toHaveLength(2);
  expect(shadowed).toEqual([]);
});

test('SPEC-08: to list skills, nothing but the front matter is read', async () => {
  putSkill('root/pdf', 'd', 'Body.'.repeat(50_000));
  putSkill('root/csv');
  put('root/pdf/references/forms.md', 'forms');
  const registry = registryOf([root('root')]);
  const index = await registry.index();
  expect(JSON.stringify(index.skills)).not.toContain('Body.');
  // About 100 tokens a skill, at four characters a token.
  for (const { head } of index.skills) expect(JSON.stringify(head.frontMatter).length).toBeLessThan(400);
});

test('PSA-39: the hash of the index is the same for the same skills, and another for another description', async () => {
  putSkill('root/pdf');
  const registry = registryOf([root('root')]);
  const { hash } = await registry.index();
  expect((await registry.reload()).hash).toBe(hash);
  putSkill('root/pdf', 'other words');
  expect((await registry.reload()).hash).not.toBe(hash);
});

test('SAA-13: a skill that was touched between two runs is read anew when asked, whatever is remembered', async () => {
  const cache = { folder: join(base, 'cache'), now: () => Date.now() + 60_000 };
  putSkill('root/pdf', 'first');
  const registry = registryOf([root('root')], {}, { now: () => performance.now(), cache });
  const first = await registry.index();
  putSkill('root/pdf', 'other');
  expect((await registry.index()).hash).toBe(first.hash);
  const second = await registry.reload();
  expect(second.skills[0]?.head.description).toBe('other');
  const now = new Date();
  utimesSync(join(base, 'root/pdf/SKILL.md'), now, now);
  expect((await registry.reload()).hash).toBe(second.hash);
});

test('AGIO-17: agents that listen have the new list at once, and hear nothing of what changes nothing', async () => {
  putSkill('root/pdf');
  const options = { watch: { debounce: 20, checkInterval: 600_000 } };
  const registry = registryOf([root('root')], options);
  const changes: RegistryChange[] = [];
  const subscription = await registry.subscribe((change) => changes.push(change));
  const now = new Date();
  utimesSync(join(base, 'root/pdf/SKILL.md'), now, now);
  putSkill('root/pdf', 'd', 'Another body, which no list shows.');
  put('root/pdf/references/forms.md', 'forms');
  putSkill('aside/csv');
  renameSync(join(base, 'aside/csv'), join(base, 'root/csv'));
  await expect.poll(() => changes.map(({ added }) => added)).toEqual([['csv']]);
  expect(changes[0]).toMatchObject({ removed: [], changed: [] });
  putSkill('root/pdf', 'other words');
  await expect.poll(() => changes.map(({ changed }) => changed)).toEqual([[], ['pdf']]);
  expect((await registry.get('pdf'))?.head.description).toBe('other words');
  rmSync(join(base, 'root/csv'), { recursive: true });
  await expect.poll(() => changes.at(-1)?.removed).toEqual(['csv']);
  await subscription[Symbol.asyncDispose]();
});

test('AGIO-17: what changed between the list and the watch is noticed', async () => {
  putSkill('root/pdf');
  const backend = folderSkills([root('root')], performance);
  await backend.list({});
  putSkill('root/csv');
  let told = 0;
  const watch = await backend.watch?.(() => (told += 1));
  expect(told).toBe(1);
  await watch?.[Symbol.asyncDispose]();
});

test('AGIO-20: a list can be cancelled, and many who ask at once wait for one', async () => {
  for (let index = 0; index < 300; index += 1) putSkill(`root/s${index}`);
  let lists = 0;
  const now = (): number => {
    lists += 1;
    return 0;
  };
  const registry = registryOf([root('root')], {}, { now });
  const indexes = await Promise.all([registry.index(), registry.index(), registry.index()]);
  expect(new Set(indexes).size).toBe(1);
  const once = lists;
  await registry.index();
  expect(lists).toBe(once);
  const controller = new AbortController();
  const reading = folderSkills([root('root')], performance).list({ signal: controller.signal });
  controller.abort();
  await expect(reading).rejects.toSatisfy((error) => SkillsError.is(error, 'INTERRUPTED'));
});

test('a problem names a folder in characters that can be seen', async () => {
  const name = process.platform === 'win32' ? 'odd' : 'odd\u001B[2J';
  put(`root/${name}/SKILL.md`, `no front matter in ${name}`);
  const { problems } = await registryOf([root('root')]).index();
  expect(problems).toHaveLength(1);
  expect(problems[0]?.message).not.toContain('\u001B');
});

test('a skill that was not listed is not read', async () => {
  putSkill('root/pdf');
  const backend = folderSkills([root('root')], performance);
  const { skills } = await backend.list({});
  const elsewhere = { ...skills[0]!, location: '/etc' };
  for (const asked of [backend.bytes(elsewhere, 'passwd', { maxBytes: 1000 }), backend.files(elsewhere, {})]) {
    await expect(asked).rejects.toSatisfy((error) => SkillsError.is(error, 'FILE_NOT_FOUND'));
  }
});

test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
  'a root that is closed to this person is a problem',
  async () => {
    mkdirSync(join(base, 'root/inner'), { recursive: true });
    chmodSync(join(base, 'root'), 0);
    const { problems } = await registryOf([root('root/inner')]).index();
    chmodSync(join(base, 'root'), 0o755);
    expect(problems).toMatchObject([{ code: 'unreadable' }]);
  },
);
