import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeSkill } from './make-skill.js';
import { createWorld, type World } from './run-skills.js';

let template: World;
let world: World;
let registry: string;
let skills: string;

beforeAll(async () => {
  template = createWorld();
  await publish('1.0.0', template);
});
afterAll(() => template.remove());

beforeEach(() => {
  world = createWorld();
  registry = world.path('registry');
  skills = join(world.project, '.agents', 'skills');
  cpSync(template.path('registry'), registry, { recursive: true });
  cpSync(template.path('source'), world.path('source'), { recursive: true });
});
afterEach(() => world.remove());

async function publish(version: string, into: World = world): Promise<void> {
  const folder = makeSkill(into.path('source', 'tool'), {
    body: `# tool ${version}\n`,
    files: { 'scripts/run.sh': '#!/bin/sh\necho run\n', 'references/more.md': 'More.\n' },
    pack: { name: 'acme/tool', version },
  });
  const published = await into.run(['publish', folder, '--to', into.path('registry')]);
  expect(published.exitCode, published.stderr).toBe(0);
}

const run = (...words: string[]) => world.run(words, { env: { SKILLS_REGISTRY: registry } });

async function failure(...words: string[]): Promise<[number | null, string | undefined]> {
  const { exitCode, json } = await run(...words, '--json');
  return [exitCode, json().error?.code];
}

test('install puts the very bytes in place, with the execute bit, and locks them', async () => {
  const installed = await run('install', 'acme/tool', '--json');
  expect(installed).toMatchObject({ exitCode: 0, stderr: '' });
  expect(installed.json().data).toMatchObject({
    root: skills,
    changes: [{ kind: 'add', name: 'acme/tool', version: '1.0.0', skills: ['tool'] }],
    saved: { projectFile: true, lockFile: true },
  });
  for (const path of ['SKILL.md', 'scripts/run.sh', 'references/more.md']) {
    expect(readFileSync(join(skills, 'tool', path))).toEqual(readFileSync(world.path('source', 'tool', path)));
  }
  if (process.platform !== 'win32')
    expect(statSync(join(skills, 'tool', 'scripts', 'run.sh')).mode & 0o111).not.toBe(0);
  expect(JSON.parse(readFileSync(join(world.project, 'skillpack-lock.json'), 'utf8'))).toMatchObject({
    packs: { 'acme/tool': { version: '1.0.0', source: 'registry' } },
  });
  const again = await run('install', '--json');
  expect(again.json().data).toMatchObject({ changes: [{ kind: 'keep' }], saved: { lockFile: false } });
});

test('install without a spec, frozen and offline, brings back what the lock file says', async () => {
  await run('install', 'acme/tool');
  await publish('1.1.0');
  rmSync(join(world.project, '.agents'), { recursive: true });
  expect((await run('install', '--frozen', '--offline')).exitCode).toBe(0);
  expect(readFileSync(join(skills, 'tool', 'SKILL.md'), 'utf8')).toContain('tool 1.0.0');
});

test('install --frozen refuses when the lock file would have to change', async () => {
  writeFileSync(join(world.project, 'skillpack.json'), JSON.stringify({ packs: { 'acme/tool': '^1' } }));
  expect(await failure('install', '--frozen')).toEqual([4, 'FROZEN_MISMATCH']);
  expect(existsSync(skills)).toBe(false);
});

test('install --dry-run changes nothing, and --no-save leaves skillpack.json alone', async () => {
  const planned = await run('install', 'acme/tool', '--dry-run', '--json');
  expect(planned.json().data).toMatchObject({ dryRun: true, changes: [{ kind: 'add' }] });
  expect(readdirSync(world.project)).toEqual(['.git']);
  expect((await run('install', 'acme/tool', '--no-save')).exitCode).toBe(0);
  expect(readdirSync(world.project).toSorted()).toEqual(['.agents', '.git', 'skillpack-lock.json']);
});

