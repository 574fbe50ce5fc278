import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SkillsError, skillTemplate } from '@skillpack/core';
import { createArchiveReader } from '../archive/archive-reader.js';
import { sha256 } from '../archive/sha256.js';
import { packSkills } from './pack-skills.js';
import type { PackOptions } from './packed-pack.js';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'skillpack-'));
});

afterEach(() => rm(root, { recursive: true }));

function skill(name: string, more = ''): string {
  return `---\nname: ${name}\ndescription: Works with ${name}. Use when there is some.\n${more}---\n\nDo it.\n`;
}

/** Files by path; a text that begins with #! is executable. */
async function tree(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const place = join(root, path);
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, content, { mode: String(content).startsWith('#!') ? 0o755 : 0o644 });
  }
}

async function packedPaths(options?: PackOptions): Promise<string[]> {
  return (await packSkills(root, options)).manifest.files.map(({ path }) => path);
}

async function failure(options?: PackOptions): Promise<unknown> {
  return packSkills(root, options).then(
    () => 'packed',
    (error: unknown) =>
      SkillsError.is(error)
        ? { code: error.code, message: error.message.replaceAll(root, '<root>'), hint: error.hint }
        : error,
  );
}

/** Runs as somebody who may not read everything, which root may. */
async function withoutPrivileges<Result>(act: () => Promise<Result>): Promise<Result> {
  if (process.geteuid?.() !== 0) return act();
  await chmod(root, 0o755);
  process.seteuid?.(65_534);
  try {
    return await act();
  } finally {
    process.seteuid?.(0);
  }
}

const project = (fields: object): string => JSON.stringify({ name: 'acme/docs', version: '1.2.0', ...fields });

describe('PSA-34: a pack', () => {
  test.for(['tgz', 'zip'] as const)('is what its manifest says, and opens: %s', async (format) => {
    await tree({
      'skillpack.json': project({
        description: 'For documents.',
        license: 'MIT',
        dependencies: { 'acme/common': '^1' },
        requires: { bins: ['python3'] },
      }),
      'skills/pdf/SKILL.md': skill('pdf'),
      'skills/pdf/scripts/read.sh': '#!/bin/sh\n',
      'skills/table/SKILL.md': skill('table'),
    });
    const pack = await packSkills(root, { format });
    expect(pack.manifest).toMatchObject({
      name: 'acme/docs',
      version: '1.2.0',
      description: 'For documents.',
      license: 'MIT',
      skills: [
        { name: 'pdf', path: 'pdf', description: 'Works with pdf. Use when there is some.' },
        { name: 'table', path: 'table' },
      ],
      dependencies: { 'acme/common': '^1' },
      requires: { bins: ['python3'] },
    });
    expect(pack.skills).toEqual([
      { name: 'pdf', folder: 'skills/pdf' },
      { name: 'table', folder: 'skills/table' },
    ]);
    expect(pack.digest).toBe(sha256(pack.archive));
    const opened = await createArchiveReader().open(pack.archive);
    expect(opened.manifest).toEqual(pack.manifest);
    expect(opened.files.map(({ path, executable }) => [path, executable])).toEqual([
      ['pdf/SKILL.md', false],
      ['pdf/scripts/read.sh', true],
      ['table/SKILL.md', false],
    ]);
  });

  test('has one tree digest in both formats', async () => {
    await tree({ 'SKILL.md': skill('pdf', 'metadata:\n  version: 1.0.0\n') });
    const [tgz, zip] = await Promise.all(
      ['tgz', 'zip'].map((format) => packSkills(root, { format: format as 'tgz', org: 'acme' })),
    );
    expect(tgz?.treeDigest).toBe(zip?.treeDigest);
    expect(tgz?.digest).not.toBe(zip?.digest);
  });

  test('holds every byte as it is', async () => {
    const text = skill('pdf').replaceAll('\n', '\r\n');
    await tree({
      'pdf/SKILL.md': `\uFEFF${text}`,
      'pdf/data.bin': new Uint8Array([0, 13, 10, 255]),
      'skillpack.json': project({}),
    });
    const { manifest } = await packSkills(root);
    expect(manifest.files.map(({ digest }) => digest)).toEqual([
      sha256(`\uFEFF${text}`),
      sha256(new Uint8Array([0, 13, 10, 255])),
    ]);
  });
});

