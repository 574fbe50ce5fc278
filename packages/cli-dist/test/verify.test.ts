import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { treeDigestOf } from '@skillpack/core';
import { expect, test } from 'vitest';
import { createArchiveReader } from '../src/archive/archive-reader.js';
import { createArchiveWriter } from '../src/archive/archive-writer.js';
import { sha256 } from '../src/archive/sha256.js';
import { adviseOnFindings } from '../src/doctor/advise-on-findings.js';
import { diagnoseRoot } from '../src/doctor/diagnose-root.js';
import { folderRoot } from '../src/root/install-root.js';
import { uninstallPacks } from '../src/uninstall/uninstall-packs.js';
import { verifyArchive } from '../src/verify/verify-archive.js';
import { verifyRoot } from '../src/verify/verify-root.js';
import { commandsIn } from './run-words.js';
import { makeWorld, packed, refusal, skill, type World } from './world.js';

async function installed(): Promise<World> {
  const world = makeWorld();
  await world.offer({
    name: 'org/pdf',
    version: '1.0.0',
    skills: { pdf: { ...skill('pdf'), 'scripts/run.sh': '#!/bin/sh\n', 'reference/more.md': 'more' } },
    executable: ['pdf/scripts/run.sh'],
  });
  await world.offer({ name: 'org/csv', version: '1.0.0' });
  await world.install(['org/pdf', 'org/csv']);
  return world;
}

async function findings(world: World) {
  const report = await verifyRoot({ root: world.root });
  expect(report.ok).toBe(false);
  expect(report.packs.find(({ name }) => name === 'org/csv')).toMatchObject({ ok: true });
  return report.packs.flatMap((pack) => pack.findings);
}

test('PSA-33: an untouched install is verified file by file; what no pack owns is listed and does no harm', async () => {
  const world = await installed();
  mkdirSync(join(world.skills, 'mine'));
  writeFileSync(join(world.skills, 'mine/SKILL.md'), 'mine');
  expect(await verifyRoot({ root: world.root })).toMatchObject({
    ok: true,
    locked: true,
    untracked: ['mine'],
    files: 4,
    packs: [
      { name: 'org/csv', ok: true, files: 1 },
      { name: 'org/pdf', ok: true, files: 3, version: '1.0.0', skills: ['pdf'] },
    ],
  });
});

test('PSA-33: where packs are installed and there is no lock file, the answer is no, and it says so', async () => {
  const world = await installed();
  rmSync(join(world.project, 'skillpack-lock.json'));
  for (const names of [[], ['org/csv']]) {
    const report = await verifyRoot({ root: world.root, names });
    expect(report).toMatchObject({ ok: false, locked: false });
    expect(report.packs.every(({ ok }) => ok)).toBe(true);
    expect(commandsIn(adviseOnFindings(report))).toEqual(['skills doctor --repair']);
  }
  await diagnoseRoot({ root: world.root }, world.ports, { repair: true });
  expect(await verifyRoot({ root: world.root })).toMatchObject({ ok: true, locked: true });
});

test('where nothing is installed, no lock file is needed', async () => {
  expect(await verifyRoot({ root: makeWorld().root })).toMatchObject({ ok: true, locked: false, packs: [] });
});

test('a folder that was named and is not there is an error, not a root without packs', async () => {
  const { dir } = makeWorld();
  const nowhere = folderRoot(join(dir, 'nowhere'));
  expect(await refusal(verifyRoot({ root: nowhere }))).toMatchObject({
    code: 'FILE_NOT_FOUND',
    data: { path: nowhere.skillsDir },
  });
  mkdirSync(nowhere.skillsDir);
  expect(await verifyRoot({ root: nowhere })).toMatchObject({ ok: true, packs: [] });
});

