import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diagnoseRoot } from '../src/doctor/diagnose-root.js';
import { uninstallPacks } from '../src/uninstall/uninstall-packs.js';
import { outdatedPacks } from '../src/update/outdated-packs.js';
import { updatePacks } from '../src/update/update-packs.js';
import { verifyRoot } from '../src/verify/verify-root.js';
import { runChild } from './run-child.js';
import { commandsIn } from './run-words.js';
import { makeWorld, readTree, refusal, type World } from './world.js';

const offered = [
  { name: 'org/pdf', version: '1.0.0' },
  { name: 'org/pdf', version: '1.1.0' },
  { name: 'org/pdf', version: '1.2.0' },
  { name: 'org/more', version: '1.0.0' },
  { name: 'org/next', version: '1.0.0' },
];

async function installed(): Promise<World> {
  const world = makeWorld();
  for (const description of offered) await world.offer(description);
  await world.install(['org/pdf@1.0.0']);
  return world;
}

/** Leaves the lock file as git does when both sides changed it. @returns its text. */
function conflict(world: World): string {
  const path = join(world.project, 'skillpack-lock.json');
  const lines = readFileSync(path, 'utf8').split('\n');
  const text = [
    ...lines.slice(0, 3),
    '<<<<<<< HEAD',
    lines[3],
    '=======',
    lines[3],
    '>>>>>>> other',
    ...lines.slice(4),
  ].join('\n');
  writeFileSync(path, text);
  return text;
}

test.each<[string, (world: World) => Promise<unknown>]>([
  ['install', (world) => world.install(['org/more'])],
  ['a frozen install', (world) => world.install([], { frozen: true })],
  ['update', ({ root, ports }) => updatePacks({ root, names: [] }, ports)],
  ['uninstall', ({ root, ports }) => uninstallPacks({ root, names: ['org/pdf'] }, ports)],
  ['verify', ({ root }) => verifyRoot({ root })],
])(
  'PSA-32: a conflict marker in the lock file is an error of %s that names the line, and nothing is touched',
  async (_, run) => {
    const world = await installed();
    conflict(world);
    const before = world.tree();
    const error = await refusal(run(world));
    expect(error).toMatchObject({
      code: 'LOCK_CONFLICT',
      data: { path: join(world.project, 'skillpack-lock.json'), line: 4 },
    });
    expect(error.message).toContain('line 4');
    expect(world.tree()).toEqual(before);
  },
);

interface Branch {
  readonly specs: readonly string[];
  readonly uninstalls?: readonly string[];
}

/**
 * Installs other packs on two branches of a project, and merges them with git; what belongs into skillpack.json is
 * written there as a person does it.
 */
async function mergedBranches(style: string, branches: readonly [Branch, Branch]): Promise<World> {
  const world = await installed();
  const packs: Record<string, string> = {};
  const git = (...args: readonly string[]): unknown => runGit(world.project, args);
  writeFileSync(join(world.project, '.gitignore'), '.agents/\n');
  git('init', '-q', '-b', 'main');
  git('config', 'merge.conflictStyle', style);
  git('add', '.');
  git('commit', '-q', '-m', 'base');
  for (const [index, { specs, uninstalls = [] }] of branches.entries()) {
    git('checkout', '-q', '-b', `branch-${index}`, 'main');
    await world.install([]);
    if (specs.length > 0) await world.install(specs);
    if (uninstalls.length > 0) await uninstallPacks({ root: world.root, names: uninstalls }, world.ports);
    Object.assign(packs, (JSON.parse(world.read('skillpack.json')) as { packs: object }).packs);
    git('commit', '-q', '-a', '-m', `branch ${index}`);
  }
  expect(() => git('merge', '-q', '--no-edit', 'branch-0')).toThrow(/./u);
  const gone = new Set(branches.flatMap(({ uninstalls = [] }) => uninstalls));
  const wanted = Object.fromEntries(Object.entries(packs).filter(([name]) => !gone.has(name)));
  writeFileSync(join(world.project, 'skillpack.json'), JSON.stringify({ packs: wanted }));
  expect(world.read('skillpack-lock.json')).toContain('<<<<<<<');
  return world;
}

