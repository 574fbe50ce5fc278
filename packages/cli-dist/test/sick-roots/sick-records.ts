import {
  closeSync,
  cpSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { World } from '../world.js';
import { controlOf, editJson, lockFileOf, makeFifo, mine, recordOf, replaceWith, type Sickness } from './sickness.js';

const receiptOf = (world: World): string => join(recordOf(world), 'receipt.json');
const manifestOf = (world: World): string => join(recordOf(world), 'manifest.json');

const record = (
  state: string,
  harm: Sickness['harm'],
  { finds = ['broken-receipt'], cure = 'repair' }: Partial<Pick<Sickness, 'finds' | 'cure'>> = {},
): Sickness => ({ state, finds, cure, harm });

const otherDigest = `sha256:${'0'.repeat(64)}`;

function claimTwice(world: World): void {
  cpSync(recordOf(world), recordOf(world, 'org/claim'), { recursive: true });
  editJson(join(recordOf(world, 'org/claim'), 'receipt.json'), (receipt) => {
    receipt.name = 'org/claim';
    receipt.links = [];
  });
  editJson(join(recordOf(world, 'org/claim'), 'manifest.json'), (manifest) => {
    manifest.name = 'org/claim';
  });
}

/** Receipts and manifests that are broken, lost or false. */
export const sickRecords: readonly Sickness[] = [
  record('a receipt that is missing', (world) => rmSync(receiptOf(world))),
  record('a receipt that is cut off', (world) => writeFileSync(receiptOf(world), '{"name":')),
  record('an empty receipt', (world) => writeFileSync(receiptOf(world), '')),
  record('the receipt of another pack', (world) =>
    cpSync(join(recordOf(world, 'org/csv'), 'receipt.json'), receiptOf(world)),
  ),
  record('a receipt that names a folder outside', (world) =>
    editJson(receiptOf(world), (receipt) => {
      receipt.skills = ['../../victim'];
    }),
  ),
  record('a receipt of a newer format', (world) =>
    editJson(receiptOf(world), (receipt) => {
      receipt.formatVersion = 9;
    }),
  ),
  record('a receipt that is too large', (world) => {
    const descriptor = openSync(receiptOf(world), 'w');
    ftruncateSync(descriptor, 64 * 1024 * 1024);
    closeSync(descriptor);
  }),
  record('a folder in place of a receipt', (world) =>
    replaceWith(receiptOf(world), (path) => {
      mkdirSync(path);
      writeFileSync(join(path, 'mine.md'), mine);
    }),
  ),
  record('a FIFO in place of a receipt', (world) => replaceWith(receiptOf(world), makeFifo)),
  record('a link to nowhere in place of a receipt', (world) =>
    replaceWith(receiptOf(world), (path) => symlinkSync('/nowhere/at/all', path)),
  ),
  record('a receipt with the digest of other content', (world) =>
    editJson(receiptOf(world), (receipt) => {
      receipt.treeDigest = otherDigest;
    }),
  ),
  record('a receipt that leaves out a skill', (world) =>
    editJson(receiptOf(world), (receipt) => {
      receipt.skills = ['other'];
    }),
  ),
  record('a manifest that is missing', (world) => rmSync(manifestOf(world))),
  record('a manifest that is cut off', (world) => writeFileSync(manifestOf(world), '{"formatVersion":1,')),
  record('a manifest that was edited', (world) =>
    editJson(manifestOf(world), (manifest) => {
      manifest.files[0]!.digest = otherDigest;
    }),
  ),
  record('the manifest of another pack', (world) =>
    cpSync(join(recordOf(world, 'org/csv'), 'manifest.json'), manifestOf(world)),
  ),
  record('a folder in place of a manifest', (world) =>
    replaceWith(manifestOf(world), (path) => {
      mkdirSync(path);
      writeFileSync(join(path, 'mine.md'), mine);
    }),
  ),
  record('receipt and manifest both missing, the files untouched', (world) => {
    rmSync(receiptOf(world));
    rmSync(manifestOf(world));
    rmSync(join(world.dir, 'cache'), { recursive: true });
  }),
  record(
    'a manifest that is missing, of files that were edited, the archive in the cache',
    (world) => {
      rmSync(manifestOf(world));
      writeFileSync(join(world.skills, 'pdf/more.md'), mine);
    },
    { cure: 'command' },
  ),
  record(
    'a manifest that is missing, of files that were edited, no archive anywhere',
    (world) => {
      rmSync(manifestOf(world));
      rmSync(join(world.dir, 'cache'), { recursive: true });
      writeFileSync(join(world.skills, 'pdf/more.md'), mine);
    },
    { cure: 'command' },
  ),
  record('.skillpack lost, the skills untouched', (world) => rmSync(controlOf(world), { recursive: true }), {
    finds: ['lost-record', 'lost-record'],
  }),
  {
    state: '.skillpack lost, and a skill edited',
    finds: ['lost-record', 'lost-record'],
    cure: 'person',
    harm: (world) => {
      rmSync(controlOf(world), { recursive: true });
      writeFileSync(join(world.skills, 'pdf/SKILL.md'), mine);
    },
    byHand: ({ dir, skills }) => renameSync(join(skills, 'pdf'), join(dir, 'moved')),
  },
  record('a record that no pack can have', (world) => {
    mkdirSync(join(controlOf(world), 'org/No Pack'));
    writeFileSync(join(controlOf(world), 'org/No Pack/mine.md'), mine);
  }),
  record('the record of a pack that nobody knows', (world) => mkdirSync(recordOf(world, 'org/unknown'))),
  record(
    'the receipt of a pack that is neither locked nor there',
    (world) => {
      rmSync(join(world.skills, 'pdf'), { recursive: true });
      for (const file of ['skillpack-lock.json', 'skillpack.json']) {
        editJson(join(world.project, file), ({ packs }) => {
          delete packs['org/pdf'];
        });
      }
      rmSync(join(world.project, '.claude/skills/pdf'));
    },
    { finds: ['orphan-receipt'] },
  ),
  record('two packs that claim a skill, one of them locked', claimTwice, { finds: ['claimed-twice'] }),
  record(
    'two packs that claim a skill, both locked',
    (world) => {
      claimTwice(world);
      editJson(lockFileOf(world), ({ packs }) => {
        packs['org/claim'] = packs['org/pdf']!;
      });
    },
    { finds: ['claimed-twice'], cure: 'command' },
  ),
  record(
    'a lock file that gives the skill of a pack to another one as well, which is not installed',
    (world) =>
      editJson(lockFileOf(world), ({ packs }) => {
        packs['org/claim'] = packs['org/pdf']!;
      }),
    { finds: ['claimed-twice'], cure: 'command' },
  ),
  record('an empty manifest', (world) => writeFileSync(manifestOf(world), '')),
];
