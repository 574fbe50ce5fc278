import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { World } from '../world.js';
import { controlOf, makeFifo, mine, recordOf, replaceWith, type Sickness } from './sickness.js';

const fileOf = (path: string): void => writeFileSync(path, mine);
const folderOf = (path: string): void => {
  mkdirSync(path);
  writeFileSync(join(path, 'mine.md'), mine);
};
const linkTo =
  (target: string) =>
  (path: string): void =>
    symlinkSync(target, path);

const mutexOf = (world: World): string => join(controlOf(world), '.lock');

const blocked = (state: string, harm: Sickness['harm'], finds: Sickness['finds'] = ['blocked-path']): Sickness => ({
  state,
  finds,
  cure: 'repair',
  harm,
});

const holder = `
import native from ${JSON.stringify(createRequire(import.meta.url).resolve('fs-native-extensions'))};
import { openSync, writeSync } from 'node:fs';
const descriptor = openSync(process.argv[1], 'r+');
native.tryLock(descriptor);
writeSync(descriptor, JSON.stringify({ pid: process.pid }) + '\\n', 0);
process.stdout.write('held');
setInterval(() => {}, 1000);
`;

const holders = new WeakMap<World, ChildProcess>();

/** Has a process take the lock and be stopped while it holds it. */
async function holdAndStop(world: World): Promise<void> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', holder, mutexOf(world)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  child.kill('SIGSTOP');
  holders.set(world, child);
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** What stands, or holds, where it keeps skillpack from working. */
export const blockedRoots: readonly Sickness[] = [
  blocked('a file in place of .skillpack', (world) => replaceWith(controlOf(world), fileOf)),
  blocked('a FIFO in place of .skillpack', (world) => replaceWith(controlOf(world), makeFifo)),
  blocked('a link in place of .skillpack', (world) => {
    const elsewhere = join(world.dir, 'elsewhere');
    renameSync(controlOf(world), elsewhere);
    symlinkSync(elsewhere, controlOf(world));
  }),
  blocked(
    'a link in place of an organisation’s records',
    (world) => {
      const elsewhere = join(world.dir, 'elsewhere');
      renameSync(join(controlOf(world), 'org'), elsewhere);
      symlinkSync(elsewhere, join(controlOf(world), 'org'));
    },
    ['blocked-path', 'lost-record', 'lost-record'],
  ),
  blocked('a file in place of a record', (world) => replaceWith(recordOf(world), fileOf), [
    'blocked-path',
    'lost-record',
  ]),
  blocked('a folder in place of the lock', (world) => replaceWith(mutexOf(world), folderOf)),
  blocked('a FIFO in place of the lock', (world) => replaceWith(mutexOf(world), makeFifo)),
  blocked('a link in place of the lock', (world) => replaceWith(mutexOf(world), linkTo('../../../skillpack.json'))),
  {
    state: 'a file in place of the folder of the skills',
    finds: ['blocked-path'],
    cure: 'person',
    harm: ({ skills }) => replaceWith(skills, fileOf),
    byHand: ({ dir, skills }) => renameSync(skills, join(dir, 'moved')),
  },
  {
    state: 'a link out of the project in place of the folder of the skills',
    finds: ['blocked-path'],
    cure: 'person',
    harm: ({ dir, skills }) => {
      renameSync(skills, join(dir, 'elsewhere'));
      symlinkSync(join(dir, 'elsewhere'), skills);
    },
    byHand: ({ dir, skills }) => {
      rmSync(skills);
      renameSync(join(dir, 'elsewhere'), skills);
    },
  },
  {
    state: 'a file in place of the backups',
    finds: ['blocked-path'],
    cure: 'person',
    harm: ({ project }) => fileOf(join(project, '.agents/.skillpack-backups')),
    byHand: ({ dir, project }) => renameSync(join(project, '.agents/.skillpack-backups'), join(dir, 'moved')),
  },
  {
    state: 'a process that was stopped while it held the lock',
    finds: ['busy'],
    cure: 'person',
    harm: holdAndStop,
    byHand: (world) => end(holders.get(world)!),
  },
];