test('install takes a folder and an archive, relative to --cwd', async () => {
  makeSkill(join(world.project, 'mine', 'own'), { pack: { name: 'me/own', version: '1.0.0' } });
  expect((await run('install', './own', '--cwd', join(world.project, 'mine'))).exitCode).toBe(0);
  expect(existsSync(join(skills, 'own', 'SKILL.md'))).toBe(true);
  expect((await run('pack', world.path('source', 'tool'), '--out', world.path('tool.zip'))).exitCode).toBe(0);
  expect((await run('install', world.path('tool.zip'))).exitCode).toBe(0);
  expect(existsSync(join(skills, 'tool', 'SKILL.md'))).toBe(true);
});

test('pack --out names the archive, or a folder, which is made', async () => {
  const source = world.path('source', 'tool');
  const made = await run('pack', source, '--out', './dist/packs', '--format', 'zip', '--json');
  const path = String(made.json().data.path);
  expect([made.exitCode, dirname(path)]).toEqual([0, join(world.project, 'dist', 'packs')]);
  expect(path).toMatch(/\.zip$/u);
  expect((await run('pack', source, '--out', './other/tool.tgz')).exitCode).toBe(0);
  expect(existsSync(join(world.project, 'other', 'tool.tgz'))).toBe(true);
  expect((await run('verify', path)).exitCode).toBe(0);
  expect(await failure('pack', source, '--out', 'tool.tgz', '--format', 'zip')).toEqual([2, 'USAGE']);
  writeFileSync(join(world.project, 'a-file'), 'mine');
  expect(await failure('pack', source, '--out', 'a-file')).toEqual([2, 'USAGE']);
  expect(readFileSync(join(world.project, 'a-file'), 'utf8')).toBe('mine');
});

test('--scope user and --root choose another root with a lock file of its own', async () => {
  expect((await run('install', 'acme/tool', '--scope', 'user')).exitCode).toBe(0);
  expect(existsSync(join(world.home, '.agents', 'skills', 'tool', 'SKILL.md'))).toBe(true);
  expect(existsSync(join(world.home, '.agents', 'skillpack-lock.json'))).toBe(true);
  expect((await run('install', 'acme/tool', '--root', './other')).exitCode).toBe(0);
  expect(existsSync(join(world.project, 'other', 'tool', 'SKILL.md'))).toBe(true);
  expect(existsSync(skills)).toBe(false);
});

test('the home folder is no project', async () => {
  const { exitCode, stderr } = await world.run(['install', 'acme/tool', '--cwd', world.home]);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('Use --scope user')]);
});

test.each([
  [['install', 'acme/nothing'], 3, 'PACK_NOT_FOUND'],
  [['install', 'acme/tool@^9'], 3, 'VERSION_NOT_FOUND'],
  [['install', 'tool'], 2, 'INVALID_SPEC'],
  [['install', './nowhere'], 3, 'FILE_NOT_FOUND'],
  [['install', 'acme/tool', '--registry', './nowhere'], 3, 'FILE_NOT_FOUND'],
  [['install', 'acme/tool', '--registry', '.'], 3, 'FILE_NOT_FOUND'],
  [['install', 'acme/tool', '--registry', 'http://127.0.0.1:9/'], 5, 'NETWORK_ERROR'],
  [['install', 'acme/tool', '--registry', 'ftp://host.test/'], 2, 'USAGE'],
  [['verify', 'acme/tool'], 3, 'PACK_NOT_INSTALLED'],
  [['uninstall', 'acme/tool'], 3, 'PACK_NOT_INSTALLED'],
  [['uninstall', 'nothing'], 3, 'SKILL_NOT_FOUND'],
  [['inspect', 'nothing'], 3, 'SKILL_NOT_FOUND'],
  [['inspect', 'acme/nothing'], 3, 'PACK_NOT_FOUND'],
  [['inspect', 'acme/tool@^9'], 3, 'VERSION_NOT_FOUND'],
  [['inspect', 'acme/tool', '--body'], 2, 'USAGE'],
  [['publish', './nowhere'], 3, 'FILE_NOT_FOUND'],
  [['verify', './nothing.tgz'], 3, 'FILE_NOT_FOUND'],
  [['verify', 'a.tgz', 'b'], 2, 'USAGE'],
  [['verify', './folder'], 2, 'USAGE'],
  [['verify', '../plain.tar'], 2, 'USAGE'],
  [['verify', 'C:\\plain.tar'], 2, 'USAGE'],
])('a refusal has its code and exit code, and leaves nothing behind: %j', async (words, exitCode, code) => {
  expect(await failure(...words)).toEqual([exitCode, code]);
  expect(readdirSync(world.project)).toEqual(['.git']);
});

