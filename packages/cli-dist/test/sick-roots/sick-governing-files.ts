import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { World } from '../world.js';
import { editJson, lockFileOf, makeFifo, mine, replaceWith, type Sickness } from './sickness.js';

const projectFileOf = ({ project }: World): string => join(project, 'skillpack.json');
const savedOf = (path: string): string => `${path}.saved`;

const lockFile = (state: string, harm: Sickness['harm'], finds: Sickness['finds'] = ['lock-unreadable']): Sickness => ({
  state,
  finds,
  cure: 'repair',
  harm,
});

/** A file that a person puts right, from version control. */
const restored = (
  state: string,
  { path, finds }: { readonly path: (world: World) => string; readonly finds: Sickness['finds'] },
  break_: (path: string) => void,
): Sickness => ({
  state,
  finds,
  cure: 'person',
  harm: (world) => {
    writeFileSync(savedOf(path(world)), readFileSync(path(world)));
    break_(path(world));
  },
  byHand: (world) => {
    renameSync(path(world), join(world.dir, 'moved'));
    renameSync(savedOf(path(world)), path(world));
  },
});

const folderOfMine = (path: string): void => {
  mkdirSync(path);
  writeFileSync(join(path, 'mine.md'), mine);
};

interface LockEdit {
  readonly field: string;
  readonly value: unknown;
  readonly finds?: Sickness['finds'];
  readonly cure?: Sickness['cure'];
}

/** What somebody may write into an entry of a lock file that is otherwise of what is installed. */
const lockEdits: readonly LockEdit[] = [
  { field: 'treeDigest', value: `sha256:${'0'.repeat(64)}` },
  { field: 'integrity', value: `sha256:${'0'.repeat(64)}` },
  { field: 'version', value: '1.0.1' },
  { field: 'skills', value: ['pdfx'] },
  { field: 'dependencies', value: { 'org/ghost': '^1.0.0' }, finds: ['project-drift', 'lock-drift'], cure: 'command' },
  { field: 'registry', value: 'http://elsewhere.example/', cure: 'command' },
  { field: 'range', value: '^5.0.0', cure: 'command' },
];

const conflicts = { path: lockFileOf, finds: ['lock-unreadable'] } as const;

/** Lock files and skillpack.json that are broken, lost or out of step. */
export const sickGoverningFiles: readonly Sickness[] = [
  lockFile('a lock file that is cut off', (world) => writeFileSync(lockFileOf(world), `{"formatVersion":1,"${mine}`)),
  lockFile('an empty lock file', (world) => writeFileSync(lockFileOf(world), '')),
  lockFile('a lock file that is too large', (world) => {
    const descriptor = openSync(lockFileOf(world), 'w');
    ftruncateSync(descriptor, 80 * 1024 * 1024);
    closeSync(descriptor);
  }),
  lockFile('a folder in place of the lock file', (world) => replaceWith(lockFileOf(world), folderOfMine)),
  lockFile('a FIFO in place of the lock file', (world) => replaceWith(lockFileOf(world), makeFifo)),
  lockFile('a lock file that is missing', (world) => rmSync(lockFileOf(world)), ['lock-missing']),
  lockFile('a lock file with conflict markers, no pack locked otherwise by each side', (world) => {
    const text = readFileSync(lockFileOf(world), 'utf8');
    writeFileSync(lockFileOf(world), `<<<<<<< ours\n${text}=======\n${text}>>>>>>> theirs\n`);
  }),
  restored('a lock file in which each side of a conflict locks another version of a pack', conflicts, (path) => {
    const text = readFileSync(path, 'utf8');
    const other = text.replace(/"version": "1\.0\.0"(?![^]*"version")/u, '"version": "1.1.0"');
    writeFileSync(path, `<<<<<<< ours\n${text}=======\n${other}>>>>>>> theirs\n`);
  }),
  restored('a lock file of a newer format', { path: lockFileOf, finds: ['lock-unreadable'] }, (path) =>
    editJson(path, (lock) => {
      lock.formatVersion = 9;
    }),
  ),
  ...lockEdits.map(({ field, value, finds = ['lock-drift'], cure = 'repair' }) => ({
    state: `a lock file with another ${field} than is installed`,
    finds,
    cure,
    harm: (world: World) =>
      editJson(lockFileOf(world), ({ packs }) => {
        Object.assign(packs['org/pdf']!, { [field]: value });
      }),
  })),
  {
    state: 'another version locked than installed',
    finds: ['lock-drift'],
    cure: 'command',
    harm: async (world) => {
      const before = readFileSync(lockFileOf(world));
      await world.install(['org/pdf@1.1.0']);
      writeFileSync(lockFileOf(world), before);
      editJson(projectFileOf(world), ({ packs }) => {
        packs['org/pdf'] = '^1.0.0';
      });
    },
  },
  {
    state: 'a pack that is installed, but not locked',
    finds: ['project-drift', 'lock-drift'],
    cure: 'command',
    harm: (world) =>
      editJson(lockFileOf(world), ({ packs }) => {
        delete packs['org/pdf'];
      }),
  },
  {
    state: 'a pack that is locked, but not installed',
    finds: ['lock-drift'],
    cure: 'command',
    harm: (world) => {
      rmSync(join(world.skills, 'pdf'), { recursive: true });
      rmSync(join(world.skills, '.skillpack/org/pdf'), { recursive: true });
    },
  },
  {
    state: 'a pack that skillpack.json wants, but nothing locks',
    finds: ['project-drift'],
    cure: 'command',
    harm: (world) =>
      editJson(projectFileOf(world), ({ packs }) => {
        packs['org/new'] = '^1.0.0';
      }),
  },
  restored('a skillpack.json that is no JSON', { path: projectFileOf, finds: ['project-unreadable'] }, (path) =>
    writeFileSync(path, '{'),
  ),
  restored('an empty skillpack.json', { path: projectFileOf, finds: ['project-unreadable'] }, (path) =>
    writeFileSync(path, ''),
  ),
  restored('a skillpack.json with conflict markers', { path: projectFileOf, finds: ['project-unreadable'] }, (path) => {
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('\n', '\n<<<<<<< ours\n=======\n>>>>>>> theirs\n'));
  }),
  restored('a skillpack.json that names no agent', { path: projectFileOf, finds: ['project-unreadable'] }, (path) =>
    editJson(path, (project) => {
      project.targets = ['claude-kode'];
    }),
  ),
  restored('a folder in place of skillpack.json', { path: projectFileOf, finds: ['project-unreadable'] }, (path) =>
    replaceWith(path, folderOfMine),
  ),
];