const damages: Record<string, { readonly damage: (pdf: string) => void; readonly expected: readonly object[] }> = {
  'a modified file': {
    damage: (pdf) => writeFileSync(join(pdf, 'reference/more.md'), 'evil'),
    expected: [{ kind: 'modified', path: 'pdf/reference/more.md', expected: sha256('more'), actual: sha256('evil') }],
  },
  'a missing file': {
    damage: (pdf) => rmSync(join(pdf, 'SKILL.md')),
    expected: [{ kind: 'missing', path: 'pdf/SKILL.md' }],
  },
  'an extra file, in a folder of its own': {
    damage: (pdf) => {
      mkdirSync(join(pdf, 'a/b'), { recursive: true });
      writeFileSync(join(pdf, 'a/b/c.txt'), '');
    },
    expected: [{ kind: 'extra', path: 'pdf/a/b/c.txt' }],
  },
  'an execute bit that was taken away': {
    damage: (pdf) => chmodSync(join(pdf, 'scripts/run.sh'), 0o644),
    expected: [{ kind: 'mode', path: 'pdf/scripts/run.sh', expectedExecutable: true }],
  },
  'an execute bit that was set': {
    damage: (pdf) => chmodSync(join(pdf, 'SKILL.md'), 0o755),
    expected: [{ kind: 'mode', path: 'pdf/SKILL.md', expectedExecutable: false }],
  },
  'a file under another spelling': {
    damage: (pdf) => renameSync(join(pdf, 'SKILL.md'), join(pdf, 'skill.md')),
    expected: [{ kind: 'renamed', path: 'pdf/SKILL.md', actual: 'pdf/skill.md' }],
  },
  'a folder under another spelling': {
    damage: (pdf) => renameSync(join(pdf, 'reference'), join(pdf, 'Reference')),
    expected: [{ kind: 'renamed', path: 'pdf/reference', actual: 'pdf/Reference' }],
  },
  'the skill under another spelling': {
    damage: (pdf) => renameSync(pdf, `${pdf.slice(0, -3)}PDF`),
    expected: [{ kind: 'renamed', path: 'pdf', actual: 'PDF' }],
  },
  'a link to the same bytes in place of a file': {
    damage: (pdf) => {
      renameSync(join(pdf, 'SKILL.md'), join(pdf, '../aside.md'));
      symlinkSync('../aside.md', join(pdf, 'SKILL.md'));
    },
    expected: [{ kind: 'link', path: 'pdf/SKILL.md', target: '../aside.md' }],
  },
  'a link in place of a folder': {
    damage: (pdf) => {
      renameSync(join(pdf, 'scripts'), join(pdf, '../aside'));
      symlinkSync('../aside', join(pdf, 'scripts'));
    },
    expected: [{ kind: 'link', path: 'pdf/scripts', target: '../aside' }],
  },
  'a link in place of the skill': {
    damage: (pdf) => {
      renameSync(pdf, join(pdf, '../aside'));
      symlinkSync('aside', pdf);
    },
    expected: [{ kind: 'link', path: 'pdf', target: 'aside' }],
  },
  'a folder in place of a file': {
    damage: (pdf) => {
      rmSync(join(pdf, 'SKILL.md'));
      mkdirSync(join(pdf, 'SKILL.md'));
    },
    expected: [{ kind: 'kind', path: 'pdf/SKILL.md', expected: 'file', actual: 'folder' }],
  },
  'a missing skill': {
    damage: (pdf) => rmSync(pdf, { recursive: true }),
    expected: [
      { kind: 'missing', path: 'pdf/SKILL.md' },
      { kind: 'missing', path: 'pdf/reference/more.md' },
      { kind: 'missing', path: 'pdf/scripts/run.sh' },
    ],
  },
};

test.each(Object.entries(damages))('PSA-33: %s is found', async (_, { damage, expected }) => {
  const world = await installed();
  damage(join(world.skills, 'pdf'));
  expect(await findings(world)).toEqual(expected);
});

const records: Record<
  string,
  { readonly damage: (record: string, project: string) => void; readonly expected: readonly object[] }