test('a project that was cloned installs from where its lock file says, with no registry configured', async () => {
  await run('install', 'acme/tool');
  rmSync(join(world.project, '.agents'), { recursive: true });
  expect((await world.run(['cache', 'clean'])).exitCode).toBe(0);
  expect((await world.run(['install', '--frozen'])).exitCode).toBe(0);
  expect(existsSync(join(skills, 'tool', 'SKILL.md'))).toBe(true);
  expect((await world.run(['outdated'])).exitCode).toBe(0);
});

test('an install that goes by a lock file with another registry says so, once', async () => {
  await run('install', 'acme/tool');
  cpSync(registry, world.path('other'), { recursive: true });
  const lockFile = join(world.project, 'skillpack-lock.json');
  const text = readFileSync(lockFile, 'utf8');
  const before = /"registry": "(file:[^"]*\/registry\/)"/u.exec(text)?.[1] ?? '';
  const after = before.replace(/registry\/$/u, 'other/');
  writeFileSync(lockFile, text.replace(before, after));
  const line = `acme/tool comes from ${after} now, as the lock file says; it came from ${before}.`;
  expect((await run('install', '--dry-run')).stdout).toContain(line.replace('comes', 'would come'));
  const { exitCode, stdout } = await run('install');
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining(line)]);
  expect(stdout).not.toContain('Nothing to do');
  expect((await run('install')).stdout).not.toContain('comes from');
});

test('a pack that is asked for in a folder, and in the registry again, is told to come from elsewhere', async () => {
  await run('install', 'acme/tool');
  const folder = world.path('source', 'tool');
  const lines = (stdout: string): readonly string[] => stdout.split('\n');
  const there = await run('install', folder);
  expect(lines(there.stdout)[0]).toMatch(/^acme\/tool comes from .*tool now; it came from file:.*registry\/\.$/u);
  expect(there.stdout).not.toContain('restored');
  expect(there.stdout).toContain('Nothing to install; skillpack.json and the lock file were written');
  const back = await run('install', 'acme/tool', '--json');
  expect(back.json().data.changes).toMatchObject([
    { kind: 'keep', origin: { kind: 'registry' }, movedFrom: { kind: 'folder', location: folder } },
  ]);
});

test('an install that only makes or removes links says so, and a dry run that it would', async () => {
  await run('install', 'acme/tool');
  const file = join(world.project, 'skillpack.json');
  const link = join(world.project, '.claude', 'skills', 'tool');
  const project = readFileSync(file, 'utf8');
  writeFileSync(file, JSON.stringify({ ...(JSON.parse(project) as object), targets: ['claude-code'] }));
  expect((await run('install', '--dry-run')).stdout).toContain(
    'Links for other agents: 1 would be made.\nNothing to install',
  );
  expect((await run('install', '--json')).json().data.links).toEqual({ made: [link], removed: [] });
  rmSync(join(world.project, '.claude'), { recursive: true });
  expect((await run('install')).stdout).toContain('Links for other agents: 1 made.\nNothing to install');
  expect((await run('install')).stdout).toContain('Nothing to do');
  writeFileSync(file, project);
  expect((await run('install')).stdout).toContain('Links for other agents: 1 removed.\nNothing to install');
  expect(existsSync(link)).toBe(false);
});

