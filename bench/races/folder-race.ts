import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { compareTrees } from '../fixtures/compare-trees.ts';
import { skillFolders } from '../fixtures/skill-trees.ts';
import type { Race } from '../measure/contestant.ts';
import { sized, type BenchWorld, type Place } from './bench-world.ts';
import { skillsProject } from './skills-project.ts';

/** Installs 500 skills from folders on the same disk. */
export async function folderRace(world: BenchWorld, place: Place): Promise<Race> {
  const count = sized(500, world);
  const folders = await skillFolders(count, world.cache);
  const project = skillsProject(world.folder(place, 'folder'), world.command);
  const base = world.folder(place, 'folder-cp');
  const quoted = folders.map((folder) => `'${folder}'`).join(' ');
  return {
    job: `${count} skills from ${folders.length === 1 ? 'a folder' : `${folders.length} folders`}`,
    ours: {
      name: '`skills install ./folder`',
      script: project.line(`install ${quoted}`),
      cwd: project.folder,
      env: project.env,
      prepare: () => project.reset({}),
      check: async () => {
        for (const folder of folders) await project.check(folder);
      },
    },
    rivals: [
      {
        contestant: {
          name: '`cp -r` plus `node -e 0`',
          script: `cp -r ${quoted} . && "$NODE" -e 0`,
          cwd: base,
          lacks: 'nothing is verified or flushed',
          prepare: () => rm(base, { recursive: true, force: true }),
          check: async () => {
            for (const folder of folders) await compareTrees(folder, join(base, folder.split('/').at(-1) ?? ''));
          },
        },
        bar: 3,
        aim: 2,
      },
    ],
  };
}