describe('PSA-32: a single skill without skillpack.json', () => {
  test('takes its organisation from the options and its version from its metadata', async () => {
    await tree({ 'SKILL.md': skill('pdf', 'metadata:\n  version: 2.1.0\n'), 'a.md': 'a' });
    const { manifest } = await packSkills(root, { org: 'acme' });
    expect([manifest.name, manifest.version, manifest.description]).toEqual([
      'acme/pdf',
      '2.1.0',
      'Works with pdf. Use when there is some.',
    ]);
    expect(manifest.files.map(({ path }) => path)).toEqual(['pdf/SKILL.md', 'pdf/a.md']);
  });

  test('takes a version from the options first', async () => {
    await tree({ 'SKILL.md': skill('pdf', 'metadata:\n  version: 2.1.0\n') });
    expect((await packSkills(root, { org: 'acme', version: '3.0.0' })).manifest.version).toBe('3.0.0');
  });

  test('says what is missing', async () => {
    await tree({ 'SKILL.md': skill('pdf') });
    expect(await failure({ version: '1.0.0' })).toMatchObject({
      code: 'USAGE',
      message: 'Nothing says what the pack is called.',
    });
    expect(await failure({ org: 'acme' })).toMatchObject({
      code: 'USAGE',
      message: 'Nothing says which version the pack is.',
    });
    expect(await failure({ org: 'acme', version: '1.2' })).toMatchObject({
      code: 'INVALID_VERSION',
      hint: 'Write 1.2.0.',
    });
    expect(await failure({ org: 'ACME', version: '1.2.0' })).toMatchObject({ code: 'INVALID_PACK_NAME' });
  });
});

describe('where skills are found', () => {
  test('in folders here and below skills/', async () => {
    await tree({
      'skillpack.json': project({}),
      'a/SKILL.md': skill('a'),
      'skills/b/SKILL.md': skill('b'),
      'other/c/SKILL.md': skill('c'),
      'README.md': '',
    });
    expect(await packedPaths()).toEqual(['a/SKILL.md', 'b/SKILL.md']);
  });

  test('by globs', async () => {
    await tree({
      'skillpack.json': project({ skills: ['./tools/**', '!tools/drafts/*', 'one/'] }),
      'tools/a/SKILL.md': skill('a'),
      'tools/deep/er/b/SKILL.md': skill('b'),
      'tools/drafts/c/SKILL.md': skill('c'),
      'one/SKILL.md': skill('one'),
      'two/SKILL.md': skill('two'),
    });
    expect(await packedPaths()).toEqual(['a/SKILL.md', 'b/SKILL.md', 'one/SKILL.md']);
  });

  test.for([
    ['nowhere', { 'skillpack.json': project({}), 'README.md': '' }, 'SKILL_NOT_FOUND', /^“<root>” holds no skill\.$/u],
    [
      'not where a name says',
      { 'skillpack.json': project({ skills: ['pdf'] }) },
      'SKILL_NOT_FOUND',
      /^There is no SKILL\.md in “pdf”\.$/u,
    ],
    [
      'inside another',
      { 'skillpack.json': project({ skills: ['a', 'a/b'] }), 'a/SKILL.md': skill('a'), 'a/b/SKILL.md': skill('b') },
      'INVALID_PROJECT',
      /“a\/b” lies inside the skill in “a”/u,
    ],
    [
      'inside the root, which is one itself',
      { 'skillpack.json': project({ skills: ['.', 'b'] }), 'SKILL.md': skill('a'), 'b/SKILL.md': skill('b') },
      'INVALID_PROJECT',
      /“b” lies inside the skill in “\.”/u,
    ],
    [
      'twice under one name',
      { 'skillpack.json': project({}), 'a/SKILL.md': skill('x'), 'b/SKILL.md': skill('x') },
      'INVALID_PROJECT',
      /“a” and “b” hold skills of one name, “x”/u,
    ],
  ] as const)('%s is an error', async ([, files, code, message]) => {
    await tree(files);
    const found = await failure();
    expect(found).toMatchObject({ code });
    expect((found as { message: string }).message).toMatch(message);
  });

  test('in a folder that does not exist', async () => {
    await expect(packSkills(join(root, 'none'))).rejects.toSatisfy((error) => SkillsError.is(error, 'FILE_NOT_FOUND'));
    await tree({ file: '' });
    await expect(packSkills(join(root, 'file'))).rejects.toSatisfy((error) => SkillsError.is(error, 'FILE_NOT_FOUND'));
  });

  test('a broken skillpack.json is an error', async () => {
    await tree({ 'skillpack.json': '{', 'SKILL.md': skill('a') });
    expect(await failure()).toMatchObject({ code: 'INVALID_PROJECT' });
  });
});