test('without a registry the error says how to name one', async () => {
  const { exitCode, stderr } = await world.run(['install', 'acme/tool']);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^error\[USAGE\]: No registry is configured, and acme\/tool comes from one\.\nhint: /u);
  for (const way of ['--registry', 'SKILLS_REGISTRY', 'skillpack.json']) expect(stderr).toContain(way);
});

test('install never overwrites a folder that no pack owns, nor what was edited', async () => {
  makeSkill(join(skills, 'tool'), { body: 'mine' });
  expect(await failure('install', 'acme/tool')).toEqual([4, 'FOLDER_NOT_OWNED']);
  expect(readFileSync(join(skills, 'tool', 'SKILL.md'), 'utf8')).toContain('mine');
  rmSync(join(skills, 'tool'), { recursive: true });
  await run('install', 'acme/tool');
  writeFileSync(join(skills, 'tool', 'SKILL.md'), 'edited');
  await publish('1.1.0');
  expect(await failure('install', 'acme/tool@1.1.0')).toEqual([4, 'FILES_EDITED']);
  expect(readFileSync(join(skills, 'tool', 'SKILL.md'), 'utf8')).toBe('edited');
  const replaced = await run('install', 'acme/tool@1.1.0', '--replace', '--json');
  const [backup] = replaced.json().data.backups as string[];
  expect(readFileSync(join(backup ?? '', 'tool', 'SKILL.md'), 'utf8')).toBe('edited');
  expect(readFileSync(join(skills, 'tool', 'SKILL.md'), 'utf8')).toContain('tool 1.1.0');
});

test('PSA-33: verify finds every kind of change, and exits with 1', async () => {
  await run('install', 'acme/tool');
  const clean = await run('verify');
  expect(clean).toMatchObject({ exitCode: 0, stderr: '' });
  expect(clean.stdout).toContain('1 pack, 3 files');
  writeFileSync(join(skills, 'tool', 'SKILL.md'), 'edited');
  rmSync(join(skills, 'tool', 'references', 'more.md'));
  writeFileSync(join(skills, 'tool', 'extra.md'), 'extra');
  const text = await run('verify');
  expect(text.exitCode).toBe(1);
  expect(text.stdout).toMatch(/modified +tool\/SKILL\.md/u);
  expect(text.stdout).toMatch(/missing +tool\/references\/more\.md/u);
  expect(text.stdout).toMatch(/extra +tool\/extra\.md/u);
  const json = await run('verify', 'tool', '--json');
  expect(json.exitCode).toBe(1);
  expect(json.json()).toMatchObject({ ok: true, data: { ok: false, packs: [{ name: 'acme/tool', ok: false }] } });
});

test('PSA-33: verify says that there is no lock file, and that a folder is not there', async () => {
  await run('install', 'acme/tool');
  rmSync(join(world.project, 'skillpack-lock.json'));
  const unlocked = await run('verify');
  expect(unlocked.exitCode).toBe(1);
  expect(unlocked.stdout).toContain('There is no skillpack-lock.json, though 1 pack is installed');
  expect(unlocked.stdout).toContain('skills doctor --repair');
  await run('doctor', '--repair');
  expect((await run('verify')).exitCode).toBe(0);
  expect(await failure('verify', '--root', world.path('nowhere'))).toEqual([3, 'FILE_NOT_FOUND']);
});

test('PSA-33: uninstall removes what was installed, and keeps what was edited', async () => {
  await run('install', 'acme/tool');
  writeFileSync(join(skills, 'tool', 'notes.md'), 'mine');
  const removed = await run('uninstall', 'tool', '--json');
  expect(removed.exitCode).toBe(0);
  expect(removed.json().data).toMatchObject({ removed: [{ name: 'acme/tool', kept: ['tool/notes.md'] }] });
  expect(readdirSync(join(skills, 'tool'))).toEqual(['notes.md']);
});