> = {
  'a missing receipt': {
    damage: (record) => rmSync(join(record, 'receipt.json')),
    expected: [{ kind: 'receipt-missing' }],
  },
  'a receipt of another pack': {
    damage: (record) => renameSync(join(record, '../csv/receipt.json'), join(record, 'receipt.json')),
    expected: [{ kind: 'receipt-missing' }, { kind: 'receipt-invalid' }],
  },
  'a receipt that would have a folder elsewhere removed': {
    damage: (record) => edit(join(record, 'receipt.json'), (text) => text.replace('"pdf"\n', '"../../src"\n')),
    expected: [{ kind: 'receipt-invalid' }],
  },
  'a missing manifest': {
    damage: (record) => rmSync(join(record, 'manifest.json')),
    expected: [{ kind: 'manifest-missing' }],
  },
  'a manifest that was made to fit changed files': {
    damage: (record) => {
      const { manifest } = packed({ name: 'org/pdf', version: '1.0.0', skills: { pdf: skill('pdf', 'evil') } });
      writeFileSync(join(record, 'manifest.json'), JSON.stringify({ formatVersion: 1, ...manifest }));
      rmSync(join(record, '../../../pdf'), { recursive: true });
      mkdirSync(join(record, '../../../pdf'));
      writeFileSync(join(record, '../../../pdf/SKILL.md'), skill('pdf', 'evil')['SKILL.md']!);
    },
    expected: [{ kind: 'digest-mismatch', between: 'receipt-and-manifest' }],
  },
  'another version in the lock file': {
    damage: (_, project) =>
      edit(join(project, 'skillpack-lock.json'), (text) =>
        text.replaceAll(/"version": "1.0.0"(?=[^}]*\}\s*\}\s*\}\s*$)/gu, '"version": "1.1.0"'),
      ),
    expected: [{ kind: 'record-mismatch', field: 'version', expected: '1.1.0', actual: '1.0.0' }],
  },
  'another integrity in the lock file': {
    damage: (_, project) => editEntry(project, { integrity: sha256('other') }),
    expected: [{ kind: 'record-mismatch', field: 'integrity', expected: sha256('other') }],
  },
  'another tree digest in the lock file': {
    damage: (_, project) => editEntry(project, { treeDigest: sha256('other') }),
    expected: [{ kind: 'digest-mismatch', between: 'receipt-and-lock', expected: sha256('other') }],
  },
  'another registry in the lock file': {
    damage: (_, project) => editEntry(project, { registry: 'http://evil.example/' }),
    expected: [{ kind: 'record-mismatch', field: 'source', expected: 'http://evil.example/' }],
  },
  'another source in the lock file': {
    damage: (_, project) => editEntry(project, { source: 'url', url: 'http://evil.example/pdf.tgz' }),
    expected: [{ kind: 'record-mismatch', field: 'source', expected: 'url', actual: 'registry' }],
  },
  'another skill in the lock file': {
    damage: (_, project) => editEntry(project, { skills: ['pdfx'] }),
    expected: [
      { kind: 'record-mismatch', between: 'receipt-and-lock', field: 'skills', expected: 'pdfx', actual: 'pdf' },
    ],
  },
  'an invented dependency in the lock file': {
    damage: (_, project) => editEntry(project, { dependencies: { 'org/ghost': '^1.0.0' } }),
    expected: [
      { kind: 'record-mismatch', between: 'manifest-and-lock', field: 'dependencies', expected: 'org/ghost@^1.0.0' },
    ],
  },
  'a range in the lock file that its version is not in': {
    damage: (_, project) => editEntry(project, { range: '^5.0.0' }),
    expected: [{ kind: 'record-mismatch', field: 'range', expected: '^5.0.0', actual: '1.0.0' }],
  },
  'a range in skillpack.json that the locked version is not in': {
    damage: (_, project) =>
      edit(join(project, 'skillpack.json'), (text) => text.replace(/("org\/pdf": )"[^"]*"/u, '$1"^2.0.0"')),
    expected: [{ kind: 'record-mismatch', between: 'project-and-lock', field: 'range', actual: '^2.0.0' }],
  },
  'a receipt with another skill': {
    damage: (record) => edit(join(record, 'receipt.json'), (text) => text.replace('"pdf"\n', '"pdfx"\n')),
    expected: [
      { field: 'skills', between: 'receipt-and-lock' },
      { field: 'skills', between: 'receipt-and-manifest' },
    ],
  },
  'a manifest of another version': {
    damage: (record) =>
      edit(join(record, 'manifest.json'), (text) => text.replace('"version": "1.0.0"', '"version": "1.0.9"')),
    expected: [{ kind: 'record-mismatch', between: 'receipt-and-manifest', field: 'version', actual: '1.0.9' }],
  },
};

function editEntry(project: string, change: object): void {
  edit(join(project, 'skillpack-lock.json'), (text) => {
    const lock = JSON.parse(text) as { packs: Record<string, object> }; // what an install wrote
    return JSON.stringify({ ...lock, packs: { ...lock.packs, 'org/pdf': { ...lock.packs['org/pdf'], ...change } } });
  });
}

test.each(Object.entries(records))('PSA-34: %s is found', async (_, { damage, expected }) => {
  const world = await installed();
  damage(join(world.skills, '.skillpack/org/pdf'), world.project);
  const report = await verifyRoot({ root: world.root });
  expect(report.ok).toBe(false);
  expect(report.packs.flatMap((pack) => pack.findings)).toMatchObject(expected);
});

test('PSA-34: an archive on the disk that was packed anew with the same content is recorded by the next install', async () => {
  const world = makeWorld();
  const path = join(world.dir, 'own.zip');
  writeFileSync(path, packed({ name: 'me/own', version: '1.0.0', format: 'zip' }).archive);
  await world.install(['./own.zip']);
  writeFileSync(path, packed({ name: 'me/own', version: '1.0.0', format: 'tgz' }).archive);
  await world.install([]);
  expect(world.read('skillpack-lock.json')).toContain(sha256(readFileSync(path)));
  expect(await verifyRoot({ root: world.root })).toMatchObject({ ok: true });
});

