import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ArchiveReader, OpenedArchive } from '@skillpack/core';
import { describe, expect, test } from 'vitest';
import { createArchiveReader } from '../src/archive/archive-reader.js';
import { makeWorld, packed, skill } from './world.js';

const large = { ...skill('pdf'), 'large.txt': 'x'.repeat(Buffer.poolSize) };

/** The reader, and every archive that it opened. */
function watchedReader(): { readonly archives: ArchiveReader; readonly opened: OpenedArchive[] } {
  const opened: OpenedArchive[] = [];
  const reader = createArchiveReader();
  const open: ArchiveReader['open'] = async (archive, options) => {
    const one = await reader.open(archive, options);
    opened.push(one);
    return one;
  };
  return { archives: { open }, opened };
}

async function textOf(archive: OpenedArchive): Promise<string> {
  let text = '';
  for await (const { chunks } of archive.contents()) {
    for await (const chunk of chunks) text += Buffer.from(chunk).toString();
  }
  return text;
}

test('the memory of an archive is given back once it is staged, whether it was downloaded or kept', async () => {
  const { archives, opened } = watchedReader();
  const world = makeWorld({ archives });
  await world.offer({ name: 'org/pdf', version: '1.0.0', skills: { pdf: large } });
  await world.install(['org/pdf']);
  const first = world.tree();
  rmSync(join(world.project, '.agents'), { recursive: true });
  await world.install([], { frozen: true });
  expect(world.tree()).toEqual(first);
  expect(opened).toHaveLength(2);
  for (const archive of opened) await expect(textOf(archive)).rejects.toThrow('after its release');
});

test('an archive that was released takes no memory, and what others have in the pool of Node’s buffers stays', async () => {
  const archive = await createArchiveReader().open(
    packed({ name: 'org/pdf', version: '1.0.0', skills: { pdf: large } }).archive,
  );
  const views: Uint8Array[] = [];
  for await (const { chunks } of archive.contents()) for await (const chunk of chunks) views.push(chunk);
  expect(views.map(({ length }) => length)).toContain(Buffer.poolSize);
  archive.release();
  archive.release();
  expect(views.map(({ length }) => length)).toEqual(views.map(() => 0));

  const shared = Buffer.from('of somebody else');
  const small = await createArchiveReader().open(
    packed({ name: 'org/pdf', version: '1.0.0', skills: { pdf: skill('pdf') } }).archive,
  );
  const text = await textOf(small);
  small.release();
  expect(shared.toString()).toBe('of somebody else');
  expect(await textOf(small)).toBe(text);
});

describe('PSA-32: many large archives', () => {
  const MiB = 2 ** 20;
  // Of six bits a character: as an archive, 13 MiB.
  const noise = randomBytes(13 * MiB).toString('base64');

  /** Installs four zips: anew, from the store, and by a lock file alone, which states no sizes. */
  async function bytesAtOnce(): Promise<readonly number[]> {
    const reader = createArchiveReader();
    let [bytes, most] = [0, 0];
    const world = makeWorld({
      archives: {
        async open(archive, options) {
          const size = archive instanceof Uint8Array ? archive.length : archive.size;
          bytes += size;
          most = Math.max(most, bytes);
          const opened = await reader.open(archive, options);
          const release = (): void => {
            opened.release();
            bytes -= size;
          };
          return { ...opened, release };
        },
      },
    });
    const names = ['a', 'b', 'c', 'd'];
    for (const name of names) {
      await world.offer({
        name: `org/${name}`,
        version: '1.0.0',
        format: 'zip',
        skills: { [name]: { ...skill(name), 'noise.txt': noise } },
      });
    }
    const seen: number[] = [];
    for (const gone of [[], ['project/.agents'], ['project/.agents', 'cache']]) {
      for (const folder of gone) rmSync(join(world.dir, folder), { recursive: true });
      most = 0;
      await world.install(gone.length === 0 ? names.map((name) => `org/${name}`) : [], { frozen: gone.length > 0 });
      expect(bytes).toBe(0);
      seen.push(most);
    }
    return seen;
  }

  test('go a few at a time where each is read into memory', { timeout: 60_000 }, async () => {
    for (const bytes of await bytesAtOnce()) {
      expect(bytes).toBeGreaterThan(13 * MiB);
      expect(bytes).toBeLessThanOrEqual(48 * MiB);
    }
  });
});
