import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ArchiveInput } from '@skillpack/core';
import { createArchiveReader, createArchiveWriter } from '../../src/index.js';
import { skillText } from './hostile-archive.js';
import { oddArchives } from './odd-archives.js';
import { extractors, readWithNodeTar, readWithProgram, readWithYauzl, type Tree } from './other-readers.js';
import { readArchive } from './read-archive.js';

let work: string;

beforeEach(async () => {
  work = await mkdtemp(join(tmpdir(), 'skillpack-'));
});

afterEach(() => rm(work, { recursive: true }));

/** Without the files that our reader names as ignored: others unpack those too. */
async function without(tree: Tree, archive: Buffer): Promise<Tree> {
  const { ignored } = await createArchiveReader().open(archive);
  return Object.fromEntries(Object.entries(tree).filter(([path]) => !ignored.includes(path)));
}

function texts(tree: Tree): Record<string, string> {
  return Object.fromEntries(Object.entries(tree).map(([path, { text }]) => [path.normalize('NFC'), text]));
}

/** Where a program is known to differ, and why we read it as we do. */
const differences: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  tgz: {
    'node-tar: a signed checksum': 'it knows unsigned sums alone',
    'Python tarfile: a mode of 0': 'it makes a file that it cannot read again',
  },
  zip: {
    'yauzl: a name in a code page with a Unicode path': 'asked for undecoded names, it does not look at the field',
    'unzip: UTF-8 names without the flag, as Finder writes': 'it takes them for a code page',
    'Python zipfile: UTF-8 names without the flag, as Finder writes': 'it takes them for a code page',
    'Python zipfile: a Unicode path that agrees': 'it does not know the field',
    'Python zipfile: a name in a code page with a Unicode path': 'it does not know the field',
    'bsdtar: a name in a code page with a Unicode path': 'it does not know the field',
  },
};

describe.for(['tgz', 'zip'] as const)('PSA-32: what is accepted, other readers read alike: %s', (format) => {
  const library = format === 'tgz' ? 'node-tar' : 'yauzl';
  describe.for(oddArchives[format].map((archive) => [archive.oddity, archive] as const))(
    '%s',
    ([oddity, { bytes }]) => {
      test.for(Object.entries(extractors[format]))('%s', async ([program, extractor], context) => {
        const difference = differences[format]?.[`${program}: ${oddity}`];
        const archive = bytes();
        const tree = difference === undefined ? await readWithProgram(archive, extractor, work) : undefined;
        context.skip(tree === undefined, difference ?? `no ${program} here`);
        expect(texts(await without(tree ?? {}, archive))).toEqual(texts(await readArchive(archive)));
      });

      test(library, async (context) => {
        const difference = differences[format]?.[`${library}: ${oddity}`];
        context.skip(difference !== undefined, difference);
        const archive = bytes();
        const tree = await (format === 'tgz' ? readWithNodeTar : readWithYauzl)(archive);
        expect(await without(tree, archive)).toEqual(await readArchive(archive));
      });
    },
  );
});

const name = fc.stringMatching(/^[a-zA-Z0-9_äß日-]{1,40}$/u);
const trees = fc
  .dictionary(
    fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => names.join('/')),
    fc.record({ bytes: fc.uint8Array({ maxLength: 2000 }), executable: fc.boolean() }),
    { maxKeys: 12 },
  )
  .map((files): ArchiveInput[] => [
    { path: 'pdf/SKILL.md', bytes: Buffer.from(skillText), executable: false },
    ...Object.entries(files).map(([path, file]) => ({ path: `pdf/x/${path}`, ...file })),
  ]);

test.for(['tgz', 'zip'] as const)('PSA-32: what is written as %s, every reader reads back', async (format) => {
  await fc.assert(
    fc.asyncProperty(trees, async (files) => {
      const archive = Buffer.from(writeOrSkip(files, format));
      const expected = Object.fromEntries(
        files.map(({ path, bytes, executable }) => [path, { text: Buffer.from(bytes).toString('latin1'), executable }]),
      );
      expect(await readArchive(archive)).toEqual(expected);
      expect(await (format === 'tgz' ? readWithNodeTar : readWithYauzl)(archive)).toEqual(expected);
    }),
    { numRuns: 100 },
  );
});

function writeOrSkip(files: readonly ArchiveInput[], format: 'tgz' | 'zip'): Uint8Array {
  try {
    return createArchiveWriter().write(files, format);
  } catch {
    // Two generated names collide, or one is a device of Windows.
    fc.pre(false);
  }
}
