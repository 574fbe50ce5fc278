import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parsePackSpec, SkillsError } from '@skillpack/core';
import { describe, expect, test } from 'vitest';
import { installPacks } from '../src/install/install-packs.js';
import { folderRoot } from '../src/root/install-root.js';
import { outdatedPacks } from '../src/update/outdated-packs.js';
import { updatePacks } from '../src/update/update-packs.js';
import { verifyRoot } from '../src/verify/verify-root.js';
import { makeWorld, named, packed, refusal, skill, readTree } from './world.js';

describe('what an install leaves', () => {
  test('PSA-32: installs a pack of several skills: files, modes, receipt, manifest, lock file and skillpack.json', async () => {
    const world = makeWorld();
    const offered = await world.offer({
      name: 'org/office',
      version: '1.2.0',
      skills: { pdf: { ...skill('pdf'), 'scripts/run.sh': '#!/bin/sh\n' }, csv: skill('csv') },
      executable: ['pdf/scripts/run.sh'],
    });
    const report = await world.install(['org/office']);
    expect(report.changes).toMatchObject([{ kind: 'add', name: 'org/office', version: '1.2.0', neededBy: [] }]);
    expect(report.downloaded).toEqual({ archives: 1, bytes: offered.archive.length });
    expect(Object.keys(world.tree())).toEqual([
      '.agents/skills/.skillpack/.lock',
      '.agents/skills/.skillpack/org/office/manifest.json',
      '.agents/skills/.skillpack/org/office/receipt.json',
      '.agents/skills/csv/SKILL.md',
      '.agents/skills/pdf/SKILL.md',
      '.agents/skills/pdf/scripts/run.sh*',
      'skillpack-lock.json',
      'skillpack.json',
    ]);
    expect(JSON.parse(world.read('skillpack.json'))).toEqual({ formatVersion: 1, packs: { 'org/office': '^1.2.0' } });
    expect(world.lock()).toEqual({
      'org/office': {
        version: '1.2.0',
        range: '^1.2.0',
        registry: 'memory:',
        source: 'registry',
        integrity: offered.digest,
        treeDigest: offered.manifest.treeDigest,
        skills: ['pdf', 'csv'],
        dependencies: {},
      },
    });
    expect(JSON.parse(world.read('.agents/skills/.skillpack/org/office/receipt.json'))).toEqual({
      formatVersion: 1,
      name: 'org/office',
      version: '1.2.0',
      source: { kind: 'registry', location: 'memory:' },
      integrity: offered.digest,
      treeDigest: offered.manifest.treeDigest,
      skills: ['pdf', 'csv'],
      installedAt: '2026-11-22T10:00:00.000Z',
      installedBy: '1.2.3',
      links: [],
    });
    mkdirSync(join(world.dir, 'usual'));
    expect(statSync(join(world.skills, 'pdf')).mode).toBe(statSync(join(world.dir, 'usual')).mode);
  });

  test('a second install changes nothing, asks no registry and touches no file', async () => {
    const world = makeWorld();
    await world.offer({ name: 'org/pdf', version: '1.0.0' });
    await world.install(['org/pdf']);
    const before = statSync(join(world.project, 'skillpack-lock.json')).mtimeMs;
    const calls = world.registry.calls.length;
    const report = await world.install([]);
    expect(report.changes).toMatchObject([{ kind: 'keep', name: 'org/pdf' }]);
    expect(report.saved).toEqual({ projectFile: false, lockFile: false });
    expect(world.registry.calls.length).toBe(calls);
    expect(statSync(join(world.project, 'skillpack-lock.json')).mtimeMs).toBe(before);
  });

  test('a dry run tells the plan and leaves the disk as it is', async () => {
    const world = makeWorld();
    await world.offer({ name: 'org/pdf', version: '1.0.0', dependencies: { 'org/base': '^1' } });
    await world.offer({ name: 'org/base', version: '1.4.0' });
    mkdirSync(world.project);
    const report = await world.install(['org/pdf'], { dryRun: true });
    expect(report).toMatchObject({
      dryRun: true,
      changes: [
        { kind: 'add', name: 'org/base', neededBy: ['org/pdf@1.0.0'] },
        { kind: 'add', name: 'org/pdf', neededBy: [] },
      ],
      saved: { projectFile: true, lockFile: true },
    });
    expect(readdirSync(world.project)).toEqual([]);
  });

  test('without saving, skillpack.json stays as it is, and a later install keeps the pack', async () => {
    const world = makeWorld();
    await world.offer({ name: 'org/pdf', version: '1.0.0' });
    await world.offer({ name: 'org/csv', version: '1.0.0' });
    await world.install(['org/pdf'], { save: false });
    expect(Object.keys(world.tree())).not.toContain('skillpack.json');
    await world.install(['org/csv']);
    expect(Object.keys(world.lock())).toEqual(['org/csv', 'org/pdf']);
    expect(JSON.parse(world.read('skillpack.json'))).toMatchObject({ packs: { 'org/csv': '^1.0.0' } });
    expect((await world.install([])).changes.map(({ kind }) => kind)).toEqual(['keep', 'keep']);
  });

  test('skillpack.json keeps its layout and unknown fields when a pack is added', async () => {
    const world = makeWorld();
    await world.offer({ name: 'org/pdf', version: '1.0.0' });
    mkdirSync(world.project);
    writeFileSync(join(world.project, 'skillpack.json'), '{\n    "zebra": 1,\n    "packs": {}\n}\n');
    await world.install(['org/pdf@~1.0']);
    expect(world.read('skillpack.json')).toBe(
      '{\n    "zebra": 1,\n    "packs": {\n        "org/pdf": "~1.0"\n    }\n}\n',
    );
  });
});

