import { mkdirSync, readdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from '../world.js';
import { mine, replaceWith, type Sickness } from './sickness.js';

/** The archives of a world's store, by their paths. */
function archivesOf({ dir }: World): readonly string[] {
  const blobs = join(dir, 'cache/blobs/sha256');
  return readdirSync(blobs).flatMap((folder) =>
    readdirSync(join(blobs, folder)).map((name) => join(blobs, folder, name)),
  );
}

/** Caches that are damaged or blocked. */
export const sickStores: readonly Sickness[] = [
  {
    state: 'archives in the cache with other bytes',
    finds: ['damaged-archive', 'damaged-archive'],
    cure: 'repair',
    harm: (world) => {
      for (const path of archivesOf(world)) writeFileSync(path, 'x');
    },
  },
  {
    state: 'an archive in the cache that was being written an hour ago',
    finds: ['leftover-temporary-file'],
    cure: 'repair',
    harm: (world) => {
      const path = join(archivesOf(world)[0]!, '../.skillpack-tmp-0123456789abcdef');
      writeFileSync(path, 'half');
      const then = Date.now() / 1000 - 2 * 60 * 60;
      utimesSync(path, then, then);
    },
  },
  {
    state: 'a folder in place of an archive in the cache',
    finds: ['blocked-path'],
    cure: 'person',
    harm: (world) =>
      replaceWith(archivesOf(world)[0]!, (path) => {
        mkdirSync(path);
        writeFileSync(join(path, 'mine.md'), mine);
      }),
    byHand: (world) => {
      const blocked = archivesOf(world).find((path) =>
        readdirSync(join(path, '..'), { withFileTypes: true })[0]!.isDirectory(),
      );
      renameSync(blocked!, join(world.dir, 'moved'));
    },
  },
  {
    state: 'a link in place of a folder of the cache',
    finds: ['blocked-path'],
    cure: 'person',
    harm: ({ dir }) => {
      renameSync(join(dir, 'cache/blobs'), join(dir, 'elsewhere'));
      symlinkSync(join(dir, 'elsewhere'), join(dir, 'cache/blobs'));
    },
    byHand: ({ dir }) => renameSync(join(dir, 'cache/blobs'), join(dir, 'moved')),
  },
];
