import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { diagnoseRoot } from '../src/doctor/diagnose-root.js';
import { uninstallPacks } from '../src/uninstall/uninstall-packs.js';
import { updatePacks } from '../src/update/update-packs.js';
import { verifyRoot } from '../src/verify/verify-root.js';
import { makeWorld, refusal, skill, type World } from './world.js';

const raw = Buffer.from([0xff, 0xfe]);
// Reads the same: two bytes that are no character.
const other = Buffer.from([0xfe, 0xff]);

function inFolder(folder: string, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), name]);
}

/** A skill with two files and a folder whose names are not UTF-8. */
async function installedWithOddNames(): Promise<World> {
  const world = makeWorld();
  const pdf = { ...skill('pdf'), 'assets/a.txt': 'a' };
  await world.offer({ name: 'org/pdf', version: '1.0.0', skills: { pdf } });
  await world.offer({ name: 'org/pdf', version: '1.1.0', skills: { pdf: { ...pdf, ...skill('pdf', 'Newer.') } } });
  await world.install(['org/pdf@1.0.0']);
  const assets = join(world.skills, 'pdf/assets');
  writeFileSync(inFolder(assets, raw), 'one');
  writeFileSync(inFolder(assets, other), 'other');
  const folder = inFolder(join(world.skills, 'pdf'), raw);
  mkdirSync(folder);
  writeFileSync(Buffer.concat([folder, Buffer.from('/note')]), 'note');
  writeFileSync(Buffer.concat([folder, Buffer.from('/'), raw]), 'inner');
  return world;
}

const edited = ['pdf/assets/\uFFFD\uFFFD', 'pdf/\uFFFD\uFFFD'];

function expectAll(pdf: string): void {
  expect(readFileSync(inFolder(join(pdf, 'assets'), raw), 'utf8')).toBe('one');
  expect(readFileSync(inFolder(join(pdf, 'assets'), other), 'utf8')).toBe('other');
  const folder = inFolder(pdf, raw);
  expect(readFileSync(Buffer.concat([folder, Buffer.from('/note')]), 'utf8')).toBe('note');
  expect(readFileSync(Buffer.concat([folder, Buffer.from('/'), raw]), 'utf8')).toBe('inner');
}

// macOS and Windows have no such names.
describe.skipIf(process.platform !== 'linux')('a name that is not UTF-8', () => {
  test('PSA-33: a file whose name is not UTF-8 is found, told as text, and stops what would lose it', async () => {
    const world = await installedWithOddNames();
    const { ok, packs } = await verifyRoot({ root: world.root });
    expect(ok).toBe(false);
    expect(packs.flatMap(({ findings }) => findings).every(({ kind }) => kind === 'extra')).toBe(true);
    const diagnosis = await diagnoseRoot({ root: world.root }, world.ports);
    expect(diagnosis.findings).toMatchObject([{ kind: 'changed-files' }]);
    for (let run = 1; run <= 2; run += 1) {
      const { warnings } = await world.install([]);
      expect(warnings).toMatchObject([{ kind: 'edited', files: expect.arrayContaining(edited) }]);
    }
    expect(await refusal(world.install([], { frozen: true }))).toMatchObject({ code: 'FILES_EDITED' });
    expect(await refusal(world.install(['org/pdf@1.1.0']))).toMatchObject({ code: 'FILES_EDITED' });
    expectAll(join(world.skills, 'pdf'));
  });

  test.each(['install', 'update'])(
    'PSA-32: `%s --replace` keeps names that are not UTF-8 as they are',
    async (command) => {
      const world = await installedWithOddNames();
      const { backups } =
        command === 'install'
          ? await world.install([], { replace: true })
          : await updatePacks({ root: world.root, names: [] }, world.ports, { replace: true });
      expect(backups).toHaveLength(1);
      expectAll(join(backups[0]!, 'pdf'));
      expect(readdirSync(join(backups[0]!, 'pdf/assets'))).toHaveLength(2);
      expect((await verifyRoot({ root: world.root })).ok).toBe(true);
    },
  );

  test('PSA-32: an uninstall leaves them where they are; with `backup` there is a copy of everything too', async () => {
    const world = await installedWithOddNames();
    const { removed, backups } = await uninstallPacks({ root: world.root, names: ['org/pdf'] }, world.ports, {
      backup: true,
    });
    expect(removed).toMatchObject([{ kept: expect.arrayContaining(edited) }]);
    expectAll(join(world.skills, 'pdf'));
    expect(readdirSync(join(world.skills, 'pdf'))).toHaveLength(2);
    expectAll(join(backups[0]!, 'pdf'));
    expect(readFileSync(join(backups[0]!, 'pdf/assets/a.txt'), 'utf8')).toBe('a');
  });

  test('with `force` they go, into the backup if there is one', async () => {
    const world = await installedWithOddNames();
    const options = { backup: true, force: true };
    const { backups } = await uninstallPacks({ root: world.root, names: ['org/pdf'] }, world.ports, options);
    expectAll(join(backups[0]!, 'pdf'));
    expect(existsSync(join(world.skills, 'pdf'))).toBe(false);
  });

  test('PSA-32: a file whose name is not UTF-8 and that appears right after the commit is in a backup', async () => {
    const world = await installedWithOddNames();
    const late = inFolder(join(world.skills, 'pdf'), Buffer.from([0xfd]));
    const { backups } = await world.install(['org/pdf@1.1.0'], {
      replace: true,
      onEvent: ({ kind }) => {
        if (kind === 'committed') writeFileSync(late, 'late');
      },
    });
    const changed = backups.find((path) => path.includes('changed-'));
    expect(readFileSync(inFolder(join(changed!, 'pdf'), Buffer.from([0xfd])), 'utf8')).toBe('late');
  });

  test('a folder of a person’s whose name is not UTF-8 stops nothing', async () => {
    const world = makeWorld();
    await world.offer({ name: 'org/pdf', version: '1.0.0' });
    await world.install(['org/pdf']);
    const folder = inFolder(world.skills, raw);
    mkdirSync(folder);
    writeFileSync(Buffer.concat([folder, Buffer.from('/SKILL.md')]), skill('other')['SKILL.md']!);
    expect(await verifyRoot({ root: world.root })).toMatchObject({ ok: true, untracked: ['\uFFFD\uFFFD'] });
    expect((await diagnoseRoot({ root: world.root }, world.ports)).ok).toBe(true);
    expect((await world.install([])).warnings).toEqual([]);
    await uninstallPacks({ root: world.root, names: ['org/pdf'] }, world.ports);
    expect(existsSync(folder)).toBe(true);
  });

  test('a lost record is not taken for proved where such a file lies beside the content', async () => {
    const world = await installedWithOddNames();
    const record = join(world.skills, '.skillpack/org/pdf');
    for (const name of readdirSync(record)) writeFileSync(join(record, name), 'broken');
    await diagnoseRoot({ root: world.root }, world.ports, { repair: true });
    expectAll(join(world.skills, 'pdf'));
  });
});
