import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SkillsError } from '@skillpack/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readSettings, type SettingsFlags } from './read-settings.js';

let base: string;
let home: string;
let project: string;
let warnings: string[];

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'settings-')));
  home = join(base, 'home');
  project = join(home, 'work', 'project');
  mkdirSync(join(project, 'deep', 'inside'), { recursive: true });
});

afterEach(() => rmSync(base, { recursive: true }));

function write(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(value));
}

function read(env: NodeJS.ProcessEnv = {}, flags?: SettingsFlags, cwd = project) {
  warnings = [];
  return readSettings({ env, cwd, home, platform: 'linux', warn: (message) => warnings.push(message) }, flags);
}

test('an option wins over the environment, that over the project, that over the person’s own file', () => {
  const seen: (string | undefined)[] = [read().registry?.location];
  write(join(home, '.agents', 'config.json'), { registry: 'https://user.test/' });
  seen.push(read().registry?.location);
  write(join(project, '.agents', 'config.json'), { registry: 'https://config.test/' });
  seen.push(read().registry?.location);
  write(join(project, 'skillpack.json'), { registries: { default: 'https://project.test/' } });
  seen.push(read().registry?.location);
  const env = { SKILLS_REGISTRY: 'https://environment.test/' };
  seen.push(read(env).registry?.location, read(env, { registry: 'https://flag.test/' }).registry?.location);
  expect(seen).toEqual([
    undefined,
    'https://user.test/',
    'https://config.test/',
    'https://project.test/',
    'https://environment.test/',
    'https://flag.test/',
  ]);
  expect(read(env).registry?.origin).toBe('environment');
  expect(read().registry?.origin).toBe('project');
});

test('an organisation keeps its own registry whatever the default is, and the project’s wins over the person’s', () => {
  write(join(home, '.agents', 'config.json'), { registries: { acme: 'https://user.test/', other: './mirror' } });
  write(join(project, 'skillpack.json'), { registries: { acme: 'https://acme.test/' } });
  const { registries } = read({}, { registry: 'https://flag.test/' });
  expect(registries.get('acme')?.location).toBe('https://acme.test/');
  expect(registries.get('other')).toEqual({
    kind: 'folder',
    location: join(home, '.agents', 'mirror'),
    origin: 'user',
  });
});

test('a folder is relative to whoever names it', () => {
  write(join(project, 'skillpack.json'), { registries: { default: './public' } });
  const cwd = join(project, 'deep');
  expect(read({}, {}, cwd).registry?.location).toBe(join(project, 'public'));
  expect(read({ SKILLS_REGISTRY: './public' }, {}, cwd).registry?.location).toBe(join(cwd, 'public'));
  expect(read({}, { registry: '~/public' }, cwd).registry?.location).toBe(join(home, 'public'));
});

test('the project is the nearest folder above with a mark of ours, else the repository, else the folder itself', () => {
  const cwd = join(project, 'deep', 'inside');
  expect(read({}, {}, cwd).projectDir).toBe(cwd);
  mkdirSync(join(project, '.git'));
  expect(read({}, {}, cwd).projectDir).toBe(project);
  mkdirSync(join(project, 'deep', '.agents'));
  expect(read({}, {}, cwd).projectDir).toBe(join(project, 'deep'));
  write(join(cwd, 'skillpack.json'), {});
  expect(read({}, {}, cwd).projectDir).toBe(cwd);
});

test('the home folder is no project of a folder below it', () => {
  write(join(home, '.agents', 'config.json'), {});
  mkdirSync(join(home, '.git'));
  expect(read().projectDir).toBe(project);
});

test('AGIO-12: SKILLS_DIRS is a list with commas, in which ~ is the home folder', () => {
  expect(read({ SKILLS_DIRS: ' ~/a, b ,,/c' }).skillDirs).toEqual([join(home, 'a'), join(project, 'b'), '/c']);
});

