import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createSkillRegistry, SkillsError, type Digest, type SkillRegistry } from '@skillpack/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { packageSkills, type PackageSkillsOptions } from './package-skills.js';

let base = '';
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'skillpack-package-')));
});
afterEach(() => {
  rmSync(base, { recursive: true, force: true });
});

function put(path: string, text: string): void {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
}

function putSkill(path: string): void {
  put(`${path}/SKILL.md`, `---\nname: ${path.split('/').at(-1)}\ndescription: d\n---\nBody.\n`);
}

function sha256(data: Uint8Array | string): Digest {
  return `sha256:${createHash('sha256').update(data).digest('hex')}` as Digest;
}

function registryOf(subject: string | URL, options: PackageSkillsOptions = {}): SkillRegistry {
  const from = subject instanceof URL ? undefined : pathToFileURL(join(base, 'app/src/main.js'));
  return createSkillRegistry(packageSkills(subject, performance, { from, ...options }), { sha256 });
}

async function seen(registry: SkillRegistry): Promise<readonly string[]> {
  const { skills, problems } = await registry.index();
  return [...skills.map(({ name, scope }) => `${name} ${scope}`), ...problems.map(({ code }) => code)];
}

/** A package whose `exports` hide its package.json, and which would say so if anything of it were run. */
function putPackage(path: string, manifest: object = {}): void {
  put(
    `${path}/package.json`,
    JSON.stringify({ name: 'pdf-skills', version: '1.0.0', exports: './index.js', ...manifest }),
  );
  put(`${path}/index.js`, 'throw new Error("run")');
}

test('SAA-04: the skills that a package ships are offered as builtin ones, and read from where it is installed', async () => {
  putPackage('app/node_modules/pdf-skills');
  putSkill('app/node_modules/pdf-skills/skills/pdf');
  put('app/node_modules/pdf-skills/skills/pdf/references/forms.md', 'forms');
  const registry = registryOf('pdf-skills');
  expect(await seen(registry)).toEqual(['pdf builtin']);
  expect(registry.kind).toBe('package');
  const pdf = (await registry.get('pdf'))!;
  expect((await registry.body(pdf)).skill.body).toContain('Body.');
  expect((await registry.read(pdf, 'references/forms.md')).text).toBe('forms');
  expect(await seen(registryOf('pdf-skills', { scope: 'user' }))).toEqual(['pdf user']);
});

test('SAA-04: a package that npm has installed', { timeout: 120_000 }, async () => {
  putPackage('source', { name: '@acme/pdf-skills' });
  putSkill('source/skills/pdf');
  put('app/package.json', JSON.stringify({ name: 'app', version: '1.0.0' }));
  const npm = (args: readonly string[], cwd: string): string =>
    execFileSync('npm', [...args, '--offline', '--no-audit', '--no-fund'], {
      cwd: join(base, cwd),
      stdio: 'pipe',
    }).toString();
  const archive = npm(['pack', '--silent'], 'source').trim();
  npm(['install', join(base, 'source', archive)], 'app');
  expect(await seen(registryOf('@acme/pdf-skills'))).toEqual(['pdf builtin']);
});

test.skipIf(process.platform === 'win32')('SAA-04: a package behind a link, as pnpm lays them out', async () => {
  putPackage('app/node_modules/.pnpm/pdf-skills@1.0.0/node_modules/pdf-skills');
  putSkill('app/node_modules/.pnpm/pdf-skills@1.0.0/node_modules/pdf-skills/skills/pdf');
  symlinkSync('.pnpm/pdf-skills@1.0.0/node_modules/pdf-skills', join(base, 'app/node_modules/pdf-skills'));
  const registry = registryOf('pdf-skills');
  expect(await seen(registry)).toEqual(['pdf builtin']);
  const pdf = (await registry.get('pdf'))!;
  expect(pdf.location).toBe(join(base, 'app/node_modules/pdf-skills/skills/pdf'));
  expect((await registry.body(pdf)).skill.body).toContain('Body.');
});

