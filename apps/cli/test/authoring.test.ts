import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createWorld, type World } from './run-skills.js';

let world: World;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.remove());

function writeSkill(folder: string, frontMatter: string, body = '# Use it\n'): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'SKILL.md'), `---\n${frontMatter}\n---\n\n${body}`);
}

test('init makes a skill that passes lint under either profile', async () => {
  const made = await world.run(['init', 'release-notes', '--description', 'Writes “notes”: use it when asked # to.']);
  expect(made).toMatchObject({ exitCode: 0, stderr: '' });
  expect(made.stdout).toContain(join(world.project, 'release-notes'));
  for (const extra of [[], ['--strict']]) {
    const linted = await world.run(['lint', './release-notes', '--json', ...extra]);
    expect(linted.exitCode).toBe(0);
    expect(linted.json().data).toMatchObject({ ok: true, errors: 0, skills: [{ name: 'release-notes' }] });
    const { diagnostics } = linted.json().data.skills[0];
    expect(diagnostics).toMatchObject([{ code: 'placeholder-text', severity: 'warning' }]);
  }
});

test('init org/name makes a pack', async () => {
  const made = await world.run(['init', 'acme/notes', '--json']);
  expect(made.json().data).toMatchObject({ name: 'notes', pack: 'acme/notes', files: ['SKILL.md', 'skillpack.json'] });
  const project = JSON.parse(readFileSync(join(world.project, 'notes', 'skillpack.json'), 'utf8')) as unknown;
  expect(project).toEqual({ formatVersion: 1, name: 'acme/notes', version: '0.1.0' });
  expect((await world.run(['publish', 'notes', '--to', 'public'])).stderr).toContain('every new skill begins with');
  expect((await world.run(['lint', 'notes', '--strict'])).exitCode).toBe(0);
});

test('init leaves a folder that exists alone', async () => {
  mkdirSync(join(world.project, 'notes'));
  writeFileSync(join(world.project, 'notes', 'mine.txt'), 'mine');
  const made = await world.run(['init', 'notes', '--json']);
  expect([made.exitCode, made.json().error?.code]).toEqual([4, 'FOLDER_NOT_OWNED']);
  expect(readFileSync(join(world.project, 'notes', 'mine.txt'), 'utf8')).toBe('mine');
});

test.each(['Bad_Name', '../evil', 'a--b', 'con', 'x'.repeat(65)])('init refuses the name %s', async (name) => {
  const made = await world.run(['init', name, '--json']);
  expect([made.exitCode, made.json().error?.code]).toEqual([2, 'INVALID_PACK_NAME']);
});

test('lint says where, what and what to do, and exits with 1 for an error', async () => {
  writeSkill(join(world.project, 'skills', 'good'), 'name: good\ndescription: Reads things. Use it when reading.');
  writeSkill(join(world.project, 'skills', 'other'), 'name: different\ndescription: Reads. Use it when reading it.');
  const lenient = await world.run(['lint', './skills']);
  expect(lenient.exitCode).toBe(0);
  const place = join(world.project, 'skills', 'other', 'SKILL.md');
  expect(lenient.stdout).toMatch(new RegExp(`^${place}:\\d+(?::\\d+)?: (?:warning|info): .*different`, 'mu'));
  const strict = await world.run(['lint', '--strict', './skills', '--json']);
  expect(strict.exitCode).toBe(1);
  expect(strict.json()).toMatchObject({ ok: true, data: { ok: false, profile: 'strict' } });
  expect(strict.json().data.skills).toMatchObject([
    { name: 'good', ok: true },
    { name: 'other', ok: false },
  ]);
});

test.each([
  ['技能', 'a name in another script'],
  ['Foo Bar', 'a space and capital letters'],
  ['a--b', 'two hyphens'],
  ['con', 'a device of Windows'],
])('PSA-17: lint warns of the name %j (%s), which pack and install refuse', async (name) => {
  writeSkill(join(world.project, name), `name: ${name}\ndescription: Reads things. Use it when reading them.`);
  const linted = await world.run(['lint', name, '--json']);
  expect(linted.json().data).toMatchObject({ errors: 0 });
  expect(linted.json().data.skills[0].diagnostics).toContainEqual(expect.objectContaining({ code: 'name-unpackable' }));
  for (const command of [
    ['pack', `./${name}`],
    ['install', `./${name}`],
  ]) {
    const refused = await world.run([...command, '--json']);
    expect(refused.json()).toMatchObject({ ok: false, error: { code: 'INVALID_SKILL' } });
  }
});

test.skipIf(process.platform !== 'linux')(
  'lint says of a name that is not UTF-8 what pack says, and inspect lists the file',
  async () => {
    const folder = join(world.project, 'pdf');
    writeSkill(folder, 'name: pdf\ndescription: Reads things. Use it when reading them.');
    const name = Buffer.from([0xff, 0xfe]);
    const inside = (path: string): Buffer => Buffer.concat([Buffer.from(`${join(folder, path)}/`), name]);
    mkdirSync(join(folder, 'assets'));
    writeFileSync(inside('assets'), 'one');
    const sentence = '“assets/\uFFFD\uFFFD” cannot be packed: it is not valid Unicode.';
    expect((await world.run(['pack', './pdf'])).stderr).toContain(sentence);
    const linted = await world.run(['lint', './pdf', '--json']);
    expect(linted.exitCode).toBe(0);
    expect(linted.json().data.skills[0].diagnostics).toMatchObject([
      { code: 'path-unfit', severity: 'warning', message: sentence },
    ]);
    const inspected = await world.run(['inspect', 'pdf', '--root', world.project, '--json']);
    expect(inspected.json().data.files).toContainEqual({ path: 'assets/\uFFFD\uFFFD', size: 3 });
    rmSync(join(folder, 'assets'), { recursive: true });
    mkdirSync(inside('.'));
    writeFileSync(Buffer.concat([inside('.'), Buffer.from('/note')]), 'note');
    expect((await world.run(['pack', './pdf'])).stderr).toContain('“\uFFFD\uFFFD” cannot be packed: it is not valid');
    const below = await world.run(['lint', './pdf', '--json']);
    expect(below.json().data.skills[0].diagnostics).toMatchObject([{ code: 'path-unfit' }]);
    mkdirSync(Buffer.concat([Buffer.from(`${world.project}/skills/`), name]), { recursive: true });
    expect((await world.run(['lint', './skills', '--json'])).json().error).toMatchObject({ code: 'INVALID_PATH' });
  },
);

test('PSA-17: lint refuses angle brackets in front matter only when asked to', async () => {
  writeSkill(join(world.project, 'tags'), 'name: tags\ndescription: Writes <b>. Use it when writing.');
  expect((await world.run(['lint', 'tags'])).exitCode).toBe(0);
  expect((await world.run(['lint', 'tags', '--no-angle-brackets'])).exitCode).toBe(1);
});

test.each([
  ['./nowhere', 'FILE_NOT_FOUND'],
  ['.', 'SKILL_NOT_FOUND'],
])('lint of %s is exit code 3, %s', async (path, code) => {
  const linted = await world.run(['lint', path, '--json']);
  expect([linted.exitCode, linted.json().error?.code]).toEqual([3, code]);
});