test('uninstall --backup keeps a copy, and nothing else is left', async () => {
  await run('install', 'acme/tool');
  const removed = await run('uninstall', 'acme/tool', '--backup', '--json');
  const [backup] = removed.json().data.backups as string[];
  expect(readFileSync(join(backup ?? '', 'tool', 'SKILL.md'), 'utf8')).toContain('tool 1.0.0');
  expect(existsSync(join(skills, 'tool'))).toBe(false);
  expect((await run('verify', '--json')).json().data).toMatchObject({ ok: true, packs: [] });
});

test('PSA-33: verify judges an archive without installing it, and refuses a hostile one', async () => {
  await run('pack', world.path('source', 'tool'), '--out', world.path('tool.tgz'));
  const honest = await run('verify', world.path('tool.tgz'), '--json');
  expect(honest.json().data).toMatchObject({ format: 'tgz', files: 3, manifest: { name: 'acme/tool' } });
  const bytes = readFileSync(world.path('tool.tgz'));
  writeFileSync(world.path('cut.tgz'), bytes.subarray(0, bytes.length - 20));
  expect(await failure('verify', world.path('cut.tgz'))).toEqual([4, 'ARCHIVE_REFUSED']);
});

test.skipIf(spawnSync('strace', ['true']).status !== 0)(
  'pack brings the bytes of the archive to the disk before its name, and the name before it says so',
  async () => {
    const trace = world.path('trace.txt');
    const packed = await world.runShell(
      `strace -f -y -e trace=fsync,rename,renameat,renameat2 -o ${trace} "$NODE" "$SKILLS" pack ${world.path('source', 'tool')} --out ${world.path('tool.tgz')}`,
    );
    expect(packed.exitCode, packed.stderr).toBe(0);
    const calls = [...readFileSync(trace, 'utf8').matchAll(/^\d+ +(fsync|rename)\w*\((.*)$/gmu)]
      .filter(([, , of = '']) => of.includes(world.path()) && !of.includes('compile'))
      .map(([, call = '', of = '']) => (call === 'fsync' ? `fsync ${/<(.*?)>/u.exec(of)?.[1] ?? ''}` : call));
    expect(calls).toEqual([
      expect.stringMatching(/^fsync .*tool\.tgz\.[-0-9a-f]+\.tmp$/u),
      'rename',
      `fsync ${world.path().replace(/\/$/u, '')}`,
    ]);
  },
);

test('outdated says what is newer, and update moves within the range', async () => {
  await run('install', 'acme/tool');
  expect((await run('outdated', '--json')).json().data).toEqual({
    checked: 1,
    outdated: [],
    notInstalled: [],
    revoked: [],
    failed: [],
  });
  await publish('1.2.0');
  await publish('2.0.0');
  const outdated = await run('outdated', '--json');
  expect(outdated.exitCode).toBe(1);
  expect(outdated.json().data.outdated).toMatchObject([{ current: '1.0.0', wanted: '1.2.0', latest: '2.0.0' }]);
  const updated = await run('update', '--json');
  expect(updated.json().data.changes).toMatchObject([{ kind: 'update', from: '1.0.0', version: '1.2.0' }]);
  expect(readFileSync(join(skills, 'tool', 'SKILL.md'), 'utf8')).toContain('tool 1.2.0');
});

test('outdated of a fresh checkout says what is locked and not installed, whether a registry answers or not', async () => {
  await run('install', 'acme/tool');
  rmSync(join(world.project, '.agents'), { recursive: true });
  for (const words of [[], ['--offline'], ['--registry', 'http://127.0.0.1:9/']]) {
    const asked = await run('outdated', ...words, '--json');
    expect(asked.exitCode, asked.stderr).toBe(1);
    expect(asked.json().data).toMatchObject({ checked: 0, notInstalled: [{ name: 'acme/tool', version: '1.0.0' }] });
  }
  const { stdout } = await run('outdated');
  expect(stdout).toBe('✗ acme/tool 1.0.0 is locked, but not installed: `skills install` brings it.\n');
});

test('outdated without the network says that no registry was asked', async () => {
  await run('install', 'acme/tool');
  for (const offline of [() => run('outdated', '--offline'), () => offlineBySetting('outdated')]) {
    const { exitCode, stderr } = await offline();
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('No registry was asked')]);
  }
  expect((await run('outdated')).stderr).toBe('');
});