describe('updates', () => {
  test('another version takes the place of the installed one; a skill that is the same in both is not touched', async () => {
    const world = makeWorld();
    await world.offer({
      name: 'org/office',
      version: '1.0.0',
      skills: { same: skill('same'), changed: skill('changed', 'old'), gone: skill('gone') },
    });
    await world.offer({
      name: 'org/office',
      version: '1.1.0',
      skills: { same: skill('same'), changed: skill('changed', 'new'), added: skill('added') },
    });
    await world.install(['org/office@1.0.0']);
    const same = lstatSync(join(world.skills, 'same')).ino;
    const report = await world.install(['org/office@1.1.0']);
    expect(report.changes).toMatchObject([
      { kind: 'update', name: 'org/office', version: '1.1.0', from: '1.0.0', removedSkills: ['gone'] },
    ]);
    expect(readdirSync(world.skills).toSorted()).toEqual(['.skillpack', 'added', 'changed', 'same']);
    expect(world.read('.agents/skills/changed/SKILL.md')).toContain('new');
    expect(lstatSync(join(world.skills, 'same')).ino).toBe(same);
    expect((await verifyRoot({ root: world.root })).ok).toBe(true);
  });

  test('a locked version stays until an update; the update moves within what was asked for', async () => {
    const world = makeWorld();
    await world.offer({ name: 'org/pdf', version: '1.0.0' });
    await world.install(['org/pdf']);
    await world.offer({ name: 'org/pdf', version: '1.3.0' });
    await world.offer({ name: 'org/pdf', version: '2.0.0' });
    await world.install(['org/pdf']);
    expect(world.lock()['org/pdf']?.version).toBe('1.0.0');
    expect((await outdatedPacks({ root: world.root }, world.ports)).outdated).toEqual([
      {
        name: 'org/pdf',
        current: '1.0.0',
        range: '^1.0.0',
        wanted: '1.3.0',
        latest: '2.0.0',
        yanked: null,
        deprecated: null,
      },
    ]);
    const report = await updatePacks({ root: world.root, names: [named('org/pdf')] }, world.ports);
    expect(report.changes).toMatchObject([{ kind: 'update', from: '1.0.0', version: '1.3.0' }]);
    expect((await outdatedPacks({ root: world.root }, world.ports)).outdated).toMatchObject([
      { wanted: '1.3.0', latest: '2.0.0' },
    ]);
  });

  test('a tag is looked up again when it is asked for again, and by an update', async () => {
    const world = makeWorld();
    await world.offer({ name: 'org/pdf', version: '1.0.0' });
    await world.offer({ name: 'org/pdf', version: '2.0.0-rc.1' }, 'beta');
    await world.install(['org/pdf@beta']);
    expect(world.lock()['org/pdf']).toMatchObject({ version: '2.0.0-rc.1', range: 'beta' });
    await world.offer({ name: 'org/pdf', version: '2.0.0-rc.2' }, 'beta');
    expect((await world.install([])).changes).toMatchObject([{ kind: 'keep', version: '2.0.0-rc.1' }]);
    await updatePacks({ root: world.root, names: [] }, world.ports);
    expect(world.lock()['org/pdf']).toMatchObject({ version: '2.0.0-rc.2', range: 'beta' });
  });

  test('a dependency that nothing needs any more goes with the update', async () => {
    const world = makeWorld();
    await world.offer({ name: 'org/base', version: '1.0.0' });
    await world.offer({ name: 'org/pdf', version: '1.0.0', dependencies: { 'org/base': '^1' } });
    await world.offer({ name: 'org/pdf', version: '1.1.0' });
    await world.install(['org/pdf@1.0.0']);
    const report = await world.install(['org/pdf@1.1.0']);
    expect(report.changes).toMatchObject([{ kind: 'remove', name: 'org/base' }, { kind: 'update' }]);
    expect(readdirSync(world.skills).toSorted()).toEqual(['.skillpack', 'pdf']);
    expect(Object.keys(world.lock())).toEqual(['org/pdf']);
  });
});

