import { chmodSync, mkdirSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestHex, treeDigestOf } from '@skillpack/core';
import { expect, test } from 'vitest';
import { createArchiveWriter } from '../src/archive/archive-writer.js';
import { sha256 } from '../src/archive/sha256.js';
import { uninstallPacks } from '../src/uninstall/uninstall-packs.js';
import { verifyRoot } from '../src/verify/verify-root.js';
import { makeWorld, packed, refusal, skill, type World } from './world.js';

const encoder = new TextEncoder();

function plain(files: Record<string, string>, format: 'tgz' | 'zip' = 'zip'): Uint8Array {
  const inputs = Object.entries(files).map(([path, text]) => ({
    path,
    bytes: encoder.encode(text),
    executable: false,
  }));
  return createArchiveWriter().write(inputs, format);
}

async function expectVerified(world: World): Promise<void> {
  expect(await verifyRoot({ root: world.root })).toMatchObject({ ok: true, untracked: [] });
}

test.each(['tgz', 'zip'] as const)(
  'PSA-32: a pack is installed from a .%s on this machine, and stays what it was',
  async (format) => {
    const world = makeWorld();
    const { archive, digest } = packed({ name: 'org/pdf', version: '1.0.0', format });
    const path = join(world.dir, `pdf.${format}`);
    writeFileSync(path, archive);
    await world.install([`./pdf.${format}`]);
    expect(world.lock()['org/pdf']).toMatchObject({
      source: 'file',
      path: `../pdf.${format}`,
      integrity: digest,
      range: `../pdf.${format}`,
    });
    expect(JSON.parse(world.read('skillpack.json'))).toMatchObject({ packs: { 'org/pdf': `../pdf.${format}` } });
    await expectVerified(world);
    expect((await world.install([])).changes).toMatchObject([{ kind: 'keep' }]);

    writeFileSync(
      path,
      packed({ name: 'org/pdf', version: '1.0.0', format, skills: { pdf: skill('pdf', 'changed') } }).archive,
    );
    rmSync(join(world.project, '.agents'), { recursive: true });
    expect(await refusal(world.install([], { frozen: true }))).toMatchObject({ code: 'INTEGRITY_MISMATCH' });
    await world.install([]);
    expect(world.read('.agents/skills/pdf/SKILL.md')).toContain('changed');

    rmSync(path);
    expect((await world.install([])).changes).toMatchObject([{ kind: 'keep' }]);
    expect(await refusal(world.install([`./pdf.${format}`]))).toMatchObject({ code: 'FILE_NOT_FOUND' });
  },
);

test('a folder is installed as it is, and again when it has changed', async () => {
  const world = makeWorld();
  const folder = join(world.dir, 'work/pdf');
  mkdirSync(join(folder, 'scripts'), { recursive: true });
  writeFileSync(join(folder, 'SKILL.md'), skill('pdf')['SKILL.md']!);
  writeFileSync(join(folder, 'scripts/run.sh'), '#!/bin/sh\n');
  chmodSync(join(folder, 'scripts/run.sh'), 0o755);
  const report = await world.install(['./work/pdf']);
  const [change] = report.changes;
  expect(change).toMatchObject({ kind: 'add', name: 'local/pdf', origin: { kind: 'folder', location: folder } });
  expect(change?.version).toMatch(/^0\.0\.0\+[0-9a-f]{12}$/u);
  expect(Object.keys(world.tree('.agents/skills/pdf'))).toEqual(['SKILL.md', 'scripts/run.sh*']);
  await expectVerified(world);
  expect((await world.install([])).changes).toMatchObject([{ kind: 'keep' }]);
  writeFileSync(join(folder, 'SKILL.md'), skill('pdf', 'changed')['SKILL.md']!);
  expect((await world.install([])).changes).toMatchObject([{ kind: 'update', from: change?.version }]);
  await expectVerified(world);
});

test('a skill in an archive without a manifest is named after itself, its version after its content', async () => {
  const world = makeWorld();
  const files = { 'SKILL.md': skill('my-skill')['SKILL.md']!, 'data.txt': 'data' };
  writeFileSync(join(world.dir, 'Downloaded Skill (1).zip'), plain(files));
  const { changes } = await world.install(['./Downloaded Skill (1).zip']);
  const listed = Object.entries(files).map(([path, text]) => ({
    path: `my-skill/${path}`,
    size: text.length,
    digest: sha256(text),
    executable: false,
  }));
  expect(changes).toMatchObject([
    {
      name: 'local/my-skill',
      version: `0.0.0+${digestHex(treeDigestOf(listed, sha256)).slice(0, 12)}`,
      skills: ['my-skill'],
    },
  ]);
  expect(world.tree('.agents/skills/my-skill')).toEqual(files);
  await expectVerified(world);
});

test('an archive of several skills without a manifest is named after its file', async () => {
  const world = makeWorld();
  writeFileSync(
    join(world.dir, 'Team Skills.tgz'),
    plain({ 'a/SKILL.md': skill('a')['SKILL.md']!, 'b/SKILL.md': skill('b')['SKILL.md']! }, 'tgz'),
  );
  expect((await world.install(['./Team Skills.tgz'])).changes).toMatchObject([
    { name: 'local/team-skills', skills: ['a', 'b'] },
  ]);
  await expectVerified(world);
});

