import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { formatReceipt, SkillsError, type PackName, type Digest } from '@skillpack/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ScanOptions } from './scan-options.js';
import type { IgnoredFolder, ScanReport, SkillRoot } from './scan-report.js';
import { scanSkillRoots } from './scan-skill-roots.js';

let base = '';
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'skillpack-scan-'));
});
afterEach(() => {
  rmSync(base, { recursive: true, force: true });
});

function skillText(name: string, description: string = `What ${name} does.`): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\nBody of ${name}.\n`;
}

function put(path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
}

function putSkill(path: string, text: string = skillText(path.split('/').at(-1) ?? '')): void {
  put(`${path}/SKILL.md`, text);
}

function link(target: string, path: string): void {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  symlinkSync(target, join(base, path), 'junction');
}

function root(path: string, scope: SkillRoot['scope'] = 'project'): SkillRoot {
  return { path: join(base, path), scope };
}

/** Writes the receipt of acme/documents into a root. */
function putReceipt(path: string, skills: readonly string[]): void {
  const digest = `sha256:${'0'.repeat(64)}` as Digest;
  put(
    `${path}/.skillpack/acme/documents/receipt.json`,
    formatReceipt({
      name: 'acme/documents' as PackName,
      version: '1.0.0',
      source: { kind: 'registry', location: 'https://skills.example.org/' },
      integrity: digest,
      treeDigest: digest,
      skills,
      installedAt: '2026-11-21T00:00:00Z',
      installedBy: '0.0.0',
      links: [],
    }),
  );
}

/** A clock that goes on by one millisecond each time it is read. */
function clock(): { now: () => number } {
  let time = 0;
  return { now: () => (time += 1) };
}

function scan(roots: readonly SkillRoot[], options: ScanOptions = {}): Promise<ScanReport> {
  return scanSkillRoots(roots, clock(), options);
}

function reasons(ignored: readonly IgnoredFolder[]): readonly string[] {
  return ignored.map(({ path, reason }) => `${path.slice(base.length + 1).replaceAll('\\', '/')} ${reason}`);
}

test('H9-07: a root that is not there holds no skills, and nobody complains', async () => {
  const report = await scan([root('nowhere'), root('nor/here', 'user')]);
  expect(report).toMatchObject({ skills: [], found: [], ignored: [], conflicts: [] });
  expect(report.roots.map(({ state }) => state)).toEqual(['missing', 'missing']);
});

test('a root that is a file is said to be one', async () => {
  put('root', 'text');
  expect((await scan([root('root')])).roots).toMatchObject([{ state: 'not-a-folder' }]);
});

test('SAA-07: a folder that holds no readable skill is reported with its reason, and all others load', async () => {
  putSkill('root/good');
  put('root/empty/README.md', 'nothing');
  putSkill('root/no-front-matter', '# Just text\n');
  putSkill('root/js', '---js\n({ name: "js" })\n---\n');
  put('root/folder-as-file/SKILL.md/x', 'x');
  putSkill('root/large', `${skillText('large')}${'x'.repeat(1024 * 1024)}`);
  putSkill('root/z-last');
  const report = await scan([root('root')]);
  expect(report.skills.map(({ name }) => name)).toEqual(['good', 'z-last']);
  expect(reasons(report.ignored)).toEqual([
    'root/empty no-skill-file',
    'root/folder-as-file not-a-file',
    'root/js invalid-skill',
    'root/large too-large',
    'root/no-front-matter invalid-skill',
  ]);
  expect(report.ignored.find(({ path }) => path.endsWith('js'))?.diagnostics).toMatchObject([
    { code: 'front-matter-language' },
  ]);
});

test('H9-08: a folder without SKILL.md is skipped with a word; strict skips one without name or description too', async () => {
  put('root/empty/x.txt', 'x');
  putSkill('root/no-name', '---\ndescription: d\n---\n');
  putSkill('root/no-description', '---\nname: no-description\n---\n');
  const lenient = await scan([root('root')]);
  expect(lenient.skills.map(({ name, head }) => [name, head.modelInvocable])).toEqual([
    ['no-description', false],
    ['no-name', true],
  ]);
  const strict = await scan([root('root')], { parse: { profile: 'strict' } });
  expect(strict.skills).toEqual([]);
  expect(reasons(strict.ignored)).toEqual([
    'root/empty no-skill-file',
    'root/no-description invalid-skill',
    'root/no-name invalid-skill',
  ]);
});

test.skipIf(process.platform === 'win32')('SAA-07: what the system refuses to read is reported', async () => {
  putSkill('root/good');
  putSkill('root/locked');
  putSkill('root/secret');
  chmodSync(base, 0o755);
  chmodSync(join(base, 'root/locked'), 0);
  chmodSync(join(base, 'root/secret/SKILL.md'), 0);
  const asRoot = process.getuid?.() === 0;
  // Nothing is refused to root: the scan runs as nobody.
  if (asRoot) process.seteuid?.(65_534);
  try {
    const report = await scan([root('root')]);
    expect(report.skills.map(({ name }) => name)).toEqual(['good']);
    expect(reasons(report.ignored)).toEqual(['root/locked unreadable', 'root/secret unreadable']);
  } finally {
    if (asRoot) process.seteuid?.(0);
    chmodSync(join(base, 'root/locked'), 0o755);
  }
});

test.skipIf(process.platform === 'win32')('a SKILL.md that is a pipe does not make the scan wait', async () => {
  putSkill('root/good');
  mkdirSync(join(base, 'root/pipe'));
  execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', join(base, 'root/pipe/SKILL.md')]);
  const report = await scan([root('root')]);
  expect(reasons(report.ignored)).toEqual(['root/pipe not-a-file']);
  expect(report.skills.map(({ name }) => name)).toEqual(['good']);
});

test('PSA-02, PSA-39: scopes are laid over one another, and each decision is reported', async () => {
  putSkill('project/pdf');
  putSkill('user/pdf', skillText('pdf', 'Of the user.'));
  putSkill('user/notes');
  putSkill('builtin/pdf');
  putSkill('builtin/table');
  const roots = [root('builtin', 'builtin'), root('user', 'user'), root('project', 'project')];
  const report = await scan(roots);
  expect(report.skills.map(({ name, scope }) => `${name} ${scope}`)).toEqual([
    'notes user',
    'pdf project',
    'table builtin',
  ]);
  expect(report.conflicts).toMatchObject([
    { name: 'pdf', reason: 'scope', winner: { scope: 'project' }, shadowed: [{ scope: 'user' }, { scope: 'builtin' }] },
  ]);
  const asked = await scan(roots, { source: 'user' });
  expect(asked.skills.find(({ name }) => name === 'pdf')).toMatchObject({
    scope: 'user',
    head: { description: 'Of the user.' },
  });
});

test('PSA-39: counts, times and the roots are in the report', async () => {
  putSkill('root/a');
  putSkill('root/category/b', '---\nname: B\ndescription: d\n---\n');
  put('root/none/x', '');
  putSkill('user/a');
  const report = await scan([root('root'), root('user', 'user')]);
  expect(report.counts).toEqual({ folders: 7, found: 3, offered: 2, shadowed: 1, ignored: 1, diagnostics: 2 });
  expect(report.roots).toMatchObject([
    { scope: 'project', state: 'read', folders: 5, skills: 2, duration: 1 },
    { scope: 'user', state: 'read', folders: 2, skills: 1, duration: 1 },
  ]);
  expect(report.duration).toBe(5);
});

test('PSA-39: the index hash is the same wherever the roots are, and another when a skill says something else', async () => {
  for (const place of ['one', 'two/deeper']) {
    putSkill(`${place}/pdf`);
    putSkill(`${place}/in/table`);
  }
  const first = await scan([root('one')]);
  expect(first.indexHash).toMatch(/^sha256:[0-9a-f]{64}$/u);
  expect((await scan([root('two/deeper')])).indexHash).toBe(first.indexHash);
  expect((await scan([root('one', 'user')])).indexHash).not.toBe(first.indexHash);
  putSkill('one/pdf', skillText('pdf').replace('Body', 'Another body'));
  expect((await scan([root('one')])).indexHash).toBe(first.indexHash);
  putSkill('one/pdf', skillText('pdf', 'Something else.'));
  expect((await scan([root('one')])).indexHash).not.toBe(first.indexHash);
});

test('SAA-01: a skill may hold any folder, and what lies in it is no skill of its own', async () => {
  putSkill('root/pdf');
  put('root/pdf/custom-scripts/run.sh', '#!/bin/sh\n');
  putSkill('root/pdf/examples/inner');
  expect((await scan([root('root')])).found.map(({ name }) => name)).toEqual(['pdf']);
});

test('a root that is itself a skill is one', async () => {
  putSkill('pdf');
  expect((await scan([root('pdf', 'other')])).skills).toMatchObject([{ name: 'pdf', path: join(base, 'pdf') }]);
});

test('.git, node_modules and .skillpack are not looked into', async () => {
  for (const folder of ['.git', 'node_modules', '.skillpack', 'a/node_modules']) putSkill(`root/${folder}/x`);
  putSkill('root/.system/y');
  const report = await scan([root('root')]);
  expect(report.found.map(({ name }) => name)).toEqual(['y']);
  expect(reasons(report.ignored)).toEqual(['root/a no-skill-file']);
});

test('skills lie at most six folders below a root, and what lies deeper is reported', async () => {
  putSkill('root/1/2/3/4/5/six');
  putSkill('root/a/2/3/4/5/6/seven');
  const report = await scan([root('root')]);
  expect(report.found.map(({ name }) => name)).toEqual(['six']);
  expect(reasons(report.ignored)).toEqual(['root/a/2/3/4/5/6/seven too-deep']);
});

test('after the limit of folders the scan of a root stops, says so once, and keeps what it has', async () => {
  for (let index = 10; index < 30; index += 1) putSkill(`root/s${index}`);
  const report = await scan([root('root')], { maxFolders: 11 });
  expect(report.found).toHaveLength(10);
  expect(reasons(report.ignored)).toEqual(['root/s20 too-many-folders']);
});

test('links to folders are followed, each real folder once, and cycles end', async () => {
  putSkill('elsewhere/linked');
  putSkill('root/real');
  link(join(base, 'elsewhere/linked'), 'root/linked');
  link(join(base, 'root/real'), 'root/zz-again');
  link(join(base, 'root'), 'root/loop/up');
  link(join(base, 'nowhere'), 'root/broken');
  const report = await scan([root('root')]);
  expect(report.found.map(({ name, path, realPath }) => [name, path === realPath])).toEqual([
    ['linked', false],
    ['real', true],
  ]);
  expect(reasons(report.ignored)).toEqual([
    'root/broken broken-link',
    'root/loop/up seen-before',
    'root/zz-again seen-before',
  ]);
});

test('one folder reached from two roots is no conflict', async () => {
  putSkill('user/pdf');
  link(join(base, 'user'), 'project');
  const report = await scan([root('project'), root('user', 'user')]);
  expect(report.conflicts).toEqual([]);
  expect(report.skills).toMatchObject([{ name: 'pdf', scope: 'project' }]);
});

test.skipIf(process.platform === 'win32')(
  'a SKILL.md that is a link out of its folder is not read; one within it is',
  async () => {
    put('secret', skillText('secret'));
    mkdirSync(join(base, 'root/out'), { recursive: true });
    symlinkSync('../../secret', join(base, 'root/out/SKILL.md'));
    put('root/in/README.md', skillText('in'));
    symlinkSync('README.md', join(base, 'root/in/SKILL.md'));
    const report = await scan([root('root')]);
    expect(report.found.map(({ name }) => name)).toEqual(['in']);
    expect(reasons(report.ignored)).toEqual(['root/out link-outside']);
  },
);

test('skill.md is found, and SKILL.md wins over it', async () => {
  put('root/lower/skill.md', skillText('lower'));
  put('root/both/Skill.md', skillText('wrong'));
  put('root/both/SKILL.md', skillText('both'));
  const report = await scan([root('root')]);
  expect(report.found.map(({ name, diagnostics }) => [name, diagnostics.map(({ code }) => code)])).toEqual([
    ['both', []],
    ['lower', ['file-name']],
  ]);
});

test('SPEC-08: front matter longer than one read is read whole, and the body is not', async () => {
  const long = `---\nname: long\ndescription: d\nnotes: |\n${'  数据 text\n'.repeat(3000)}---\n${'body \u202E\n'.repeat(50_000)}`;
  putSkill('root/long', long);
  putSkill('root/unclosed', `---\nname: unclosed\ndescription: d\n\n# Title\n${'text\n'.repeat(5000)}`);
  const [first, second] = (await scan([root('root')])).found;
  expect(first?.diagnostics).toEqual([]);
  expect(first?.head.frontMatter['notes']).toBe('数据 text\n'.repeat(3000));
  expect(first?.head.bodyLine).toBe(3006);
  expect(second).toMatchObject({ name: 'unclosed', diagnostics: [{ code: 'front-matter-unclosed', line: 5 }] });
});