test('SAA-04: the folders are those that package.json or the caller names; a package is found by the URL of its package.json too', async () => {
  putPackage('app/node_modules/pdf-skills', { skills: ['./agents/', 'more'] });
  putSkill('app/node_modules/pdf-skills/agents/pdf');
  putSkill('app/node_modules/pdf-skills/more/csv');
  putSkill('app/node_modules/pdf-skills/skills/unnamed');
  expect(await seen(registryOf('pdf-skills'))).toEqual(['csv builtin', 'pdf builtin']);
  expect(await seen(registryOf('pdf-skills', { folder: 'skills' }))).toEqual(['unnamed builtin']);
  const url = pathToFileURL(join(base, 'app/node_modules/pdf-skills/package.json'));
  expect(await seen(registryOf(url))).toEqual(['csv builtin', 'pdf builtin']);
  expect(await seen(registryOf(url.href))).toEqual(['csv builtin', 'pdf builtin']);
  putPackage('app/node_modules/one-skill', { skills: '.' });
  put('app/node_modules/one-skill/SKILL.md', '---\nname: one-skill\ndescription: d\n---\n');
  expect(await seen(registryOf('one-skill'))).toEqual(['one-skill builtin']);
});

test.skipIf(process.platform === 'win32')(
  'PSA-22: nothing leads out of a package, neither its package.json nor a link in it',
  async () => {
    putSkill('outside/secret');
    putPackage('app/node_modules/pdf-skills', { skills: ['../../../outside'] });
    expect(await seen(registryOf('pdf-skills'))).toEqual(['ignored']);
    putPackage('app/node_modules/pdf-skills', { skills: ['skills', 'linked'] });
    putSkill('app/node_modules/pdf-skills/skills/pdf');
    symlinkSync('../../../outside', join(base, 'app/node_modules/pdf-skills/linked'));
    symlinkSync('../../../../outside/secret', join(base, 'app/node_modules/pdf-skills/skills/secret'));
    expect(await seen(registryOf('pdf-skills'))).toEqual(['pdf builtin', 'ignored', 'ignored']);
  },
);

test('SAA-04: a package that is not there, has no skills or a broken package.json is a problem, and no error', async () => {
  expect(await seen(registryOf('pdf-skills'))).toEqual(['missing']);
  putPackage('app/node_modules/pdf-skills');
  expect(await seen(registryOf('pdf-skills'))).toEqual(['missing']);
  put('app/node_modules/pdf-skills/package.json', '{');
  expect(await seen(registryOf('pdf-skills'))).toEqual(['ignored']);
  put('app/node_modules/pdf-skills/package.json', ' '.repeat(1024 * 1024 + 1));
  expect(await seen(registryOf('pdf-skills'))).toEqual(['ignored']);
  putPackage('app/node_modules/pdf-skills', { skills: { odd: true } });
  putSkill('app/node_modules/pdf-skills/skills/pdf');
  expect(await seen(registryOf('pdf-skills'))).toEqual(['pdf builtin']);
});

test('SAA-04: what is installed later is found when the skills are read again', async () => {
  const registry = registryOf('pdf-skills');
  expect(await seen(registry)).toEqual(['missing']);
  putPackage('app/node_modules/pdf-skills');
  putSkill('app/node_modules/pdf-skills/skills/pdf');
  await registry.reload();
  expect(await seen(registry)).toEqual(['pdf builtin']);
});

test.each(['', '../secret', '/etc', 'a/b', '.', '@acme', '@acme/../x', 'x'.repeat(215), 'node:fs'])(
  '%j is no name of a package',
  (name) => {
    expect(() => packageSkills(name, performance, { from: import.meta.url })).toThrow(
      expect.toSatisfy((error) => SkillsError.is(error, 'USAGE')),
    );
  },
);

test('a name needs a place to be looked for from', () => {
  const usage = expect.toSatisfy((error) => SkillsError.is(error, 'USAGE'));
  expect(() => packageSkills('pdf-skills', performance)).toThrow(usage);
  expect(() => packageSkills('pdf-skills', performance, { from: 'relative/file.js' })).toThrow(usage);
});
