import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandTable } from '../src/frame/command-table.js';
import { createWorld, finished, type World } from './run-skills.js';

let world: World;
beforeAll(() => {
  world = createWorld();
});
afterAll(() => world.remove());

test('--version prints the version, and --json makes a document of it', async () => {
  expect(await world.run(['--version'])).toMatchObject({ exitCode: 0, stdout: '0.0.0\n', stderr: '' });
  for (const words of [
    ['--version', '--json'],
    ['--json', '--cwd', '.', '-V'],
  ]) {
    expect((await world.run(words)).json()).toEqual({ ok: true, data: { version: '0.0.0' } });
  }
});

test('--help lists every command that there is, and none that is not', async () => {
  const { exitCode, stdout, stderr } = await world.run(['--help']);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const listed = [...stdout.matchAll(/^ {2}([a-z]+) {2,}/gmu)].map(([, name]) => name);
  expect(new Set(listed)).toEqual(new Set(commandTable.map(({ name }) => name.split(' ')[0])));
  for (const { name } of commandTable) expect(stdout).toContain(name.split(' ').at(-1));
  expect(stdout).not.toMatch(/^ {2}(?:yank|deprecate|tag|diff|config|completion)\b/mu);
});

test.each(commandTable.map(({ name }) => name))(
  'skills %s --help has examples, on a pipe and as JSON',
  async (name) => {
    const words = name.split(' ');
    const { exitCode, stdout, stderr } = await world.run([...words, '--help']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain(`Usage: skills ${name} `);
    expect(stdout).toMatch(/^Examples:\n {2}skills /mu);
    expect(stdout).not.toContain('\u001B');
    expect((await world.run(['help', ...words, '--json'])).json()).toEqual({ ok: true, data: { help: stdout } });
  },
);

test.each([
  [['instal'], "Unknown command 'instal'.", 'Did you mean install?'],
  [['instal', '--help'], "Unknown command 'instal'.", 'Did you mean install?'],
  [['registry', 'buld'], "Unknown command 'buld'.", 'Did you mean build?'],
  [['install', '--frozn'], "Unknown option '--frozn'.", 'Did you mean --frozen?'],
  [['verify', '--jsn'], "Unknown option '--jsn'.", 'Did you mean --json?'],
  [['init'], "Missing required argument 'name'.", '--help'],
  [['init', 'a', 'b'], 'Too many arguments', '--help'],
  [['list', '--scope'], 'argument missing', '--help'],
  [['verify', '--scope', 'galaxy'], '--scope is “galaxy”; expected one of project, user.', ''],
  [['search', 'x', '--limit', 'many'], '--limit is “many”; expected a whole number from 1 to 1000.', ''],
  [['registry', 'build', ''], 'dir is empty.', 'written “.”'],
  [['registry', 'build', './public', ''], 'pack is empty.', ''],
  [['uninstall', 'pdf', ''], 'pack|skill is empty.', ''],
  [['pack', ''], 'dir is empty.', ''],
  [['lint', ''], 'is empty.', ''],
  [['install', '--root', ''], '--root is empty.', ''],
  [['install', '--registry='], '--registry is empty.', ''],
  [['list', '--cwd', ''], '--cwd is empty.', ''],
  [['verify', '--scope', 'user', '--root', '.'], '--root and --scope cannot be used together.', ''],
])('wrong usage is exit code 2, as text and as JSON: %j', async (words, message, hint) => {
  const text = await world.run(words);
  expect(text).toMatchObject({ exitCode: 2, stdout: '' });
  expect(text.stderr).toMatch(/^error\[USAGE\]: /u);
  const json = await world.run([...words, '--json']);
  expect(json).toMatchObject({ exitCode: 2, stderr: '' });
  const { ok, error } = json.json();
  expect({ ok, code: error?.code }).toEqual({ ok: false, code: 'USAGE' });
  expect(error?.message).toContain(message);
  expect(error?.hint ?? '').toContain(hint);
});

test('an empty word is told to be a folder only where it would be one', async () => {
  for (const words of [
    ['run', ''],
    ['run', 'x', '--skill', ''],
    ['runs', 'show', ''],
  ]) {
    const { exitCode, stderr } = await world.run(words);
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/is empty\.\nhint: A variable of the shell/u)]);
    expect(stderr).not.toContain('folder');
  }
});

test('no command at all is wrong usage: the help for a person, an error for a program', async () => {
  const text = await world.run([]);
  expect(text.exitCode).toBe(2);
  expect(text.stdout).toContain('Usage: skills');
  const json = await world.run(['--json']);
  expect([json.exitCode, json.json().error?.code]).toEqual([2, 'USAGE']);
});