test('the skill of a pack wins over a folder of nobody that takes its name, wherever in the root that lies', async () => {
  putReceipt('root', ['pdf']);
  putSkill('root/pdf');
  putSkill('root/aaa', skillText('pdf', 'Not the one.'));
  putSkill('root/PDF', skillText('pdf', 'Nor this one.'));
  const report = await scan([root('root')]);
  expect(report.skills).toMatchObject([{ name: 'pdf', path: join(base, 'root/pdf'), pack: 'acme/documents' }]);
  expect(report.conflicts).toMatchObject([{ name: 'pdf', reason: 'order', shadowed: [{ pack: undefined }, {}] }]);
  expect(report.found).toHaveLength(3);
});

test('PSA-02: the pack that brought a skill is known by its receipt; a broken receipt owns nothing', async () => {
  putSkill('root/pdf');
  putSkill('root/own');
  putReceipt('root', ['pdf']);
  put('root/.skillpack/acme/broken/receipt.json', '{"skills":["own"]}');
  expect((await scan([root('root')])).found.map(({ name, pack, packVersion }) => [name, pack, packVersion])).toEqual([
    ['own', undefined, undefined],
    ['pdf', 'acme/documents', '1.0.0'],
  ]);
});

test('SPEC-10: the skills of project and user are read, and of one name the project’s counts, with the other told', async () => {
  putSkill('user/pdf');
  putSkill('user/csv');
  putSkill('project/pdf');
  const report = await scan([root('user', 'user'), root('project', 'project')]);
  expect(report.skills.map(({ name, scope }) => [name, scope])).toEqual([
    ['csv', 'user'],
    ['pdf', 'project'],
  ]);
  expect(report.conflicts).toMatchObject([
    { name: 'pdf', winner: { scope: 'project' }, shadowed: [{ scope: 'user' }] },
  ]);
});