describe('what is not ours', () => {
  test('PSA-02: two packs that bring one skill name are refused, both owners named, nothing changed', async () => {
    const world = makeWorld();
    await world.offer({ name: 'one/a', version: '1.0.0', skills: { pdf: skill('pdf') } });
    await world.offer({ name: 'two/b', version: '2.0.0', skills: { pdf: skill('pdf') } });
    await world.offer({ name: 'two/c', version: '3.0.0', skills: { PDF: skill('PDF') } });
    await world.install(['one/a']);
    const before = world.tree();
    expect(await refusal(world.install(['two/b']))).toMatchObject({
      code: 'NAME_COLLISION',
      data: { skill: 'pdf', owners: ['one/a@1.0.0', 'two/b@2.0.0'] },
    });
    expect(await refusal(world.install(['two/c']))).toMatchObject({ code: 'NAME_COLLISION' });
    expect(world.tree()).toEqual(before);
    expect(await refusal(makeWorld({ registryFor: () => world.registry }).install(['one/a', 'two/b']))).toMatchObject({
      code: 'NAME_COLLISION',
    });
  });

  test('a skill may move from one pack to another in one install', async () => {
    const world = makeWorld();
    await world.offer({ name: 'org/a', version: '1.0.0', skills: { pdf: skill('pdf'), a: skill('a') } });
    await world.install(['org/a']);
    await world.offer({ name: 'org/a', version: '2.0.0', skills: { a: skill('a') } });
    await world.offer({ name: 'org/b', version: '1.0.0', skills: { pdf: skill('pdf', 'from b') } });
    await world.install(['org/a@2', 'org/b']);
    expect(world.read('.agents/skills/pdf/SKILL.md')).toContain('from b');
    expect((await verifyRoot({ root: world.root })).ok).toBe(true);
  });

  test.each(['folder', 'file', 'link'] as const)('a %s that no pack owns is never written to', async (kind) => {
    const world = makeWorld();
    await world.offer({ name: 'org/pdf', version: '1.0.0' });
    const elsewhere = join(world.dir, 'elsewhere');
    mkdirSync(elsewhere);
    mkdirSync(world.skills, { recursive: true });
    const place = join(world.skills, 'pdf');
    if (kind === 'folder') mkdirSync(place);
    else if (kind === 'file') writeFileSync(place, 'mine');
    else symlinkSync(elsewhere, place);
    for (const replace of [false, true]) {
      expect(await refusal(world.install(['org/pdf'], { replace }))).toMatchObject({
        code: 'FOLDER_NOT_OWNED',
        data: { skill: 'pdf' },
      });
    }
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(readdirSync(world.skills)).toEqual(['pdf']);
    expect(readdirSync(world.project)).toEqual(['.agents']);
  });

  test('edited and added files stop an update; with `replace` they are moved to a backup that is named', async () => {
    const world = makeWorld();
    await world.offer({ name: 'org/pdf', version: '1.0.0' });
    await world.offer({ name: 'org/pdf', version: '1.1.0', skills: { pdf: skill('pdf', 'newer') } });
    await world.install(['org/pdf@1.0.0']);
    writeFileSync(join(world.skills, 'pdf/SKILL.md'), 'edited');
    mkdirSync(join(world.skills, 'pdf/my'));
    writeFileSync(join(world.skills, 'pdf/my/notes.txt'), 'notes');
    const before = world.tree();
    expect(await refusal(world.install(['org/pdf@1.1.0']))).toMatchObject({
      code: 'FILES_EDITED',
      data: { files: ['pdf/SKILL.md', 'pdf/my/notes.txt'] },
    });
    expect(world.tree()).toEqual(before);
    const { backups } = await world.install(['org/pdf@1.1.0'], { replace: true });
    expect(backups).toEqual([join(world.project, '.agents/.skillpack-backups/2026-11-22T10-00-00Z')]);
    expect(world.tree('.agents/.skillpack-backups/2026-11-22T10-00-00Z')).toEqual({
      'pdf/SKILL.md': 'edited',
      'pdf/my/notes.txt': 'notes',
    });
    expect(world.tree('.agents/skills/pdf')).toEqual(skill('pdf', 'newer'));
  });

  test('what running a script leaves does not stop an update', async () => {
    const world = makeWorld();
    await world.offer({ name: 'org/pdf', version: '1.0.0' });
    await world.offer({ name: 'org/pdf', version: '1.1.0', skills: { pdf: skill('pdf', 'newer') } });
    await world.install(['org/pdf@1.0.0']);
    mkdirSync(join(world.skills, 'pdf/scripts/__pycache__'), { recursive: true });
    writeFileSync(join(world.skills, 'pdf/scripts/__pycache__/run.cpython-313.pyc'), '');
    await world.install(['org/pdf@1.1.0']);
    expect(world.tree('.agents/skills/pdf')).toEqual(skill('pdf', 'newer'));
  });

  test('a missing skill folder is put back; `replace` puts back edited files', async () => {
    const world = makeWorld();
    await world.offer({ name: 'org/pdf', version: '1.0.0' });
    await world.install(['org/pdf']);
    rmSync(join(world.skills, 'pdf'), { recursive: true });
    expect((await world.install([])).changes).toMatchObject([{ kind: 'repair', name: 'org/pdf' }]);
    writeFileSync(join(world.skills, 'pdf/SKILL.md'), 'edited');
    expect((await world.install([], { replace: true })).changes).toMatchObject([{ kind: 'repair' }]);
    expect(world.tree('.agents/skills/pdf')).toEqual(skill('pdf', 'What org/pdf does.'));
  });
});