const offlineBySetting = (...words: string[]) =>
  world.run(words, { env: { SKILLS_REGISTRY: registry, SKILLS_OFFLINE: '1' } });

test.skipIf(process.platform === 'win32')(
  'of a link in place of a skill, an install tells to move it away',
  async () => {
    await run('install', 'acme/tool');
    renameSync(join(skills, 'tool'), world.path('moved'));
    symlinkSync(world.path('moved'), join(skills, 'tool'));
    const { exitCode, stderr } = await run('install');
    expect([exitCode, stderr]).toEqual([
      0,
      expect.stringContaining('move tool away, then `skills install` restores it.'),
    ]);
    rmSync(join(skills, 'tool'));
    expect(await run('install')).toMatchObject({ exitCode: 0, stderr: '' });
    expect((await run('verify')).exitCode).toBe(0);
  },
);

test('a pack that is not there, and a version that is not, get a hint that can be typed', async () => {
  expect((await run('install', 'else/where')).stderr).toContain('try `skills search where`.');
  expect((await run('install', 'acme/tool@^9')).stderr).toContain('The nearest is 1.0.0.');
});

test('PSA-02: list shows every scope and what shadows what; --source lets another scope win', async () => {
  await run('install', 'acme/tool');
  makeSkill(join(world.home, '.agents', 'skills', 'tool'));
  makeSkill(world.path('more', 'pdf'));
  const env = { SKILLS_DIRS: world.path('more') };
  const lookUp = async (...words: string[]) => {
    const { data } = (await world.run(['list', '--json', ...words], { env })).json();
    return data.roots as { scope: string; skills: { shadowedBy: { scope: string } | null }[] }[];
  };
  const roots = await lookUp();
  expect(roots.map(({ scope }) => scope)).toEqual(['project', 'other', 'user', 'builtin']);
  expect(roots[0]?.skills).toMatchObject([{ name: 'tool', pack: 'acme/tool', version: '1.0.0', shadowedBy: null }]);
  expect(roots[2]?.skills).toMatchObject([{ name: 'tool', pack: null, shadowedBy: { scope: 'project' } }]);
  expect(roots[3]?.skills).toContainEqual(
    expect.objectContaining({ name: 'pdf', shadowedBy: expect.objectContaining({ scope: 'other' }) }),
  );
  const [project, , user] = await lookUp('--source', 'user');
  expect([project?.skills[0]?.shadowedBy?.scope, user?.skills[0]?.shadowedBy]).toEqual(['user', null]);
  expect((await lookUp('--scope', 'user')).length).toBe(1);
  const { stdout } = await world.run(['list'], { env });
  expect(stdout).toMatch(/tool +shadowed by project/u);
  expect(stdout).toMatch(/tool +acme\/tool 1\.0\.0 /u);
});

test('skills with wide names are listed in columns that a terminal aligns', async () => {
  for (const [name, words] of [
    ['表格处理', '处理表格。'],
    ['pdf', 'Reads a file.'],
    ['데이터', 'Counts.'],
  ] as const) {
    makeSkill(join(world.project, '.agents', 'skills', name), { frontMatter: `name: ${name}\ndescription: ${words}` });
  }
  const { stdout } = await world.run(['list', '--scope', 'project']);
  // Each of those characters is as wide as two letters.
  expect(stdout.split('\n').slice(1, 4)).toEqual([
    '  pdf         Reads a file.',
    '  表格处理    处理表格。',
    '  데이터      Counts.',
  ]);
});

