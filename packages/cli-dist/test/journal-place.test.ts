import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { diagnoseRoot } from '../src/doctor/diagnose-root.js';
import { uninstallPacks } from '../src/uninstall/uninstall-packs.js';
import { verifyRoot } from '../src/verify/verify-root.js';
import { makeWorld, refusal } from './world.js';

const intruders: Readonly<Record<string, (path: string) => void>> = {
  folder: (path) => mkdirSync(join(path, 'mine'), { recursive: true }),
  fifo: (path) => execFileSync('mkfifo', [path]),
  link: (path) => symlinkSync('/dev/zero', path),
  'link to nowhere': (path) => symlinkSync('nowhere', path),
  'text of something else': (path) => writeFileSync(path, 'not JSON'),
};

test.skipIf(process.platform === 'win32').each(Object.keys(intruders))(
  'PSA-32: a %s in the place of the journal stops changes, not reading, and a repair puts it aside as it is',
  async (kind) => {
    const world = makeWorld();
    await world.offer({ name: 'org/pdf', version: '1.0.0' });
    await world.offer({ name: 'org/more', version: '1.0.0' });
    await world.install(['org/pdf']);
    const control = join(world.skills, '.skillpack');
    const journal = join(control, '.transaction.json');
    intruders[kind]!(journal);
    const { ino } = lstatSync(journal);
    for (const change of [
      world.install(['org/more']),
      uninstallPacks({ root: world.root, names: ['org/pdf'] }, world.ports),
    ]) {
      const { code, message, hint } = await refusal(change);
      expect({ code, message, hint }).toEqual({
        code: 'IO_ERROR',
        message: `${journal} is not a journal of this version of skillpack.`,
        hint: expect.stringContaining('skills doctor --repair'),
      });
    }
    expect(await verifyRoot({ root: world.root })).toMatchObject({ ok: true });
    const { findings } = await diagnoseRoot({ root: world.root }, world.ports);
    expect(findings).toMatchObject([{ kind: 'unfinished-install', subject: journal, repaired: false }]);
    expect(await diagnoseRoot({ root: world.root }, world.ports, { repair: true })).toMatchObject({ ok: true });
    expect(inodesIn(world.project)).toContain(ino);
    await world.install(['org/more']);
    expect(await verifyRoot({ root: world.root })).toMatchObject({ ok: true, packs: { length: 2 } });
  },
);

test
  .skipIf(process.platform === 'win32')
  .each(['.staging', '.staging/0123456789abcdef', '.staging/0123456789abcdef/trash'])(
  'PSA-32: a stranger’s journal beside a link at %s moves nothing that lies behind the link',
  async (link) => {
    const world = makeWorld();
    await world.offer({ name: 'org/pdf', version: '1.0.0' });
    await world.install(['org/pdf']);
    const control = join(world.skills, '.skillpack');
    const mine = join(world.dir, 'mine');
    const id = '0123456789abcdef';
    for (const folder of ['', id, `${id}/trash`]) {
      for (const name of ['backup', 'trash', '0-note'])
        mkdirSync(join(mine, folder, name, 'text'), { recursive: true });
    }
    mkdirSync(dirname(join(control, link)), { recursive: true });
    symlinkSync(mine, join(control, link));
    const { ino } = lstatSync(join(world.skills, 'pdf'));
    const replaces = { inode: String(ino), trace: '0'.repeat(64) };
    const moves = [{ kind: 'drop', to: 'pdf', replaces }];
    // As if it had been guessed.
    const staging = String(lstatSync(join(control, '.staging', id)).ino);
    const journal = { formatVersion: 1, id, staging, moves, backup: '2026-11-22T10-00-00Z', links: [], texts: [] };
    writeFileSync(join(control, '.transaction.json'), JSON.stringify(journal));
    const before = pathsIn(mine);
    await world.install(['org/pdf']);
    expect(pathsIn(mine)).toEqual(before);
    expect(await verifyRoot({ root: world.root })).toMatchObject({ ok: true });
  },
);

function inodesIn(folder: string): readonly number[] {
  return pathsIn(folder).map((path) => lstatSync(join(folder, path)).ino);
}

function pathsIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
}