test.skipIf(process.platform !== 'linux')('a root where no folder can be made is an error of the disk', async () => {
  const world = makeWorld();
  await world.offer({ name: 'org/pdf', version: '1.0.0' });
  const request = { root: folderRoot('/proc/skillpack/skills'), specs: [parsePackSpec('org/pdf')] };
  expect((await refusal(installPacks(request, world.ports))).code).toBe('IO_ERROR');
});

describe('an install over a root that is not as it was installed', () => {
  async function worldWithFiles() {
    const world = makeWorld();
    await world.offer({
      name: 'org/pdf',
      version: '1.0.0',
      skills: { pdf: { ...skill('pdf'), 'scripts/run.sh': '#!/bin/sh\n' } },
      executable: ['pdf/scripts/run.sh'],
    });
    await world.install(['org/pdf']);
    return { world, installed: world.tree() };
  }

  test.each([
    ['a missing file', (skills: string) => rmSync(join(skills, 'pdf/SKILL.md'))],
    ['a script that lost its execute bit', (skills: string) => chmodSync(join(skills, 'pdf/scripts/run.sh'), 0o644)],
  ])('%s comes back, since nobody loses anything by it', async (_, damage) => {
    const { world, installed } = await worldWithFiles();
    damage(world.skills);
    expect((await world.install([])).changes).toMatchObject([{ kind: 'repair', name: 'org/pdf' }]);
    expect(world.tree()).toMatchObject({ ...installed, ...receiptOf(world) });
    expect((await world.install([])).changes).toMatchObject([{ kind: 'keep' }]);
  });

  test('what a person edited or added stays, and is told', async () => {
    const { world } = await worldWithFiles();
    writeFileSync(join(world.skills, 'pdf/SKILL.md'), 'mine');
    rmSync(join(world.skills, 'pdf/scripts/run.sh'));
    const { changes, warnings } = await world.install([]);
    expect(changes).toMatchObject([{ kind: 'keep' }]);
    expect(warnings).toContainEqual({ kind: 'edited', name: 'org/pdf', version: '1.0.0', files: ['pdf/SKILL.md'] });
    expect(world.read('.agents/skills/pdf/SKILL.md')).toBe('mine');
  });

  test('a frozen install is exactly the lock file, or fails', async () => {
    const { world } = await worldWithFiles();
    rmSync(join(world.skills, 'pdf/SKILL.md'));
    expect((await world.install([], { frozen: true })).changes).toMatchObject([{ kind: 'repair' }]);
    writeFileSync(join(world.skills, 'pdf/SKILL.md'), 'mine');
    expect((await refusal(world.install([], { frozen: true }))).code).toBe('FILES_EDITED');
    expect(world.read('.agents/skills/pdf/SKILL.md')).toBe('mine');
  });

  test('what running a skill leaves is neither an edit nor a damage', async () => {
    const { world } = await worldWithFiles();
    mkdirSync(join(world.skills, 'pdf/scripts/__pycache__'));
    writeFileSync(join(world.skills, 'pdf/scripts/__pycache__/run.cpython-313.pyc'), '');
    const { changes, warnings } = await world.install([], { frozen: true });
    expect(changes).toMatchObject([{ kind: 'keep' }]);
    expect(warnings).toEqual([]);
  });

  test('compiled Python that the pack itself brought is a file like any other', async () => {
    const world = makeWorld();
    const compiled = 'scripts/__pycache__/run.cpython-313.pyc';
    await world.offer({
      name: 'org/pdf',
      version: '1.0.0',
      skills: { pdf: { ...skill('pdf'), [compiled]: 'compiled' } },
    });
    await world.install(['org/pdf']);
    writeFileSync(join(world.skills, 'pdf', compiled), 'evil');
    expect(await refusal(world.install([], { frozen: true }))).toMatchObject({ code: 'FILES_EDITED' });
    const { backups } = await world.install([], { replace: true });
    expect(backups.map((path) => readTree(path))).toEqual([{ [`pdf/${compiled}`]: 'evil' }]);
  });
});