function runGit(cwd: string, args: readonly string[]): void {
  const identity = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.org' };
  const committer = { GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.org' };
  const env = { ...process.env, ...identity, ...committer, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  execFileSync('git', args, { cwd, env, stdio: 'pipe' });
}

function putAsideIn({ project }: World): readonly string[] {
  return Object.entries(readTree(join(project, '.agents/.skillpack-backups'))).map(([, text]) => text);
}

const styles = ['merge', 'diff3', 'zdiff3'];

test.each(styles)('PSA-32: two branches that each installed another pack keep both locks (%s style)', async (style) => {
  const world = await mergedBranches(style, [{ specs: ['org/more@1.0.0'] }, { specs: ['org/next'] }]);
  await world.offer({ name: 'org/more', version: '1.1.0' });
  const conflicted = world.read('skillpack-lock.json');
  const { hint } = await refusal(verifyRoot({ root: world.root }));
  expect(commandsIn(`${hint}`)).toEqual(['skills doctor --repair']);
  const { findings } = await diagnoseRoot({ root: world.root }, world.ports, { repair: true });
  expect(findings[0]).toMatchObject({ kind: 'lock-unreadable', repaired: true });
  expect(putAsideIn(world)).toEqual([conflicted]);
  await world.install([]);
  const versions = Object.entries(world.lock()).map(([name, { version }]) => `${name}@${version}`);
  expect(versions).toEqual(['org/more@1.0.0', 'org/next@1.0.0', 'org/pdf@1.0.0']);
  expect(await verifyRoot({ root: world.root })).toMatchObject({ ok: true });
});

test.each(styles)(
  'PSA-32: of a pack that two branches updated otherwise a person chooses an entry, and the rest is merged (%s style)',
  async (style) => {
    const world = await mergedBranches(style, [
      { specs: ['org/pdf@1.1.0', 'org/more'] },
      { specs: ['org/pdf@1.2.0', 'org/next'] },
    ]);
    const conflicted = world.read('skillpack-lock.json');
    const report = await diagnoseRoot({ root: world.root }, world.ports, { repair: true });
    expect(report).toMatchObject({ ok: false, findings: [{ repaired: true }, { repaired: false }] });
    const [, left] = report.findings;
    expect(left?.message).toContain('org/pdf, one as 1.2.0 and one as 1.1.0');
    expect(left?.advice).toMatch(/^Keep one of the two entries of org\/pdf .* then run `skills install`\.$/u);
    expect(putAsideIn(world)).toEqual([conflicted]);
    expect(await diagnoseRoot({ root: world.root }, world.ports, { repair: true })).toMatchObject({
      findings: [{ kind: 'lock-unreadable', repaired: false, repairable: false }],
    });
    // What the advice says: the second entry, without the markers.
    const chosen = world.read('skillpack-lock.json').replace(/^<{7}[^]*?^={7}\n/mu, '');
    writeFileSync(join(world.project, 'skillpack-lock.json'), chosen.replace(/^>{7}.*\n/mu, ''));
    writeFileSync(
      join(world.project, 'skillpack.json'),
      '{"packs":{"org/more":"^1.0.0","org/next":"^1.0.0","org/pdf":"^1.0.0"}}',
    );
    await world.install([]);
    const versions = Object.entries(world.lock()).map(([name, { version }]) => `${name}@${version}`);
    expect(versions).toEqual(['org/more@1.0.0', 'org/next@1.0.0', 'org/pdf@1.1.0']);
    expect(await verifyRoot({ root: world.root })).toMatchObject({ ok: true });
  },
);

test.each(styles)(
  'PSA-32: a pack that one branch uninstalled goes where the conflict shows it, else is named with the cure (%s style)',
  async (style) => {
    const world = await mergedBranches(style, [{ specs: ['org/more'] }, { specs: [], uninstalls: ['org/pdf'] }]);
    const report = await diagnoseRoot({ root: world.root }, world.ports, { repair: true });
    const kept = Object.keys(world.lock());
    if (style !== 'merge') {
      expect(kept).toEqual(['org/more']);
      expect(report.notes).toEqual([]);
      return;
    }
    // `install --no-save` makes the same lock file: to remove the pack unasked could lose what somebody wants.
    expect(kept).toEqual(['org/more', 'org/pdf']);
    expect(report.notes.map(({ advice }) => commandsIn(advice))).toEqual([['skills uninstall org/pdf']]);
    await uninstallPacks({ root: world.root, names: ['org/pdf'] }, world.ports);
    await world.install([]);
    expect(Object.keys(world.lock())).toEqual(['org/more']);
    expect(await diagnoseRoot({ root: world.root }, world.ports)).toMatchObject({ ok: true, notes: [] });
  },
);

test.each<[string, (world: World) => Promise<unknown>]>([
  ['install', (world) => world.install([])],
  ['a frozen install', (world) => world.install([], { frozen: true })],
  ['update', ({ root, ports }) => updatePacks({ root, names: [] }, ports)],
  ['uninstall', ({ root, ports }) => uninstallPacks({ root, names: ['org/more'] }, ports)],
  ['verify', ({ root }) => verifyRoot({ root })],
  ['outdated', ({ root, ports }) => outdatedPacks({ root }, ports)],
])(
  'PSA-32: of a conflict that a repair cannot end, %s says what a person does, and not to repair again',
  async (_, run) => {
    const world = await mergedBranches('merge', [{ specs: ['org/pdf@1.1.0'] }, { specs: ['org/pdf@1.2.0'] }]);
    expect(commandsIn(`${(await refusal(run(world))).hint}`)).toEqual(['skills doctor --repair']);
    const { findings } = await diagnoseRoot({ root: world.root }, world.ports, { repair: true });
    const { code, hint } = await refusal(run(world));
    expect(code).toBe('LOCK_CONFLICT');
    expect(hint).toBe(findings.find(({ repaired }) => !repaired)?.advice);
    expect(hint).toMatch(/^Keep one of the two entries of org\/pdf /u);
  },
);

test('a conflict whose sides are no lock files is left to a person', async () => {
  const world = await installed();
  const text = conflict(world).replace('>>>>>>> other\n', '');
  writeFileSync(join(world.project, 'skillpack-lock.json'), text);
  const report = await diagnoseRoot({ root: world.root }, world.ports, { repair: true });
  const finding = report.findings.find(({ kind }) => kind === 'lock-unreadable');
  expect(finding).toMatchObject({ repaired: false, message: expect.stringContaining('line 4') });
  expect(world.read('skillpack-lock.json')).toBe(text);
});

test('a lock file that was merged while a change lay unfinished stays as it is, and the rest of the change is made', async () => {
  const world = await installed();
  const task = { project: world.project, cache: join(world.dir, 'cache'), offered };
  expect((await runChild({ ...task, install: ['org/pdf@1.1.0'], dieOn: 'committed' })).signal).toBe('SIGKILL');
  const merged = world.read('skillpack-lock.json');
  const text = conflict(world);
  expect(await refusal(world.install(['org/more']))).toMatchObject({ code: 'LOCK_CONFLICT', data: { line: 4 } });
  expect(world.read('skillpack-lock.json')).toBe(text);
  writeFileSync(join(world.project, 'skillpack-lock.json'), merged);
  await world.install(['org/more']);
  expect(Object.keys(world.lock())).toEqual(['org/more', 'org/pdf']);
  expect(await verifyRoot({ root: world.root })).toMatchObject({ ok: true });
});
