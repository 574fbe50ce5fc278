import { execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SkillsError, type ErrorCode } from '@skillpack/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { descriptorAccess, hasDescriptorAccess } from './descriptor-access.js';
import type { FolderAccess } from './folder-access.js';
import { pathAccess } from './path-access.js';
import { readConfinedFile, type ReadConfinedFileOptions } from './read-confined-file.js';

let base = '';
let skill = '';
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'skillpack-confined-')));
  skill = join(base, 'pdf');
  put('pdf/SKILL.md', 'the skill');
  put('secret', 'the secret');
  put('pdf-other/file', 'of another skill');
});
afterEach(() => {
  rmSync(base, { recursive: true, force: true });
});

function put(path: string, text: string): void {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
}

function link(target: string, path: string): void {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  symlinkSync(target, join(base, path));
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    // That of the listing itself is gone.
    return 'gone';
  }
}

const accesses: readonly (readonly [string, FolderAccess])[] = [
  ['by descriptors', descriptorAccess],
  ['by paths', pathAccess],
];

describe.each(accesses.filter(([, access]) => access === pathAccess || hasDescriptorAccess()))('%s', (_, access) => {
  async function read(path: string, options: Partial<ReadConfinedFileOptions> = {}): Promise<string> {
    return Buffer.from(await readConfinedFile(skill, path, { maxBytes: 1000, access, ...options })).toString();
  }

  async function codeOf(path: string, options: Partial<ReadConfinedFileOptions> = {}): Promise<ErrorCode | 'read'> {
    try {
      await read(path, options);
      return 'read';
    } catch (error) {
      if (!SkillsError.is(error)) throw error;
      return error.code;
    }
  }

  test('SAA-01: a file is read wherever it lies in the folder', async () => {
    put('pdf/custom-scripts/a/b/run.sh', 'echo');
    expect(await read('SKILL.md')).toBe('the skill');
    expect(await read('custom-scripts/a/b/run.sh')).toBe('echo');
    put('pdf/empty', '');
    expect(await read('empty')).toBe('');
  });

  test.each(['../secret', '/etc/passwd', 'a/../../secret', '..', 'references/..', '/', '//etc/passwd'])(
    'PSA-22: %s does not stay in the folder',
    async (path) => {
      put('pdf/references/forms.md', 'forms');
      expect(await codeOf(path)).toBe('PATH_TRAVERSAL_BLOCKED');
    },
  );

  test.each([
    '',
    '.',
    './SKILL.md',
    'a//b',
    'SKILL.md/',
    'SKILL.md\0.png',
    'SKILL.md/x',
    'absent',
    'absent/x',
    'x'.repeat(300),
    `${'x/'.repeat(2500)}x`,
  ])('PSA-22: %j is no file', async (path) => {
    expect(await codeOf(path)).toBe('FILE_NOT_FOUND');
  });

  test('PSA-22: a folder is no file', async () => {
    put('pdf/references/forms.md', 'forms');
    expect(await codeOf('references')).toBe('FILE_NOT_FOUND');
  });

  test('PSA-22: a link that leads out is refused, at the end of a path and in it', async () => {
    link('../secret', 'pdf/relative');
    link(join(base, 'secret'), 'pdf/absolute');
    link('..', 'pdf/up');
    link('/', 'pdf/root');
    link('../pdf-other', 'pdf/other');
    link(join(base, 'pdf-other'), 'pdf/absolute-other');
    link('sub/../../secret', 'pdf/through');
    put('pdf/sub/x', 'x');
    link('../..', 'pdf/sub/far');
    link('/proc/self/root', 'pdf/proc');
    link('/proc/self/cwd', 'pdf/cwd');
    const paths = ['relative', 'absolute', 'up/secret', `root${base}/secret`, 'other/file', 'absolute-other/file'];
    for (const path of [
      ...paths,
      'through',
      'sub/far/secret',
      `proc${base}/secret`,
      'cwd/package.json',
      'up/pdf/SKILL.md',
    ]) {
      expect([path, await codeOf(path)]).toEqual([path, 'PATH_TRAVERSAL_BLOCKED']);
    }
  });

  test('PSA-22: a link that stays in the folder is followed', async () => {
    put('pdf/references/forms.md', 'forms');
    put('pdf/a/b/c', 'deep');
    link('references/forms.md', 'pdf/FORMS.md');
    link(join(skill, 'references'), 'pdf/docs');
    link('../../references/./forms.md', 'pdf/a/b/back');
    link('.', 'pdf/here');
    expect(await read('FORMS.md')).toBe('forms');
    expect(await read('docs/forms.md')).toBe('forms');
    expect(await read('a/b/back')).toBe('forms');
    expect(await read('here/here/a/b/c')).toBe('deep');
    link(skill, 'pdf/self');
    expect(await read('self/SKILL.md')).toBe('the skill');
  });

  test('PSA-22: links in a circle, and more than eight of them, are refused', async () => {
    link('two', 'pdf/one');
    link('one', 'pdf/two');
    expect(await codeOf('one')).toBe('PATH_TRAVERSAL_BLOCKED');
    link('SKILL.md', 'pdf/l1');
    for (let index = 2; index <= 9; index += 1) link(`l${index - 1}`, `pdf/l${index}`);
    expect(await read('l8')).toBe('the skill');
    expect(await codeOf('l9')).toBe('PATH_TRAVERSAL_BLOCKED');
    link('here/'.repeat(300), 'pdf/long');
    link('.', 'pdf/here');
    expect(['PATH_TRAVERSAL_BLOCKED', 'FILE_NOT_FOUND']).toContain(await codeOf('long'));
  });

  test('PSA-22: a link to nothing, and a file that is used as a folder, are no files', async () => {
    link('nowhere', 'pdf/broken');
    link('SKILL.md/..', 'pdf/odd');
    expect(await codeOf('broken')).toBe('FILE_NOT_FOUND');
    expect(await codeOf('odd')).toBe('FILE_NOT_FOUND');
  });

  test('PSA-22: a folder that became a link after it was listed is not gone through', async () => {
    put('outside/SKILL.md', 'the secret');
    rmSync(skill, { recursive: true });
    link('outside', 'pdf');
    expect(await codeOf('SKILL.md')).toBe('PATH_TRAVERSAL_BLOCKED');
    rmSync(skill);
    expect(await codeOf('SKILL.md')).toBe('FILE_NOT_FOUND');
  });

  test.skipIf(process.platform === 'win32')(
    'PSA-22: pipes, sockets and devices are never waited for, nor opened',
    async () => {
      execFileSync('mkfifo', [join(skill, 'pipe')]);
      const server = createServer();
      await new Promise<void>((resolve) => {
        server.listen(join(skill, 'socket'), resolve);
      });
      expect(await codeOf('pipe')).toBe('FILE_NOT_FOUND');
      expect(await codeOf('socket')).toBe('FILE_NOT_FOUND');
      await new Promise((resolve) => {
        server.close(resolve);
      });
      link('/dev/zero', 'pdf/zero');
      expect(await codeOf('zero')).toBe('PATH_TRAVERSAL_BLOCKED');
    },
  );

  test('PSA-22: names are Unicode, in every form, and no character of them is more than a character', async () => {
    for (const name of [
      '日本語.md',
      'cafe\u0301',
      'caf\u00E9.txt',
      '\u202Egnp.exe',
      '．．',
      ' ',
      '~',
      '$HOME',
      '%2e%2e',
      'a b',
      '-rf',
      '*',
    ]) {
      put(`pdf/${name}`, `of ${name}`);
      expect(await read(name)).toBe(`of ${name}`);
    }
    expect(await codeOf('．．/secret')).toBe('FILE_NOT_FOUND');
    expect(await codeOf('%2e%2e/secret')).toBe('FILE_NOT_FOUND');
  });

  test('a file over the limit is refused before it is read; one of just that size is not', async () => {
    put('pdf/large', 'x'.repeat(1001));
    expect(await codeOf('large')).toBe('FILE_TOO_LARGE');
    expect(await codeOf('large', { maxBytes: 1001 })).toBe('read');
    truncateSync(join(skill, 'large'), 2 ** 40);
    expect(await codeOf('large')).toBe('FILE_TOO_LARGE');
  });

  test('a file that grows while it is read ends at the limit', async () => {
    put('pdf/log', 'x'.repeat(500));
    const { signal } = new AbortController();
    // It is asked after the size was seen to be fine, and before each piece is read.
    Object.defineProperty(signal, 'aborted', {
      get() {
        appendFileSync(join(skill, 'log'), 'y'.repeat(400));
        return false;
      },
    });
    expect(await codeOf('log', { signal })).toBe('FILE_TOO_LARGE');
  });

  test('reading can be cancelled', async () => {
    expect(await codeOf('SKILL.md', { signal: AbortSignal.abort() })).toBe('INTERRUPTED');
  });

  test('a hard link is a file like others', async () => {
    linkSync(join(base, 'secret'), join(skill, 'hard'));
    expect(await read('hard')).toBe('the secret');
  });

  test.skipIf(process.platform !== 'linux')('no descriptor stays open, whatever comes of a read', async () => {
    link('../secret', 'pdf/out');
    link('SKILL.md', 'pdf/in');
    // Folders and what is below; of the sockets and pipes of the process there may be more or less.
    const open = (): readonly string[] =>
      readdirSync('/proc/self/fd')
        .map((name) => linkOf(`/proc/self/fd/${name}`))
        .filter((place) => place.startsWith(base) || base.startsWith(place));
    const before = open();
    for (let round = 0; round < 20; round += 1) {
      for (const path of ['SKILL.md', 'out', 'in', 'absent', 'SKILL.md/x', '..']) await codeOf(path);
      await codeOf('SKILL.md', { maxBytes: 1 });
      await codeOf('SKILL.md', { signal: AbortSignal.abort() });
    }
    expect(open()).toEqual(before);
  });
});