function receiptOf(world: { read(path: string): string }): Record<string, string> {
  const path = '.agents/skills/.skillpack/org/pdf/receipt.json';
  return { [path]: world.read(path) };
}

describe('dependencies', () => {
  test('packs come with what they depend on, one version of each', async () => {
    const world = makeWorld();
    await world.offer({ name: 'org/base', version: '1.0.0' });
    await world.offer({ name: 'org/base', version: '1.5.0' });
    await world.offer({ name: 'org/base', version: '2.0.0' });
    await world.offer({ name: 'org/a', version: '1.0.0', dependencies: { 'org/base': '^1' } });
    await world.offer({ name: 'org/b', version: '1.0.0', dependencies: { 'org/base': '>=1', 'org/a': '*' } });
    await world.install(['org/b']);
    expect(Object.entries(world.lock()).map(([name, { version, range }]) => [name, version, range])).toEqual([
      ['org/a', '1.0.0', undefined],
      ['org/b', '1.0.0', '^1.0.0'],
      ['org/base', '1.5.0', undefined],
    ]);
  });

  test('a conflict names both paths', async () => {
    const world = makeWorld();
    for (const version of ['1.0.0', '2.0.0']) await world.offer({ name: 'org/common', version });
    await world.offer({ name: 'org/a', version: '1.0.0', dependencies: { 'org/common': '^1' } });
    await world.offer({ name: 'org/b', version: '2.0.0', dependencies: { 'org/common': '^2' } });
    const error = await refusal(world.install(['org/a', 'org/b']));
    expect(error.code).toBe('DEPENDENCY_CONFLICT');
    expect(error.message).toBe(
      'No version of org/common fits all: org/a@1.0.0 needs org/common@^1, org/b@2.0.0 needs org/common@^2.',
    );
  });

  test('a misspelt pack and a version that is not there get the nearest that is', async () => {
    const world = makeWorld();
    for (const version of ['1.0.0', '1.2.0', '3.0.0']) await world.offer({ name: 'org/pdf', version });
    expect(await refusal(world.install(['org/pfd']))).toMatchObject({ code: 'PACK_NOT_FOUND' });
    expect(await refusal(world.install(['org/pdf@^2']))).toMatchObject({
      code: 'VERSION_NOT_FOUND',
      hint: 'The nearest are 1.0.0, 1.2.0, 3.0.0.',
    });
    expect(await refusal(world.install(['org/pdf@lates']))).toMatchObject({ hint: 'Did you mean org/pdf@latest?' });
  });
});

