import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from '../world.js';
import { makeFifo, mine, replaceWith, type Sickness } from './sickness.js';

const changed = (state: string, harm: Sickness['harm']): Sickness => ({
  state,
  finds: ['changed-files'],
  cure: 'command',
  harm,
});

const inPdf = (world: World, path: string): string => join(world.skills, 'pdf', path);

const link = (state: string, harm: (path: string, world: World) => void): Sickness => ({
  state,
  finds: ['broken-link'],
  cure: 'command',
  harm: (world) => harm(join(world.project, '.claude/skills/pdf'), world),
});

const folderOfMine = (path: string): void => {
  mkdirSync(path);
  writeFileSync(join(path, 'SKILL.md'), mine);
};

const replaced = (state: string, make: (path: string) => void): Sickness => ({
  state,
  finds: ['changed-files'],
  cure: 'person',
  harm: ({ skills }) => replaceWith(join(skills, 'pdf'), make),
  byHand: ({ dir, skills }) => renameSync(join(skills, 'pdf'), join(dir, 'moved')),
});

/** A folder that a person, or somebody else, put beside the skills. */
const shadow = (state: string, folder: string, name: string): Sickness => ({
  state,
  finds: ['shadowed-skill'],
  cure: 'person',
  harm: ({ skills }) => {
    mkdirSync(join(skills, folder));
    writeFileSync(join(skills, folder, 'SKILL.md'), `---\nname: ${name}\ndescription: Mine.\n---\n${mine}\n`);
  },
  byHand: ({ dir, skills }) => renameSync(join(skills, folder), join(dir, 'moved')),
});

/** Skills and links that are not as they were installed. */
export const sickFiles: readonly Sickness[] = [
  {
    state: 'a skill that is gone',
    finds: ['missing-skill'],
    cure: 'command',
    harm: ({ skills }) => rmSync(join(skills, 'pdf'), { recursive: true }),
  },
  changed('a file that is gone', (world) => rmSync(inPdf(world, 'more.md'))),
  changed('a program that lost its execute bit', (world) => chmodSync(inPdf(world, 'scripts/run.sh'), 0o644)),
  changed('a file that was made executable', (world) => chmodSync(inPdf(world, 'more.md'), 0o755)),
  changed('a file that was edited', (world) => writeFileSync(inPdf(world, 'SKILL.md'), mine)),
  changed('a file that was added', (world) => writeFileSync(inPdf(world, 'notes.md'), mine)),
  changed('a file whose name is spelled otherwise', (world) =>
    renameSync(inPdf(world, 'more.md'), inPdf(world, 'MORE.md')),
  ),
  {
    state: 'a skill whose folder is spelled otherwise',
    finds: ['changed-files'],
    cure: 'person',
    harm: ({ skills }) => renameSync(join(skills, 'pdf'), join(skills, 'PDF')),
    byHand: ({ dir, skills }) => renameSync(join(skills, 'PDF'), join(dir, 'moved')),
  },
  shadow('a folder of nobody that is spelled like a skill', 'PDF', 'mine'),
  shadow('a folder of nobody whose SKILL.md names itself as a skill does', 'aaa', 'pdf'),
  changed('a folder in place of a file', (world) => replaceWith(inPdf(world, 'more.md'), folderOfMine)),
  changed('a file in place of a folder', (world) =>
    replaceWith(inPdf(world, 'scripts'), (path) => writeFileSync(path, mine)),
  ),
  changed('a link in place of a file', (world) =>
    replaceWith(inPdf(world, 'more.md'), (path) => symlinkSync('/etc/hostname', path)),
  ),
  changed('a FIFO in place of a file', (world) => replaceWith(inPdf(world, 'more.md'), makeFifo)),
  replaced('a link in place of a skill', (path) => symlinkSync('/tmp', path)),
  replaced('a file in place of a skill', (path) => writeFileSync(path, mine)),
  link('an agent’s link that is gone', (path) => rmSync(path)),
  link('an agent’s link that leads elsewhere', (path) => replaceWith(path, (place) => symlinkSync('/tmp', place))),
  link('an agent’s link that leads nowhere', (path) =>
    replaceWith(path, (place) => symlinkSync('/nowhere/at/all', place)),
  ),
  link('a folder in place of an agent’s link', (path) => replaceWith(path, folderOfMine)),
];