test('PSA-34: packs that are locked and not installed, or installed and not locked, are told', async () => {
  const world = await installed();
  rmSync(join(world.skills, '.skillpack/org/pdf'), { recursive: true });
  edit(join(world.project, 'skillpack-lock.json'), (text) => text.replace('"org/csv"', '"org/other"'));
  expect((await verifyRoot({ root: world.root })).packs.map(({ name, findings: found }) => [name, found])).toEqual([
    ['org/csv', [{ kind: 'not-locked' }]],
    ['org/other', [{ kind: 'not-installed', locked: '1.0.0' }]],
    ['org/pdf', [{ kind: 'not-installed', locked: '1.0.0' }]],
  ]);
});

test('one pack or one skill can be verified; a name that is not here gets the nearest that is', async () => {
  const world = await installed();
  writeFileSync(join(world.skills, 'pdf/SKILL.md'), 'evil');
  expect((await verifyRoot({ root: world.root, names: ['csv'] })).ok).toBe(true);
  expect((await verifyRoot({ root: world.root, names: ['org/pdf', 'pdf'] })).packs).toHaveLength(1);
  expect(await refusal(verifyRoot({ root: world.root, names: ['pdff'] }))).toMatchObject({
    code: 'SKILL_NOT_FOUND',
    hint: 'Did you mean pdf?',
  });
  expect(await refusal(verifyRoot({ root: world.root, names: ['org/pdg'] }))).toMatchObject({
    code: 'PACK_NOT_INSTALLED',
    hint: 'Did you mean org/pdf?',
  });
});

test('an empty folder in a skill is no difference, whoever made it', async () => {
  const world = await installed();
  mkdirSync(join(world.skills, 'pdf/empty/too'), { recursive: true });
  expect(await verifyRoot({ root: world.root })).toMatchObject({ ok: true, untracked: [] });
  expect(await diagnoseRoot({ root: world.root }, world.ports)).toMatchObject({ ok: true, findings: [] });
  expect((await world.install([])).warnings).toEqual([]);
  await uninstallPacks({ root: world.root, names: ['org/pdf'] }, world.ports);
  expect(existsSync(join(world.skills, 'pdf'))).toBe(false);
});

test('PSA-33: an archive is verified as it is', async () => {
  const { archive, manifest, digest } = packed({ name: 'org/pdf', version: '1.0.0' });
  const ports = { archives: createArchiveReader() };
  expect(await verifyArchive(archive, ports)).toMatchObject({
    skills: ['pdf'],
    format: 'tgz',
    digest,
    size: archive.length,
    treeDigest: manifest.treeDigest,
    files: 1,
    manifest: { name: 'org/pdf' },
  });
  const bytes = Buffer.from('---\nname: Odd Name\ndescription: d\n---\n');
  const plain = createArchiveWriter().write([{ path: 'SKILL.md', bytes, executable: false }], 'zip');
  expect(await verifyArchive(plain, ports, { path: '/somewhere/helper.zip' })).toMatchObject({
    skills: ['helper'],
    treeDigest: treeDigestOf(
      [{ path: 'helper/SKILL.md', size: bytes.length, digest: sha256(bytes), executable: false }],
      sha256,
    ),
    manifest: undefined,
  });
  expect(await refusal(verifyArchive(archive.subarray(0, -4), ports))).toMatchObject({ code: 'ARCHIVE_REFUSED' });
});

function edit(path: string, change: (text: string) => string): void {
  const before = readFileSync(path, 'utf8');
  const after = change(before);
  if (after === before) throw new Error(`${path} was not changed`);
  writeFileSync(path, after);
}

test('an update while a root is verified is no alarm', async () => {
  const world = await installed();
  const other = makeWorld();
  for (const name of ['org/pdf', 'org/csv']) {
    await other.offer({ name, version: '2.0.0' });
    await other.install([name]);
  }
  let updated = false;
  const report = await verifyRoot(
    { root: world.root },
    {
      onProgress: () => {
        if (updated) return;
        updated = true;
        renameSync(world.project, `${world.project}-old`);
        renameSync(other.project, world.project);
      },
    },
  );
  expect(report.packs.map((pack) => [pack.version, pack.findings])).toEqual([
    ['2.0.0', []],
    ['2.0.0', []],
  ]);
});

test('a root that is not as it was installed is told of at once, and beside an unfinished change too', async () => {
  const world = await installed();
  writeFileSync(join(world.skills, 'pdf/SKILL.md'), 'edited');
  let compared = 0;
  const onProgress = (): void => void (compared += 1);
  expect((await verifyRoot({ root: world.root }, { onProgress })).ok).toBe(false);
  expect(compared).toBe(2);
  writeFileSync(join(world.skills, '.skillpack/.transaction.json'), '{}');
  expect((await verifyRoot({ root: world.root })).ok).toBe(false);
});