describe('trust', () => {
  test('a withdrawn version is not chosen, and installs with a warning where it is locked', async () => {
    const world = makeWorld();
    await world.offer({ name: 'org/pdf', version: '1.0.0' });
    await world.offer({ name: 'org/pdf', version: '1.1.0' });
    await world.install(['org/pdf']);
    await world.registry.yank({ name: named('org/pdf'), version: '1.1.0' }, 'broken');
    rmSync(join(world.project, '.agents'), { recursive: true });
    const report = await world.install([]);
    expect(report.changes).toMatchObject([{ kind: 'add', version: '1.1.0' }]);
    expect(report.warnings).toEqual([{ kind: 'yanked', name: 'org/pdf', version: '1.1.0', reason: 'broken' }]);
    rmSync(world.project, { recursive: true });
    expect((await world.install(['org/pdf'])).changes).toMatchObject([{ version: '1.0.0' }]);
    expect(await refusal(world.install(['org/pdf@1.1.0']))).toMatchObject({ code: 'VERSION_NOT_FOUND' });
  });

  test('revoked content is refused even when it is locked', async () => {
    const world = makeWorld();
    const { manifest } = await world.offer({ name: 'org/pdf', version: '1.0.0' });
    await world.install(['org/pdf']);
    world.registry.revoke({ digest: manifest.treeDigest, reason: 'malware' });
    rmSync(join(world.project, '.agents'), { recursive: true });
    for (const frozen of [false, true]) {
      expect(await refusal(world.install([], { frozen }))).toMatchObject({
        code: 'VERSION_REVOKED',
        data: { reason: 'malware' },
      });
    }
    expect(readdirSync(world.project).toSorted()).toEqual(['skillpack-lock.json', 'skillpack.json']);
  });

  test('what a pack requires of the machine and does not find is told', async () => {
    const world = makeWorld({
      machine: { platform: 'linux', hasProgram: (name) => name !== 'qpdf', hasVariable: () => false },
    });
    await world.offer({
      name: 'org/pdf',
      version: '1.0.0',
      requires: { bins: ['qpdf', 'node'], env: ['PDF_KEY'], platforms: ['darwin'] },
    });
    expect((await world.install(['org/pdf'])).warnings).toEqual([
      { kind: 'requires', name: 'org/pdf', what: 'program', missing: 'qpdf' },
      { kind: 'requires', name: 'org/pdf', what: 'environment', missing: 'PDF_KEY' },
      { kind: 'requires', name: 'org/pdf', what: 'platform', missing: 'darwin' },
    ]);
  });

  test('a version whose content changed in the registry is refused', async () => {
    const world = makeWorld();
    await world.offer({ name: 'org/pdf', version: '1.0.0' });
    await world.install(['org/pdf']);
    const other = makeWorld();
    await other.offer({ name: 'org/pdf', version: '1.0.0', skills: { pdf: skill('pdf', 'evil') } });
    const ports = { ...world.ports, registryFor: () => other.registry };
    expect(await refusal(updatePacks({ root: world.root, names: [] }, ports))).toMatchObject({
      code: 'INTEGRITY_MISMATCH',
    });
    expect((await verifyRoot({ root: world.root })).ok).toBe(true);
  });

  test('an archive that is not the pack it was offered as is refused, and leaves nothing', async () => {
    const world = makeWorld();
    const { digest } = await world.offer({ name: 'org/pdf', version: '1.0.0' });
    const other = packed({ name: 'org/evil', version: '1.0.0' });
    const lying = { ...world.registry, getBlob: () => Promise.resolve(other.archive) };
    mkdirSync(world.project);
    expect(await refusal(makeInstall(world, lying))).toMatchObject({
      code: 'INTEGRITY_MISMATCH',
      message: 'The archive of org/pdf@1.0.0 says that it is org/evil@1.0.0.',
    });
    expect(readdirSync(world.project)).toEqual([]);
    world.registry.tamper(digest, other.archive);
    expect(await refusal(makeInstall(world, world.registry))).toMatchObject({ code: 'INTEGRITY_MISMATCH' });
    expect(readdirSync(world.project)).toEqual([]);
  });
});

