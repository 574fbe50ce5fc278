import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SkillsError, type SkillFile } from '@skillpack/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { descriptorAccess, hasDescriptorAccess } from './descriptor-access.js';
import type { FolderAccess } from './folder-access.js';
import { listConfinedFiles, type ListConfinedFilesOptions } from './list-confined-files.js';
import { pathAccess } from './path-access.js';

let base = '';
let skill = '';
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'skillpack-list-')));
  skill = join(base, 'pdf');
  put('pdf/SKILL.md', 'the skill');
  put('secrets/secret', 'the secret');
});
afterEach(() => {
  rmSync(base, { recursive: true, force: true });
});

function put(path: string | Buffer, text: string): void {
  if (typeof path === 'string') mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(typeof path === 'string' ? join(base, path) : path, text);
}

const accesses: readonly (readonly [string, FolderAccess])[] = [
  ['by descriptors', descriptorAccess],
  ['by paths', pathAccess],
];

describe.each(accesses.filter(([, access]) => access === pathAccess || hasDescriptorAccess()))('%s', (_, access) => {
  async function list(options: Partial<ListConfinedFilesOptions> = {}): Promise<readonly SkillFile[]> {
    return listConfinedFiles(skill, { maxFiles: 100, maxDepth: 9, access, ...options });
  }

  async function paths(options: Partial<ListConfinedFilesOptions> = {}): Promise<readonly string[]> {
    return (await list(options)).map(({ path }) => path);
  }

  test('SAA-01: the files of every folder are listed by path, with their sizes and what can be run', async () => {
    put('pdf/custom-scripts/run.sh', 'echo');
    put('pdf/custom-scripts/.hidden', '');
    put('pdf/a/b/c.txt', 'deep');
    chmodSync(join(skill, 'custom-scripts/run.sh'), 0o755);
    expect(await list()).toEqual([
      { path: 'SKILL.md', size: 9, executable: false },
      { path: 'a/b/c.txt', size: 4, executable: false },
      { path: 'custom-scripts/.hidden', size: 0, executable: false },
      { path: 'custom-scripts/run.sh', size: 4, executable: process.platform !== 'win32' },
    ]);
  });

  test('the file that has to be there is listed however many others there are, and only where it is', async () => {
    for (let at = 0; at < 60; at += 1) put(`pdf/A${at}`, '');
    const listed = await paths({ maxFiles: 3, first: 'SKILL.md' });
    expect(listed).toHaveLength(3);
    expect(listed).toContain('SKILL.md');
    expect(await paths({ first: 'SKILL.md' })).toHaveLength(61);
    expect(await paths({ maxFiles: 3 })).not.toContain('SKILL.md');
    expect(await paths({ first: 'none.md' })).not.toContain('none.md');
    put('pdf/sub/SKILL.md', '');
    symlinkSync(join(base, 'secrets/secret'), join(skill, 'leads-out'));
    expect(await paths({ maxFiles: 3, first: 'leads-out' })).not.toContain('leads-out');
  });

  test('what tools keep in .git and node_modules is left out, at any depth', async () => {
    for (const path of ['.git/config', 'node_modules/x/index.js', 'a/node_modules/y.js', 'a/.git/z'])
      put(`pdf/${path}`, '');
    put('pdf/a/kept', '');
    expect(await paths()).toEqual(['SKILL.md', 'a/kept']);
  });

  test.skipIf(process.platform === 'win32')(
    'PSA-22: a link to a file inside is listed as that file; one that leads out, or to a folder, is not',
    async () => {
      put('pdf/docs/forms.md', 'forms');
      symlinkSync('docs/forms.md', join(skill, 'FORMS.md'));
      symlinkSync('docs', join(skill, 'more'));
      symlinkSync('..', join(skill, 'docs/up'));
      symlinkSync('../secrets', join(skill, 'out'));
      symlinkSync('../secrets/secret', join(skill, 'secret'));
      symlinkSync('nowhere', join(skill, 'broken'));
      execFileSync('mkfifo', [join(skill, 'pipe')]);
      expect((await list()).map(({ path, size }) => `${path} ${size}`)).toEqual([
        'FORMS.md 5',
        'SKILL.md 9',
        'docs/forms.md 5',
      ]);
    },
  );

  test('those nearer to the top come first where there are too many, and nothing lies too deep', async () => {
    for (let index = 0; index < 20; index += 1) put(`pdf/a/${index}`, '');
    put('pdf/a/b/c/d', '');
    expect(await paths({ maxFiles: 5 })).toHaveLength(5);
    expect(await paths({ maxFiles: 5 })).toContain('SKILL.md');
    expect(await paths({ maxDepth: 0 })).toEqual(['SKILL.md']);
    expect(await paths({ maxDepth: 2 })).not.toContain('a/b/c/d');
    expect(await paths({ maxDepth: 3 })).toContain('a/b/c/d');
  });

  test('folders without end are looked at up to a limit', async () => {
    for (let index = 0; index < 300; index += 1) mkdirSync(join(skill, 'many', `${index}`), { recursive: true });
    put('pdf/many/299/file', '');
    put('pdf/many/0/file', '');
    expect(await paths({ maxFiles: 10 })).toEqual(['SKILL.md']);
    expect(await paths({ maxFiles: 200 })).toEqual(['SKILL.md', 'many/0/file', 'many/299/file']);
  });

  test.skipIf(process.platform !== 'linux')(
    'a name that is no Unicode can be no path, and hides no other',
    async () => {
      put(Buffer.concat([Buffer.from(`${skill}/a`), Buffer.from([0xff])]), 'odd');
      put('pdf/b\uFFFD', 'even');
      put(Buffer.concat([Buffer.from(`${skill}/b`), Buffer.from([0xfe])]), 'odd');
      expect(await paths()).toEqual(['SKILL.md', 'b\uFFFD']);
    },
  );

  test('a folder that is gone is an error; one below it that is closed to this person holds nothing', async () => {
    put('pdf/closed/file', '');
    chmodSync(join(skill, 'closed'), 0);
    chmodSync(base, 0o755);
    chmodSync(skill, 0o755);
    const asRoot = process.getuid?.() === 0;
    // Nothing is refused to root. A process that changed its user has no descriptors under /proc, as in a container.
    if (asRoot && access === pathAccess) process.seteuid?.(65_534);
    try {
      if (access === pathAccess || !asRoot) expect(await paths()).toEqual(['SKILL.md']);
    } finally {
      if (asRoot && access === pathAccess) process.seteuid?.(0);
      chmodSync(join(skill, 'closed'), 0o755);
    }
    rmSync(skill, { recursive: true });
    await expect(list()).rejects.toSatisfy((error) => SkillsError.is(error, 'FILE_NOT_FOUND'));
  });

  test('listing can be cancelled', async () => {
    await expect(list({ signal: AbortSignal.abort() })).rejects.toSatisfy((error) =>
      SkillsError.is(error, 'INTERRUPTED'),
    );
  });
});