describe('the name of a skill', () => {
  const options = { org: 'acme', version: '1.0.0' } as const;

  test('is its own, not that of its folder', async () => {
    await tree({ 'skillpack.json': project({}), 'folder/SKILL.md': skill('pdf') });
    const pack = await packSkills(root);
    expect(pack.manifest.skills[0]).toMatchObject({ name: 'pdf', path: 'pdf' });
    expect(pack.diagnostics).toContainEqual(
      expect.objectContaining({ code: 'name-not-folder', path: 'folder/SKILL.md', line: 2 }),
    );
  });

  test('is that of its folder when its own cannot be one', async () => {
    await tree({ 'skillpack.json': project({}), 'pdf/SKILL.md': skill('PDF Tools') });
    const pack = await packSkills(root);
    expect(pack.manifest.skills[0]?.name).toBe('pdf');
    expect(pack.diagnostics).toContainEqual(expect.objectContaining({ code: 'packed-as-folder', severity: 'warning' }));
    expect(pack.diagnostics.map(({ code }) => code)).not.toContain('name-not-folder');
  });

  test('and its text have to be written before it is published', async () => {
    await tree({ 'SKILL.md': skillTemplate('pdf') });
    const { diagnostics } = await packSkills(root, options);
    expect(diagnostics.filter(({ code }) => code === 'placeholder-text')).toMatchObject([{ line: 1 }, { line: 5 }]);
  });

  test('has to be one of the two', async () => {
    await tree({ 'skillpack.json': project({}), 'My Folder/SKILL.md': skill('PDF Tools') });
    expect(await failure(options)).toMatchObject({
      code: 'INVALID_SKILL',
      hint: expect.stringContaining('“name: pdf-tools”'),
    });
  });

  test('a skill.md is packed as SKILL.md', async () => {
    await tree({ 'skillpack.json': project({}), 'pdf/skill.md': skill('pdf') });
    const pack = await packSkills(root);
    expect(pack.manifest.files.map(({ path }) => path)).toEqual(['pdf/SKILL.md']);
    expect(pack.diagnostics).toContainEqual(expect.objectContaining({ code: 'file-name', path: 'pdf/skill.md' }));
  });

  test('an unusable SKILL.md is named with its line', async () => {
    await tree({ 'skillpack.json': project({}), 'skills/pdf/SKILL.md': 'No front matter.\n' });
    const found = await failure();
    expect(found).toMatchObject({ code: 'INVALID_SKILL' });
    expect((found as { message: string }).message).toMatch(/^skills\/pdf\/SKILL\.md:1: /u);
  });
});