function makeInstall(world: ReturnType<typeof makeWorld>, registry: ReturnType<typeof makeWorld>['registry']) {
  const ports = { ...world.ports, registryFor: () => registry };
  return world.installWith(ports, ['org/pdf']);
}

describe('frozen', () => {
  test('installs exactly what is locked, from the store, without a network', async () => {
    const world = makeWorld();
    await world.offer({ name: 'org/base', version: '1.0.0' });
    await world.offer({ name: 'org/pdf', version: '1.0.0', dependencies: { 'org/base': '^1' } });
    await world.install(['org/pdf']);
    const before = world.tree();
    rmSync(join(world.project, '.agents'), { recursive: true });
    const unreachable = () => Promise.reject(new SkillsError('NETWORK_ERROR', 'Nothing listens there.'));
    const registry = { ...world.registry, getPack: unreachable, getBlob: unreachable, getRevocations: unreachable };
    const report = await world.installWith({ ...world.ports, registryFor: () => registry }, [], { frozen: true });
    expect(world.tree()).toEqual(before);
    expect(report.warnings).toMatchObject([{ kind: 'revocations-unchecked' }]);
    expect(report.downloaded.archives).toBe(0);
    rmSync(join(world.project, '.agents'), { recursive: true });
    const offline = await world.installWith({ ...world.ports, registryFor: () => registry }, [], {
      frozen: true,
      offline: true,
    });
    expect(offline.warnings).toEqual([]);
    expect(world.tree()).toEqual(before);
  });

  test('fails where the lock file has no answer, and changes nothing', async () => {
    const world = makeWorld();
    await world.offer({ name: 'org/pdf', version: '1.0.0' });
    mkdirSync(world.project);
    expect(await refusal(world.install([], { frozen: true }))).toMatchObject({ code: 'FROZEN_MISMATCH' });
    await world.install(['org/pdf']);
    writeFileSync(join(world.project, 'skillpack.json'), '{"packs":{"org/pdf":"^2"}}');
    const before = world.tree();
    expect(await refusal(world.install([], { frozen: true }))).toMatchObject({
      code: 'FROZEN_MISMATCH',
      data: { name: 'org/pdf', wanted: '^2', locked: '1.0.0' },
    });
    expect(await refusal(world.install(['org/pdf'], { frozen: true }))).toMatchObject({ code: 'USAGE' });
    expect(world.tree()).toEqual(before);
  });

  test('a damaged archive in the store is fetched anew', async () => {
    const world = makeWorld();
    const { digest, archive } = await world.offer({ name: 'org/pdf', version: '1.0.0' });
    await world.install(['org/pdf']);
    const hex = digest.slice('sha256:'.length);
    const blob = join(world.dir, 'cache/blobs/sha256', hex.slice(0, 2), hex);
    writeFileSync(blob, archive.subarray(1));
    rmSync(join(world.project, '.agents'), { recursive: true });
    expect((await world.install([], { frozen: true })).downloaded.archives).toBe(1);
    writeFileSync(blob, 'x');
    rmSync(join(world.project, '.agents'), { recursive: true });
    expect(await refusal(world.install([], { frozen: true, offline: true }))).toMatchObject({ code: 'OFFLINE' });
  });
});