test('PSA-33: inspect hides the text of a skill unless it is asked for', async () => {
  await run('install', 'acme/tool');
  for (const extra of [[], ['--json']]) {
    expect((await run('inspect', 'tool', ...extra)).stdout).not.toContain('# tool 1.0.0');
    expect((await run('inspect', 'tool', '--body', ...extra)).stdout).toContain('# tool 1.0.0');
  }
  const { data } = (await run('inspect', 'acme/tool', '--json')).json();
  expect(data).toMatchObject({ kind: 'skill', scope: 'project', pack: 'acme/tool', bodyLines: 1 });
  expect(data.files).toMatchObject([{ path: 'SKILL.md' }, { path: 'references/more.md' }, { path: 'scripts/run.sh' }]);
});

test('inspect tells of an installed skill which version of its pack it is, from where, with which content, since when', async () => {
  const before = new Date().toISOString();
  await run('install', 'acme/tool');
  const { packs } = JSON.parse(readFileSync(join(world.project, 'skillpack-lock.json'), 'utf8')) as {
    packs: Record<string, { treeDigest: string; registry: string }>;
  };
  const locked = packs['acme/tool'];
  const { installed } = (await run('inspect', 'tool', '--json')).json().data;
  expect(installed).toEqual({
    version: '1.0.0',
    source: { kind: 'registry', location: locked?.registry },
    treeDigest: locked?.treeDigest,
    installedAt: expect.toSatisfy((time: string) => time >= before && time <= new Date().toISOString()),
  });
  const { stdout } = await run('inspect', 'tool');
  for (const shown of [/pack +acme\/tool 1\.0\.0$/mu, /from +file:/u]) expect(stdout).toMatch(shown);
  for (const shown of [installed.treeDigest, installed.installedAt]) expect(stdout).toContain(shown);

  makeSkill(join(skills, 'mine'));
  expect((await run('inspect', 'mine', '--json')).json().data).toMatchObject({ pack: null, installed: null });
  expect((await run('inspect', 'mine')).stdout).not.toMatch(/^ *(?:pack|from|content|installed) /mu);
});

test('inspect asks the registry for a pack that is not here, or with --remote', async () => {
  await publish('2.0.0-rc.1');
  const found = await run('inspect', 'acme/tool', '--json');
  expect(found.json().data).toMatchObject({ kind: 'pack', name: 'acme/tool', version: { version: '1.0.0' } });
  const { data } = (await run('inspect', 'acme/tool@2.0.0-rc.1', '--json')).json();
  expect(data).toMatchObject({
    version: { version: '2.0.0-rc.1' },
    versions: [{ version: '2.0.0-rc.1' }, { version: '1.0.0' }],
  });
  await run('install', 'acme/tool');
  expect((await run('inspect', 'acme/tool', '--remote', '--json')).json().data.kind).toBe('pack');
});

test('search finds by words, and exits with 1 when it finds nothing', async () => {
  const found = await run('search', 'tool');
  expect(found.exitCode).toBe(0);
  expect(found.stdout).toMatch(/^acme\/tool +1\.0\.0 +Does tool\./u);
  expect((await run('search', 'zebra')).exitCode).toBe(1);
});

test('cache info, verify and clean', async () => {
  await run('install', 'acme/tool');
  const { path, archives } = (await run('cache', 'info', '--json')).json().data;
  expect(archives).toBe(1);
  expect((await run('cache', 'verify')).exitCode).toBe(0);
  const blob = (readdirSync(path as string, { recursive: true }) as string[])
    .filter((name) => name.includes('sha256'))
    .map((name) => join(path as string, name))
    .find((name) => statSync(name).isFile());
  writeFileSync(blob ?? '', 'damaged');
  const damaged = await run('cache', 'verify', '--json');
  expect([damaged.exitCode, damaged.json().data.damaged.length]).toEqual([1, 1]);
  expect((await run('cache', 'clean', '--json')).json().data).toMatchObject({ archives: 0 });
});

test('doctor finds what is wrong and repairs it', async () => {
  await run('install', 'acme/tool');
  expect((await run('doctor')).exitCode).toBe(0);
  mkdirSync(join(skills, '.skillpack', '.staging', 'left'), { recursive: true });
  const found = await run('doctor', '--json');
  expect([found.exitCode, found.json().data.findings[0].kind]).toEqual([1, 'leftover-staging']);
  expect((await run('doctor', '--repair')).exitCode).toBe(0);
  expect((await run('doctor')).exitCode).toBe(0);
});