describe('what stays out', () => {
  test('is what nobody means to publish', async () => {
    await tree({
      'skillpack.json': project({}),
      'pdf/SKILL.md': skill('pdf'),
      'pdf/.git/config': '',
      'pdf/node_modules/x/index.js': '',
      'pdf/__pycache__/a.pyc': '',
      'pdf/b.pyc': '',
      'pdf/.DS_Store': '',
      'pdf/Thumbs.db': '',
      'pdf/.vscode/settings.json': '',
      'pdf/a.txt~': '',
      'pdf/.a.swp': '',
      'pdf/.skillpack/x': '',
      'pdf/.gitignore': '*.tmp',
      'pdf/kept.tmp': '',
    });
    const pack = await packSkills(root);
    expect(pack.manifest.files.map(({ path }) => path)).toEqual(['pdf/.gitignore', 'pdf/SKILL.md', 'pdf/kept.tmp']);
    expect(pack.ignored).toContain('pdf/node_modules/');
    expect(pack.ignored).toHaveLength(10);
  });

  test('is what .skillpackignore says, deeper files outweighing it', async () => {
    await tree({
      'skillpack.json': project({}),
      '.skillpackignore': '# not for others\n*.draft\n/pdf/notes/\n!.vscode\n',
      'pdf/SKILL.md': skill('pdf'),
      'pdf/a.draft': '',
      'pdf/notes/b': '',
      'pdf/.vscode/x': '',
      'pdf/deep/.skillpackignore': '!keep.draft\nout\n',
      'pdf/deep/keep.draft': '',
      'pdf/deep/out': '',
      'pdf/out': '',
    });
    expect(await packedPaths()).toEqual(['pdf/.vscode/x', 'pdf/SKILL.md', 'pdf/deep/keep.draft', 'pdf/out']);
  });

  test('is what `files` does not take', async () => {
    await tree({
      'skillpack.json': project({ files: ['pdf/scripts', '*/data/*.csv', '!**/secret.csv'] }),
      'pdf/SKILL.md': skill('pdf'),
      'pdf/scripts/deep/a.py': '',
      'pdf/data/a.csv': '',
      'pdf/data/secret.csv': '',
      'pdf/notes.md': '',
    });
    expect(await packedPaths()).toEqual(['pdf/SKILL.md', 'pdf/data/a.csv', 'pdf/scripts/deep/a.py']);
  });

  test('are the project’s own files beside a skill at its root', async () => {
    await tree({
      'skillpack.json': project({}),
      'skillpack-lock.json': '{}',
      '.agents/skills/x/SKILL.md': skill('x'),
      'SKILL.md': skill('pdf'),
    });
    expect(await packedPaths()).toEqual(['pdf/SKILL.md']);
  });

  test('is the pack made before, so that packing twice makes the same', async () => {
    await tree({ 'SKILL.md': skill('pdf') });
    const options = { org: 'acme', version: '1.0.0' } as const;
    const first = await packSkills(root, options);
    await tree({ 'acme-pdf-1.0.0.tgz': first.archive });
    expect((await packSkills(root, options)).digest).toBe(first.digest);
  });

  test('are secrets, with a warning', async () => {
    await tree({
      'skillpack.json': project({}),
      'pdf/SKILL.md': skill('pdf'),
      'pdf/.env': 'TOKEN=x',
      'pdf/.env.local': 'TOKEN=x',
      'pdf/.env.example': 'TOKEN=',
      'pdf/keys/id_rsa': '',
      'pdf/key.pem': '-----BEGIN RSA PRIVATE KEY-----\n',
      'pdf/ca.pem': '-----BEGIN CERTIFICATE-----\n',
    });
    const pack = await packSkills(root);
    expect(pack.manifest.files.map(({ path }) => path)).toEqual(['pdf/.env.example', 'pdf/SKILL.md', 'pdf/ca.pem']);
    const warned = pack.diagnostics.filter(({ code }) => code === 'secret-left-out');
    expect(warned.map(({ path, severity }) => [path, severity])).toEqual([
      ['pdf/.env', 'warning'],
      ['pdf/.env.local', 'warning'],
      ['pdf/key.pem', 'warning'],
      ['pdf/keys/id_rsa', 'warning'],
    ]);
  });

  test('must not be SKILL.md itself', async () => {
    await tree({ 'skillpack.json': project({}), '.skillpackignore': '*.md', 'pdf/SKILL.md': skill('pdf') });
    expect(await failure()).toMatchObject({ code: 'INVALID_SKILL' });
  });
});