test('a skill of a pack is known by the name it was installed under; its own is a finding', async () => {
  putSkill('root/alpha');
  putSkill('root/helper', skillText('alpha'));
  putSkill('root/my-folder', skillText('PDF Tools'));
  putReceipt('root', ['helper', 'my-folder']);
  const { skills, conflicts } = await scan([root('root')]);
  expect(skills.map(({ name, pack, path }) => [name, pack, path.slice(base.length + 1).replaceAll('\\', '/')])).toEqual(
    [
      ['alpha', undefined, 'root/alpha'],
      ['helper', 'acme/documents', 'root/helper'],
      ['my-folder', 'acme/documents', 'root/my-folder'],
    ],
  );
  expect(conflicts).toEqual([]);
  expect(skills[2]?.diagnostics).toContainEqual(
    expect.objectContaining({
      code: 'name-not-folder',
      message: 'The name is “PDF Tools”, but the folder is “my-folder”.',
      fix: 'It was installed as my-folder, which counts.',
    }),
  );
});

test('AGIO-20: a long scan lets others run, and can be cancelled', async () => {
  for (let index = 0; index < 300; index += 1) putSkill(`root/s${index}`);
  let turns = 0;
  const counting = (): void => {
    turns += 1;
    timer = setImmediate(counting);
  };
  let timer = setImmediate(counting);
  expect((await scan([root('root')])).found).toHaveLength(300);
  clearImmediate(timer);
  expect(turns).toBeGreaterThanOrEqual(3);
  const controller = new AbortController();
  const scanning = scan([root('root')], { signal: controller.signal });
  controller.abort();
  await expect(scanning).rejects.toSatisfy((error) => SkillsError.is(error, 'INTERRUPTED'));
});

test('a root has to be absolute', async () => {
  await expect(scan([{ path: 'skills', scope: 'project' }])).rejects.toSatisfy((error) =>
    SkillsError.is(error, 'USAGE'),
  );
  expect((await scan([{ path: `${base}/`, scope: 'project' }])).roots).toMatchObject([{ path: base, state: 'read' }]);
});