describe('the lock file of others', () => {
  test('a conflict marker is an error that loses nothing', async () => {
    const world = makeWorld();
    await world.offer({ name: 'org/pdf', version: '1.0.0' });
    await world.install(['org/pdf']);
    const text = `<<<<<<< ours\n${world.read('skillpack-lock.json')}=======\n>>>>>>> theirs\n`;
    writeFileSync(join(world.project, 'skillpack-lock.json'), text);
    const before = world.tree();
    expect(await refusal(world.install(['org/pdf']))).toMatchObject({ code: 'LOCK_CONFLICT', data: { line: 1 } });
    expect(world.tree()).toEqual(before);
  });

  test('a lock file that changes while packs are fetched stops the install before anything is changed', async () => {
    const world = makeWorld();
    await world.offer({ name: 'org/pdf', version: '1.0.0' });
    await world.offer({ name: 'org/csv', version: '1.0.0' });
    await world.install(['org/csv']);
    const lock = join(world.project, 'skillpack-lock.json');
    const changing = {
      ...world.registry,
      getBlob: (...request: Parameters<typeof world.registry.getBlob>) => {
        writeFileSync(lock, `${world.read('skillpack-lock.json')}\n`);
        return world.registry.getBlob(...request);
      },
    };
    const error = await refusal(world.installWith({ ...world.ports, registryFor: () => changing }, ['org/pdf']));
    expect(error).toMatchObject({ code: 'LOCK_CHANGED' });
    expect(readdirSync(world.skills).toSorted()).toEqual(['.skillpack', 'csv']);
    expect(readdirSync(join(world.skills, '.skillpack')).toSorted()).toEqual(['.lock', 'org']);
  });

  test('what a teammate uninstalled goes with the next install; a pack without a lock file stays', async () => {
    const world = makeWorld();
    await world.offer({ name: 'org/pdf', version: '1.0.0' });
    await world.install(['org/pdf']);
    const lock = join(world.project, 'skillpack-lock.json');
    rmSync(join(world.project, 'skillpack.json'));
    renameSync(lock, join(world.dir, 'aside'));
    expect((await world.install([])).warnings).toEqual([{ kind: 'unlocked', name: 'org/pdf', version: '1.0.0' }]);
    writeFileSync(lock, '{"formatVersion":1,"packs":{}}');
    expect((await world.install([])).changes).toMatchObject([{ kind: 'remove', name: 'org/pdf' }]);
    expect(readdirSync(world.skills)).toEqual(['.skillpack']);
  });
});

test('a cancelled install leaves nothing', async () => {
  const world = makeWorld();
  await world.offer({ name: 'org/pdf', version: '1.0.0' });
  mkdirSync(world.project);
  const controller = new AbortController();
  const install = world.install(['org/pdf'], {
    signal: controller.signal,
    onEvent: ({ kind }) => {
      if (kind === 'staged') controller.abort();
    },
  });
  expect(await refusal(install)).toMatchObject({ code: 'INTERRUPTED' });
  expect(readdirSync(world.project)).toEqual([]);
});