describe.skipIf(process.platform === 'win32')('what is refused', () => {
  beforeEach(() => tree({ 'skillpack.json': project({}), 'pdf/SKILL.md': skill('pdf') }));

  test('PSA-32: a link, named with its target', async () => {
    await symlink('/etc/passwd', join(root, 'pdf/users'));
    expect(await failure()).toMatchObject({
      code: 'INVALID_PATH',
      message: '“pdf/users” is a link to “/etc/passwd”. A pack holds no links.',
    });
  });

  test('PSA-32: a link that is a skill folder', async () => {
    await symlink('pdf', join(root, 'again'));
    expect(await failure()).toMatchObject({
      code: 'INVALID_PATH',
      message: '“again” is a link to “pdf”. A pack holds no links.',
    });
  });

  test('but not a link that is left out', async () => {
    await tree({ '.skillpackignore': 'users' });
    await symlink('/etc/passwd', join(root, 'pdf/users'));
    expect(await packedPaths()).toEqual(['pdf/SKILL.md']);
  });

  test('a name that Windows cannot have', async () => {
    await tree({ 'pdf/nul.txt': '' });
    expect(await failure()).toMatchObject({
      code: 'INVALID_PATH',
      message: '“pdf/nul.txt” cannot be packed: it is the name of a device on Windows.',
    });
  });

  test('two names that are one on macOS', async () => {
    await tree({ 'pdf/a.md': '', 'pdf/A.md': '' });
    expect(await failure()).toMatchObject({ code: 'INVALID_PATH', hint: expect.stringContaining('Rename one') });
  });

  test('too much', async () => {
    const { defaultArchiveLimits } = await import('@skillpack/core');
    await tree({ 'pdf/a': 'x'.repeat(1000), 'pdf/b': 'x'.repeat(1000) });
    for (const limits of [{ fileBytes: 900 }, { unpackedBytes: 1500 }, { entries: 3 }, { archiveBytes: 100 }]) {
      expect(await failure({ limits: { ...defaultArchiveLimits, ...limits } })).toMatchObject({
        code: 'FILE_TOO_LARGE',
      });
    }
  });

  test('too many files, before one more is read', async () => {
    const { defaultArchiveLimits } = await import('@skillpack/core');
    await tree({ 'pdf/a': '', 'pdf/b': '', 'pdf/large': 'x'.repeat(1000), 'table/SKILL.md': skill('table') });
    const limits = { ...defaultArchiveLimits, fileBytes: 900 };
    const message = (most: number) => `The pack would have more files than the ${most} that go beside its manifest.`;
    expect(await failure({ limits: { ...limits, entries: 3 } })).toMatchObject({ message: message(2) });
    await rm(join(root, 'pdf/large'));
    expect(await failure({ limits: { ...limits, entries: 4 } })).toMatchObject({ message: message(3) });
    expect(await failure({ limits: { ...limits, entries: 5 } })).toBe('packed');
  });

  test('more bytes than a pack may have, those of all its skills together', async () => {
    const { defaultArchiveLimits } = await import('@skillpack/core');
    await tree({ 'table/SKILL.md': skill('table'), 'pdf/a': 'x'.repeat(600), 'table/b': 'x'.repeat(600) });
    const unpackedBytes = 1000 + 2 * skill('table').length;
    expect(await failure({ limits: { ...defaultArchiveLimits, unpackedBytes } })).toMatchObject({
      code: 'FILE_TOO_LARGE',
      message: `The files of the pack have more than the ${unpackedBytes} bytes allowed.`,
    });
  });

  test.skipIf(process.platform === 'win32')(
    'a FIFO or a device in place of skillpack.json, without waiting for it',
    async () => {
      const path = join(root, 'skillpack.json');
      const refused = { code: 'IO_ERROR', message: '<root>/skillpack.json is not a regular file.' };
      await rm(path);
      execFileSync('mkfifo', [path]);
      expect(await failure()).toMatchObject(refused);
      await rm(path);
      await symlink('/dev/zero', path);
      expect(await failure()).toMatchObject(refused);
    },
  );

  test.each(['skillpack.json', '.skillpackignore'])('a %s that is too large, before it is read', async (name) => {
    await writeFile(join(root, name), '');
    await truncate(join(root, name), 5 * 1024 * 1024 * 1024);
    expect(await failure()).toMatchObject({ code: 'FILE_TOO_LARGE' });
  });

  test.skipIf(process.platform === 'win32')('a file that cannot be read, by its name', async () => {
    await tree({ 'pdf/closed': '' });
    await chmod(join(root, 'pdf/closed'), 0);
    expect(await withoutPrivileges(() => failure())).toMatchObject({
      code: 'IO_ERROR',
      message: '“<root>/pdf/closed” cannot be read (EACCES).',
    });
  });

  test('a cancelled call', async () => {
    expect(await failure({ signal: AbortSignal.abort() })).toMatchObject({ code: 'INTERRUPTED' });
  });
});

test('PSA-34: where files have no mode, a script is executable by its first line', async () => {
  await tree({
    'skillpack.json': project({}),
    'pdf/SKILL.md': skill('pdf'),
    'pdf/a.py': '#!/usr/bin/env python3\n',
    'pdf/b.py': 'print()\n',
  });
  await chmod(join(root, 'pdf/a.py'), 0o644);
  const { manifest } = await packSkills(root, { executable: 'shebang' });
  expect(manifest.files.map(({ path, executable }) => [path, executable])).toEqual([
    ['pdf/SKILL.md', false],
    ['pdf/a.py', true],
    ['pdf/b.py', false],
  ]);
});