test('--verbose tells where an error came from, on stderr even with --json', async () => {
  const { stdout, stderr } = await world.run(['instal', '--verbose', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ ok: false });
  expect(stderr).toMatch(/^SkillsError: Unknown command 'instal'\.\n {4}at /mu);
});

test('after -- nothing is an option', async () => {
  const { exitCode, stdout, stderr } = await world.run(['init', '--', '--json']);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toContain('error[INVALID_PACK_NAME]: “--json” is not the name of a skill.');
});

test('--cwd works as if started there, and says so when there is no such folder', async () => {
  const made = await world.run(['init', 'elsewhere', '--cwd', world.home, '--json']);
  expect(made.json().data.folder).toBe(world.path('home', 'elsewhere'));
  const missing = await world.run(['list', '--cwd', './nowhere']);
  expect(missing.exitCode).toBe(3);
  expect(missing.stderr).toContain(`error[FILE_NOT_FOUND]: ${world.path('home', 'project', 'nowhere')} is no folder.`);
});

test.skipIf(process.platform === 'win32')(
  'a current folder that was removed is a clear error; --cwd goes around it',
  async () => {
    const gone = world.path('gone');
    mkdirSync(gone);
    const inGone = (words: string) =>
      world.runShell(
        `cd ${gone} && rmdir ${gone} && "$NODE" "$SKILLS" ${words}; status=$?; mkdir ${gone}; exit $status`,
      );
    const lost = await inGone('list');
    expect(lost.exitCode).toBe(3);
    expect(lost.stderr).toMatch(
      /^error\[FILE_NOT_FOUND\]: The folder you are in cannot be found \(ENOENT\)\.\nhint: /u,
    );
    expect(await inGone(`list --cwd ${world.project}`)).toMatchObject({ exitCode: 0, stderr: '' });
  },
);

test.each(['', '.', 'home'])('a home folder “%s”, which would lie in the project, is refused', async (home) => {
  const planted = join(world.project, home, '.agents', 'config.json');
  mkdirSync(dirname(planted), { recursive: true });
  writeFileSync(planted, '{"registry": "http://127.0.0.1:9/"}');
  const env = { HOME: home, USERPROFILE: home };
  const { exitCode, stderr } = await world.run(['search', 'x'], { env });
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringContaining(`error[INVALID_CONFIG]: Your home folder is “${home}”`),
  ]);
  expect(existsSync(join(world.project, '.cache'))).toBe(false);
});

test.skipIf(!existsSync('/dev/full')).each(['--version', '--help', 'list', 'list --json', 'nothing --json'])(
  'a full disk under stdout is exit code 74 and one line, not a stack: skills %s',
  async (words) => {
    const { exitCode, stderr } = await world.runShell(`"$NODE" "$SKILLS" ${words} > /dev/full`);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 74,
      stderr: 'error[IO_ERROR]: What was to be printed could not be written (ENOSPC).\n',
    });
  },
);

test.skipIf(!existsSync('/dev/full'))('a full disk under stderr changes no result', async () => {
  expect(await world.runShell('"$NODE" "$SKILLS" nothing 2> /dev/full')).toMatchObject({ exitCode: 2 });
  expect(await world.runShell('"$NODE" "$SKILLS" list --quiet 2> /dev/full')).toMatchObject({ exitCode: 0 });
});

test('colours come only where they are shown: not on a pipe, but with FORCE_COLOR, and never with NO_COLOR', async () => {
  expect((await world.run(['instal'])).stderr).not.toContain('\u001B');
  expect((await world.run(['instal'], { env: { FORCE_COLOR: '1' } })).stderr).toContain('\u001B[31m');
  expect((await world.run(['instal'], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } })).stderr).not.toContain('\u001B');
  expect((await world.run(['instal', '--no-color'], { env: { FORCE_COLOR: '1' } })).stderr).not.toContain('\u001B');
});

test('--quiet prints errors only', async () => {
  expect(await world.run(['init', 'silent', '--quiet'])).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
  expect((await world.run(['init', 'silent', '--quiet'])).stderr).toContain('error[FOLDER_NOT_OWNED]');
});

test('a reader that goes away is no error', async () => {
  const child = world.start(['install', '--help']);
  child.stdout?.destroy();
  expect(await finished(child)).toMatchObject({ stderr: '', exitCode: 0 });
});
