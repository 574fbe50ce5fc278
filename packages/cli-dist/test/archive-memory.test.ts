import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ArchiveReader, OpenedArchive } from '@skillpack/core';
import { expect, test } from 'vitest';
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