test('SKILLS_HOME and SKILLS_CACHE replace the folders; XDG_CACHE_HOME counts only when it is absolute', () => {
  const chosen = read({ SKILLS_HOME: join(base, 'agents'), SKILLS_CACHE: join(base, 'cache') });
  expect([chosen.skillsHome, chosen.cacheDir]).toEqual([join(base, 'agents'), join(base, 'cache')]);
  expect(read().skillsHome).toBe(join(home, '.agents'));
  expect(read({ XDG_CACHE_HOME: '/xdg' }).cacheDir).toBe('/xdg/skillpack');
  expect(read({ XDG_CACHE_HOME: 'xdg' }).cacheDir).toBe(join(home, '.cache', 'skillpack'));
});

test('a project cannot choose the cache, which `cache clean` empties', () => {
  write(join(project, '.agents', 'config.json'), { cache: project });
  expect(read().cacheDir).toBe(join(home, '.cache', 'skillpack'));
});

test.each([
  ['1', true],
  ['yes', true],
  ['0', false],
  ['', false],
])('SKILLS_OFFLINE=%j means %j', (value, expected) => {
  expect(read({ SKILLS_OFFLINE: value }).offline).toBe(expected);
});

test('SKILLS_OFFLINE=0 wins over a project that wants no network, and an option over both', () => {
  write(join(project, '.agents', 'config.json'), { offline: true });
  expect([read().offline, read({ SKILLS_OFFLINE: '0' }).offline]).toEqual([true, false]);
  expect(read({ SKILLS_OFFLINE: '0' }, { offline: true }).offline).toBe(true);
});

test.each([
  ['SKILLS_OFFLINE', { SKILLS_OFFLINE: 'maybe' }, 'maybe'],
  ['a URL with a password', { SKILLS_REGISTRY: 'https://me:secret@host.test/' }, 'user name or a password'],
  ['another scheme', { SKILLS_REGISTRY: 'ftp://host.test/' }, 'http(s) URL or a folder'],
  ['no URL', { SKILLS_REGISTRY: 'https://' }, 'no URL'],
])('a value that cannot be used is an error that never shows a secret: %s', (_, env, text) => {
  expect(() => read(env)).toThrow(
    expect.toSatisfy(
      (error: Error) =>
        SkillsError.is(error, 'INVALID_CONFIG') && error.message.includes(text) && !error.message.includes('secret'),
    ),
  );
});

test.each([
  [{ dirs: ['\\\\evil.test\\share'] }],
  [{ registry: '//evil.test/share' }],
  [{ registries: { acme: '\\\\evil.test\\share' } }],
])('a project cannot make a machine look at a folder of another one: %j', (config) => {
  write(join(project, '.agents', 'config.json'), config);
  expect(() => read()).toThrow(expect.toSatisfy((error: unknown) => SkillsError.is(error, 'INVALID_CONFIG')));
});

test.each([
  ['no JSON', '{', 'is not JSON'],
  ['a wrong type', '{"offline": "yes"}', 'offline'],
])('a configuration file with %s is an error that names the file and the place', (_, json, text) => {
  const path = join(home, '.agents', 'config.json');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, json);
  expect(() => read()).toThrow(
    expect.toSatisfy(
      (error: Error) =>
        SkillsError.is(error, 'INVALID_CONFIG') && error.message.includes(path) && error.message.includes(text),
    ),
  );
});

test('a field that nobody reads is told of, with the name that is meant, and by whom it may be said', () => {
  write(join(home, '.agents', 'config.json'), {
    regsitry: 'https://x.test/',
    limits: { turns: 3, toolcalls: 3, x: 1 },
  });
  write(join(project, '.agents', 'config.json'), { zebra: true, model: 'scripted', formatVersion: 1, dirs: [] });
  expect(read().registry).toBeUndefined();
  const own = join(home, '.agents', 'config.json');
  const theirs = join(project, '.agents', 'config.json');
  expect(warnings).toEqual([
    `${own}: There is no field “regsitry”; did you mean “registry”?`,
    `${own}: There is no field “limits.toolcalls”; did you mean “toolCalls”?`,
    `${own}: There is no field “limits.x”.`,
    `${theirs}: There is no field “zebra”.`,
    `${theirs}: “model” is left out: it counts only in a config.json of your own.`,
  ]);
});

test.each(['[]', 'null', '3'])('%s is no configuration, and the message names no place in it', (text) => {
  write(join(home, '.agents', 'config.json'), JSON.parse(text));
  expect(() => read()).toThrow(/config\.json is not valid: /u);
});