test('doctor and inspect tell of a skill that is not offered since its SKILL.md was refused', async () => {
  mkdirSync(join(skills, 'bare'), { recursive: true });
  writeFileSync(join(skills, 'bare', 'SKILL.md'), '# No front\u202Ematter\n');
  const found = await run('doctor');
  expect([found.exitCode, found.stdout]).toEqual([
    1,
    expect.stringMatching(/bare: Its SKILL\.md was refused: .*skills lint /su),
  ]);
  expect(found.stdout).not.toContain('\u202E');
  expect((await run('doctor', '--json')).json().data).toMatchObject({
    ok: false,
    findings: [{ kind: 'refused-skill', subject: join(skills, 'bare'), repairable: false }],
  });
  const inspected = await run('inspect', 'bare');
  expect([inspected.exitCode, inspected.stderr]).toEqual([3, expect.stringContaining('Its SKILL.md was refused: ')]);
});

test('what a command tells to run is for the root that it is about', { timeout: 120_000 }, async () => {
  await run('install', 'acme/tool', '--scope', 'user');
  const control = join(world.home, '.agents', 'skills', '.skillpack');
  rmSync(control, { recursive: true });
  const found = await run('doctor', '--scope', 'user');
  expect(found.stdout).toMatch(
    /Run `skills doctor --repair --scope user`: .*\n.*`skills doctor --repair --scope user` mends all\.$/mu,
  );
  const [finding] = (await run('doctor', '--scope', 'user', '--json')).json().data.findings;
  expect(finding.advice).toContain('`skills doctor --repair --scope user`');
  const failed = await run('install', '--scope', 'user', '--json');
  expect(failed.json().error).toMatchObject({
    code: 'FOLDER_NOT_OWNED',
    hint: expect.stringContaining('--scope user`'),
  });
  expect((await run('doctor', '--repair', '--scope', 'user')).exitCode).toBe(0);
  writeFileSync(join(world.home, '.agents', 'skillpack.json'), '{}');
  const noted = await run('doctor', '--scope', 'user');
  expect([noted.exitCode, noted.stdout]).toEqual([
    0,
    expect.stringContaining('`skills uninstall acme/tool --scope user`'),
  ]);
  expect((await run('install', '--scope', 'user')).exitCode).toBe(0);
  expect((await run('verify', '--scope', 'user')).stdout).toContain('everything is as installed and locked');
});

test('what a registry has revoked since is told by every command that looks at it', { timeout: 120_000 }, async () => {
  await run('install', 'acme/tool');
  const { packs } = JSON.parse(readFileSync(join(world.project, 'skillpack-lock.json'), 'utf8')) as {
    packs: Record<string, { treeDigest: string }>;
  };
  const revoked = [{ digest: packs['acme/tool']?.treeDigest, reason: 'malware' }];
  mkdirSync(join(registry, 'revocations'), { recursive: true });
  writeFileSync(join(registry, 'revocations', 'latest.json'), JSON.stringify({ formatVersion: 1, revoked }));
  const asked = await run('outdated', '--json');
  expect([asked.exitCode, asked.json().data.revoked]).toEqual([
    1,
    [{ name: 'acme/tool', version: '1.0.0', reason: 'malware' }],
  ]);
  for (const command of ['install', 'verify', 'list', 'update']) {
    expect((await run(command)).stderr, command).toContain('acme/tool@1.0.0 was revoked (malware)');
  }
  expect((await run('outdated')).stdout).toContain('acme/tool 1.0.0 was revoked (malware)');
  const examined = await run('doctor');
  expect([examined.exitCode, examined.stdout]).toEqual([1, expect.stringContaining('was revoked: malware')]);
  expect((await run('uninstall', 'tool')).exitCode).toBe(0);
  expect((await run('list')).stderr).toBe('');
});