test('a pack behind a URL is downloaded once, and restored from the store', async () => {
  const { archive } = packed({ name: 'org/pdf', version: '1.0.0' });
  const asked: string[] = [];
  const world = makeWorld({
    download: (url) => {
      asked.push(url);
      return Promise.resolve(archive);
    },
  });
  await world.install(['https://me:secret@example.org/pdf.tgz?token=secret']);
  expect(world.lock()['org/pdf']).toMatchObject({ source: 'url', url: 'https://example.org/pdf.tgz' });
  expect(JSON.stringify(world.tree())).not.toContain('secret');
  rmSync(join(world.project, '.agents'), { recursive: true });
  await world.install([], { offline: true });
  await expectVerified(world);
  expect(asked).toHaveLength(1);
});

test('a pack without a name from a URL belongs to its host', async () => {
  const world = makeWorld({ download: () => Promise.resolve(plain({ 'SKILL.md': skill('tool')['SKILL.md']! })) });
  expect((await world.install(['https://skills.example.org/tool.zip'])).changes).toMatchObject([
    { name: 'skills-example-org/tool' },
  ]);
});

test('a hostile archive is refused and leaves nothing, neither in the project nor in the store', async () => {
  const world = makeWorld({ download: () => Promise.resolve(encoder.encode('no archive')) });
  mkdirSync(world.project);
  writeFileSync(join(world.dir, 'evil.zip'), 'no archive');
  expect(await refusal(world.install(['./evil.zip']))).toMatchObject({ code: 'ARCHIVE_REFUSED' });
  expect(await refusal(world.install(['https://example.org/evil.zip']))).toMatchObject({ code: 'ARCHIVE_REFUSED' });
  expect(world.tree()).toEqual({});
  expect(await world.ports.store.info()).toMatchObject({ archives: 0 });
});

test('skills are linked for the agents that the project names, and the links go with them', async () => {
  const world = makeWorld();
  await world.offer({ name: 'org/pdf', version: '1.0.0' });
  await world.offer({ name: 'org/csv', version: '1.0.0' });
  mkdirSync(join(world.project, '.claude/skills/csv'), { recursive: true });
  writeFileSync(join(world.project, 'skillpack.json'), '{"targets":["claude-code","codex","tools/skills"]}');
  const { warnings } = await world.install(['org/pdf', 'org/csv']);
  expect(warnings).toMatchObject([
    { kind: 'link-blocked', target: 'claude-code', path: join(world.project, '.claude/skills/csv') },
  ]);
  expect(readlinkSync(join(world.project, '.claude/skills/pdf'))).toBe('../../.agents/skills/pdf');
  expect(readlinkSync(join(world.project, 'tools/skills/csv'))).toBe('../../.agents/skills/csv');
  expect((await world.install([])).changes.map(({ kind }) => kind)).toEqual(['keep', 'keep']);
  await expectVerified(world);
  rmSync(join(world.project, '.claude/skills/pdf'));
  expect((await verifyRoot({ root: world.root })).packs[1]?.findings).toEqual([
    { kind: 'link-changed', path: '../../.claude/skills/pdf' },
  ]);
  await world.install([]);
  await expectVerified(world);
  await uninstallPacks({ root: world.root, names: ['org/pdf'] }, world.ports);
  expect(readdirSync(join(world.project, '.claude/skills'))).toEqual(['csv']);
  writeFileSync(join(world.project, 'skillpack.json'), '{"packs":{"org/csv":"^1"}}');
  await world.install([]);
  expect(readdirSync(join(world.project, 'tools/skills'))).toEqual([]);
});

test.each(['claude-cod', '../elsewhere/skills', '.git/hooks', '/etc/skills'])(
  'the target %s is refused',
  async (target) => {
    const world = makeWorld();
    await world.offer({ name: 'org/pdf', version: '1.0.0' });
    mkdirSync(world.project);
    writeFileSync(join(world.project, 'skillpack.json'), JSON.stringify({ targets: [target] }));
    expect(await refusal(world.install(['org/pdf']))).toMatchObject({ code: 'INVALID_PROJECT' });
  },
);

test('a folder of several skills that states no name is named after itself; a version that is none is not taken', async () => {
  const world = makeWorld();
  for (const name of ['a', 'b']) {
    mkdirSync(join(world.dir, 'Team Skills', name), { recursive: true });
    writeFileSync(join(world.dir, 'Team Skills', name, 'SKILL.md'), skill(name)['SKILL.md']!);
  }
  const [change] = (await world.install(['./Team Skills'])).changes;
  expect(change).toMatchObject({ name: 'local/team-skills', skills: ['a', 'b'] });
  expect(change?.version).toMatch(/^0\.0\.0\+[0-9a-f]{12}$/u);
  await expectVerified(world);
  mkdirSync(join(world.dir, 'odd'));
  writeFileSync(join(world.dir, 'odd/SKILL.md'), '---\nname: odd\ndescription: d\nmetadata:\n  version: "one"\n---\n');
  expect((await world.install(['./odd'])).changes.find(({ name }) => name === 'local/odd')?.version).toMatch(
    /^0\.0\.0\+/u,
  );
});
