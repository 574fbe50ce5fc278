import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemDisk, type Disk } from './disk.js';
import { filesOnDisk } from './folder-files.js';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'folder-files-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

const text = (path: string) => readFileSync(join(folder, path), 'utf8');

/** The disk of this machine; `meanwhile` is done right before a file comes into place. */
function diskWith(meanwhile: (to: string) => void): Disk {
  return {
    flush: (path) => systemDisk.flush(path),
    link: async (from, to) => {
      meanwhile(to);
      await systemDisk.link(from, to);
    },
    move: async (from, to) => {
      meanwhile(to);
      await systemDisk.move(from, to);
    },
  };
}

test('a file that another process makes at the last moment is not replaced, and this one is told', async () => {
  const files = filesOnDisk(
    folder,
    diskWith((to) => writeFileSync(to, 'theirs')),
  );
  expect(await files.create('versions/org/pdf/1.0.0.json', 'ours')).toBe(false);
  expect(text('versions/org/pdf/1.0.0.json')).toBe('theirs');
  expect(readdirSync(join(folder, '.tmp'))).toEqual([]);
});

test('of many that create one file at once, one is told so, and its bytes are there', async () => {
  const files = filesOnDisk(folder, systemDisk);
  const made = await Promise.all(Array.from({ length: 16 }, (_, number) => files.create('a/b.json', `${number}`)));
  expect(made.filter(Boolean)).toHaveLength(1);
  expect(text('a/b.json')).toBe(`${made.indexOf(true)}`);
});

test.skipIf(process.platform === 'win32').each(['create', 'replace'] as const)(
  '%s brings the bytes to the disk before the name, and the name, with every new folder in the way, before it is done',
  async (action) => {
    const steps: string[] = [];
    const told = (path: string) => {
      const inside = relative(folder, path);
      return inside.startsWith('.tmp') ? 'staged' : `“${inside}”`;
    };
    const files = filesOnDisk(folder, {
      flush: async (path) => {
        if (told(path) === 'staged') expect(readFileSync(path, 'utf8')).toBe('{}');
        await systemDisk.flush(path);
        steps.push(`flush ${told(path)}`);
      },
      link: async (from, to) => {
        await systemDisk.link(from, to);
        steps.push(`place ${told(from)} ${told(to)}`);
      },
      move: async (from, to) => {
        await systemDisk.move(from, to);
        steps.push(`place ${told(from)} ${told(to)}`);
      },
    });
    mkdirSync(join(folder, 'packs'));
    await files[action]('packs/org/new/pdf.json', '{}');
    const placed = ['flush staged', 'place staged “packs/org/new/pdf.json”'];
    expect(steps).toEqual([...placed, 'flush “packs/org/new”', 'flush “packs/org”', 'flush “packs”']);
    steps.length = 0;
    await files[action]('packs/org/new/other.json', '{}');
    expect(steps).toEqual(['flush staged', 'place staged “packs/org/new/other.json”', 'flush “packs/org/new”']);
  },
);

test('a file is replaced whole, at once', async () => {
  let before = '';
  const files = filesOnDisk(
    folder,
    diskWith((to) => {
      before = readFileSync(to, 'utf8');
    }),
  );
  mkdirSync(dirname(join(folder, 'a/b.json')));
  writeFileSync(join(folder, 'a/b.json'), 'old');
  await files.replace('a/b.json', 'new');
  expect([before, text('a/b.json')]).toEqual(['old', 'new']);
});

const full = (): Promise<never> =>
  Promise.reject(Object.assign(new Error('no space is left on the device'), { code: 'ENOSPC' }));

test.each(['create', 'replace'] as const)(
  '%s leaves nothing of a file that the disk has no room for',
  async (action) => {
    for (const broken of [{ flush: full }, { link: full, move: full }]) {
      const files = filesOnDisk(folder, { ...systemDisk, ...broken });
      await expect(files[action]('blobs/sha256/abc', 'much')).rejects.toMatchObject({
        code: 'IO_ERROR',
        hint: expect.stringMatching(/^Free some space there/u),
      });
      expect(readdirSync(join(folder, '.tmp'))).toEqual([]);
      await expect(files.read('blobs/sha256/abc')).resolves.toBeUndefined();
    }
  },
);

test('creating what is there already needs no room', async () => {
  writeFileSync(join(folder, 'a.json'), 'theirs');
  const files = filesOnDisk(folder, { flush: full, link: full, move: full });
  await expect(files.create('a.json', 'ours')).resolves.toBe(false);
});
