import {
  closeSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { World } from '../world.js';
import { controlOf, makeFifo, mine, type Sickness } from './sickness.js';

const journalOf = (world: World): string => join(controlOf(world), '.transaction.json');
const stagingOf = (world: World): string => join(controlOf(world), '.staging');

/** Dies when an install of `org/new` is decided and nothing of it is done. */
async function dieDecided(world: World): Promise<void> {
  const died = world.install(['org/new'], {
    onEvent: ({ kind }) => {
      if (kind === 'committed') throw new Error('died');
    },
  });
  await died.then(
    () => Promise.reject(new Error('it lives')),
    () => undefined,
  );
}

function stagedFolder(world: World): string {
  return join(stagingOf(world), readdirSync(stagingOf(world))[0]!);
}

const journal = (state: string, harm: Sickness['harm']): Sickness => ({
  state,
  finds: ['unfinished-install'],
  cure: 'repair',
  harm,
});

/** What processes leave that die. */
export const interruptedRoots: readonly Sickness[] = [
  {
    state: 'an install that died before it was decided',
    finds: ['leftover-staging'],
    cure: 'repair',
    harm: (world) => void mkdirSync(join(stagingOf(world), '0123456789abcdef/skills'), { recursive: true }),
  },
  {
    state: 'a file in place of the staging folder',
    finds: ['leftover-staging'],
    cure: 'repair',
    harm: (world) => writeFileSync(stagingOf(world), ''),
  },
  {
    state: 'temporary files of a process that died',
    finds: ['leftover-temporary-file', 'leftover-temporary-file'],
    cure: 'repair',
    harm: (world) => {
      writeFileSync(join(controlOf(world), '.skillpack-tmp-0123456789abcdef'), '');
      writeFileSync(join(world.project, '.skillpack-tmp-fedcba9876543210'), '');
    },
  },
  journal('an install that was decided, and died', dieDecided),
  journal('an install that died half done', async (world) => {
    await dieDecided(world);
    renameSync(join(stagedFolder(world), 'skills/new'), join(world.skills, 'new'));
  }),
  journal('an install that was decided, whose staged files are gone', async (world) => {
    await dieDecided(world);
    rmSync(stagingOf(world), { recursive: true });
  }),
  journal('a journal that is cut off, with something staged', async (world) => {
    await dieDecided(world);
    writeFileSync(join(stagedFolder(world), 'skills/new/mine.md'), mine);
    writeFileSync(journalOf(world), readFileSync(journalOf(world)).subarray(0, 40));
  }),
  journal('an empty journal', (world) => writeFileSync(journalOf(world), '')),
  journal('a journal of a newer version', (world) => writeFileSync(journalOf(world), '{"formatVersion":9}')),
  journal('a journal that is too large', (world) => {
    const descriptor = openSync(journalOf(world), 'w');
    ftruncateSync(descriptor, 512 * 1024 * 1024);
    closeSync(descriptor);
  }),
  journal('a folder in place of the journal', (world) => {
    mkdirSync(journalOf(world));
    writeFileSync(join(journalOf(world), 'mine.md'), mine);
  }),
  journal('a FIFO in place of the journal', (world) => makeFifo(journalOf(world))),
  journal('a link in place of the journal', (world) => symlinkSync('/nowhere/at/all', journalOf(world))),
  {
    state: 'a backup for a change that did not happen',
    finds: ['orphan-backup'],
    cure: 'repair',
    harm: ({ project, skills }) => {
      const backup = join(project, '.agents/.skillpack-backups/2026-11-22T10-00-00Z/pdf');
      mkdirSync(backup, { recursive: true });
      linkSync(join(skills, 'pdf/SKILL.md'), join(backup, 'SKILL.md'));
    },
  },
];
