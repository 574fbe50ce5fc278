import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  cpSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { parsePackSpec } from '@skillpack/core';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { keepsChangeTimes } from '../src/disk/keeps-change-times.js';
import { livesInMemory } from '../src/disk/lives-in-memory.js';
import { describeInstall } from '../src/install/describe-install.js';
import { installPacks } from '../src/install/install-packs.js';
import type { InstallOptions } from '../src/install/install-options.js';
import { InstallSession } from '../src/install/install-session.js';
import { prepareInstall } from '../src/install/prepare-install.js';
import { sealSettled } from '../src/install/seal-settled.js';
import { folderRoot, projectRoot, userRoot } from '../src/root/install-root.js';
import { rootPaths } from '../src/root/root-paths.js';
import { recallInstall } from '../src/seal/recall-install.js';
import { sealPath, type InstallSeals, type SealSubject } from '../src/seal/seal-file.js';
import { updatePacks } from '../src/update/update-packs.js';
import { makeWorld, named, skill, temporaryFolder, type World } from './world.js';

/** Nothing is remembered of a root on tmpfs, as a folder for temporary files may be. */
const telling = keepsChangeTimes(tmpdir());

interface SealedWorld extends World {
  readonly seals: InstallSeals;
  readonly subject: SealSubject;
  /** What is remembered of the root. */
  recall(change?: Partial<SealSubject>): ReturnType<typeof recallInstall>;
  skillPath(...parts: string[]): string;
}

/** A project with an installed pack, in which an install has just found nothing to do. @param ahead of the clock of the files, in milliseconds. */
async function sealedWorld(ahead = 60_000): Promise<SealedWorld> {
  let seals: InstallSeals = { folder: '', context: '' };
  const world = makeWorld({ now: () => new Date(Date.now() + ahead) });
  seals = { folder: join(world.dir, 'seals'), context: 'this machine' };
  const ports = { ...world.ports, seals };
  const install = (specs: readonly string[], options: InstallOptions = {}) => world.installWith(ports, specs, options);
  await world.offer({
    name: 'org/pdf',
    version: '1.0.0',
    skills: { pdf: { ...skill('pdf'), 'scripts/run.sh': '#!/bin/sh\n' }, csv: skill('csv') },
    executable: ['pdf/scripts/run.sh'],
  });
  await install(['org/pdf']);
  // Whole seconds: a time that a test puts back is exactly the one that was.
  const longAgo = new Date('2020-01-01T00:00:00Z');
  utimesSync(join(world.skills, 'pdf', 'SKILL.md'), longAgo, longAgo);
  await install([]);
  const subject = { root: world.root, frozen: false, replace: false };
  return {
    ...world,
    ports,
    install,
    seals,
    subject,
    recall: (change = {}) => recallInstall({ ...subject, ...change }, seals),
    skillPath: (...parts) => join(world.skills, 'pdf', ...parts),
  };
}

describe.runIf(telling)('an install that has nothing to do', () => {
  test('is remembered, and told again word for word', async () => {
    const world = await sealedWorld();
    const report = await world.install([]);
    expect(report.changes).toMatchObject([{ kind: 'keep', name: 'org/pdf', skills: ['pdf', 'csv'] }]);
    expect(world.recall()).toEqual(report);
    expect(recallInstall(world.subject, world.seals, { dryRun: true })).toEqual({ ...report, dryRun: true });
  });

  test('leaves nothing in the root, and asks no registry', async () => {
    const world = await sealedWorld();
    const before = world.tree();
    const asked = world.registry.calls.length;
    expect(world.recall()).toBeDefined();
    expect(world.tree()).toEqual(before);
    expect(world.registry.calls.length).toBe(asked);
  });

  test('is remembered with its options, in its root and for what else it depended on alone', async () => {
    const world = await sealedWorld();
    expect(world.recall({ frozen: true })).toBeUndefined();
    expect(world.recall({ replace: true })).toBeUndefined();
    expect(world.recall({ root: folderRoot(world.skills) })).toBeUndefined();
    expect(recallInstall(world.subject, { ...world.seals, context: 'another version' })).toBeUndefined();
    await world.install([], { frozen: true });
    expect(world.recall({ frozen: true })).toBeDefined();
  });

  test.each([
    ['files were changed while it looked, or just before', 0],
    ['files were changed in the same tick of a file system that counts in two seconds', 2_000],
    ['the clock was set back since', -3_600_000],
  ])('is not remembered when %s', async (_, ahead) => {
    const world = await sealedWorld(ahead);
    expect(world.recall()).toBeUndefined();
    expect(readdirSync(world.dir)).not.toContain('seals');
  });

  test.runIf(livesInMemory('/dev/shm'))('is not remembered on a file system in memory', async () => {
    vi.stubEnv('TMPDIR', '/dev/shm');
    onTestFinished(() => void vi.unstubAllEnvs());
    const world = await sealedWorld();
    expect(world.dir).toMatch(/^\/dev\/shm\//u);
    expect(world.recall()).toBeUndefined();
    expect(readdirSync(world.dir)).not.toContain('seals');
  });

  test.runIf(livesInMemory('/dev/shm'))(
    'is not remembered when part of the root is on another file system',
    async () => {
      const world = await sealedWorld();
      const elsewhere = temporaryFolder('/dev/shm');
      const roots = [join(world.dir, 'beside'), elsewhere].map((baseDir) => ({ ...userRoot(world.dir), baseDir }));
      const told: boolean[] = [];
      for (const root of roots) {
        const request = { root, specs: [] };
        await installPacks({ ...request, specs: [parsePackSpec('org/pdf')] }, world.ports);
        expect((await installPacks(request, world.ports)).changes).toMatchObject([{ kind: 'keep' }]);
        told.push(recallInstall({ ...world.subject, root }, world.seals) !== undefined);
      }
      expect(told).toEqual([true, false]);
    },
  );

  test('is not remembered when a registry was asked', async () => {
    const world = await sealedWorld();
    rmSync(world.seals.folder, { recursive: true });
    const aim = { specs: [], from: world.dir, moving: new Set<never>() };
    const session = new InstallSession({ paths: rootPaths(world.root), aim }, world.ports, {});
    const prepared = await prepareInstall(session);
    const report = describeInstall(prepared, session, { backups: [] });
    const settled = { prepared, report, since: world.ports.now().getTime() };
    await session.documents.load([named('org/pdf')]);
    sealSettled(settled, session);
    expect(world.recall()).toBeUndefined();
    sealSettled(settled, new InstallSession({ paths: rootPaths(world.root), aim }, world.ports, {}));
    expect(world.recall()).toBeDefined();
  });

  test.skipIf(process.platform === 'win32').each([
    ['has a line feed in it', 'a\nb'],
    ['is no Unicode', Buffer.from([0x61, 0xff])],
  ])('is not remembered when a name beside the records %s', async (_, name) => {
    const world = await sealedWorld();
    const base = Buffer.from(`${world.skills}/.skillpack/`);
    mkdirSync(Buffer.concat([base, Buffer.from(name)]));
    expect((await world.install([])).changes).toMatchObject([{ kind: 'keep' }]);
    expect(world.recall()).toBeUndefined();
  });

  test('is not remembered when it wrote a lock file', async () => {
    const world = await sealedWorld();
    rmSync(join(world.project, 'skillpack-lock.json'));
    const { changes, saved } = await world.install([]);
    expect(changes).toMatchObject([{ kind: 'keep' }]);
    expect(saved.lockFile).toBe(true);
    expect(world.recall()).toBeUndefined();
    await world.install([]);
    expect(world.recall()).toBeDefined();
  });

  test('is not remembered when an archive on this machine is wanted, which is looked at anew each time', async () => {
    const world = await sealedWorld();
    const { archive } = await world.offer({ name: 'org/other', version: '1.0.0', skills: { other: skill('other') } });
    const file = join(world.dir, 'other.zip');
    writeFileSync(file, archive);
    await world.install([file]);
    rmSync(world.seals.folder, { recursive: true });
    await world.install([]);
    expect(readdirSync(world.dir)).not.toContain('seals');
  });

  test('is not remembered when it has to tell something', async () => {
    const world = await sealedWorld();
    writeFileSync(world.skillPath('notes.md'), 'mine');
    expect((await world.install([])).warnings).toMatchObject([{ kind: 'edited', files: ['pdf/notes.md'] }]);
    expect(world.recall()).toBeUndefined();
  });

  test('is not remembered when a folder on this machine is wanted, which is looked at anew each time', async () => {
    const world = await sealedWorld();
    const source = join(world.dir, 'mine');
    mkdirSync(source);
    writeFileSync(join(source, 'SKILL.md'), '---\nname: mine\ndescription: Mine.\n---\n');
    await world.install([source]);
    await world.install([]);
    expect(world.recall()).toBeUndefined();
  });

  test('is not remembered by an update, a dry run, or an install that names a pack', async () => {
    const world = await sealedWorld();
    rmSync(world.seals.folder, { recursive: true });
    await updatePacks({ root: world.root, names: [] }, world.ports);
    await world.install([], { dryRun: true });
    await world.install(['org/pdf']);
    expect(world.recall()).toBeUndefined();
    await world.install([]);
    expect(world.recall()).toBeDefined();
  });
});

describe.runIf(telling)('a root is found again', () => {
  test.each<readonly [string, (world: SealedWorld) => string]>([
    ['from within the project', ({ project }) => project],
    ['from within the root', ({ skills }) => skills],
    ['from beside the project', ({ dir }) => dir],
    ['from anywhere', () => tmpdir()],
  ])('%s', async (_, folder) => {
    const world = await sealedWorld();
    const here = process.cwd();
    onTestFinished(() => process.chdir(here));
    process.chdir(folder(world));
    expect(world.recall()).toBeDefined();
    writeFileSync(world.skillPath('SKILL.md'), 'other');
    expect(world.recall()).toBeUndefined();
  });
});

describe.runIf(telling)('whatever changes a root ends what is remembered of it', () => {
  const same = (path: string): string => readFileSync(path, 'utf8').replace('pdf', 'PDF');
  const timesOf = (path: string) => lstatSync(path);

  test.each<readonly [string, (world: SealedWorld) => void]>([
    ['an edit', ({ skillPath }) => writeFileSync(skillPath('SKILL.md'), 'other')],
    [
      'an edit in place, of the same size',
      ({ skillPath }) => writeFileSync(skillPath('SKILL.md'), same(skillPath('SKILL.md'))),
    ],
    [
      'an edit of the same size whose time was put back (touch -d)',
      ({ skillPath }) => {
        const path = skillPath('SKILL.md');
        const { atime, mtime } = timesOf(path);
        writeFileSync(path, same(path));
        utimesSync(path, atime, mtime);
      },
    ],
    [
      'a file that was put in place with its old times (cp -p, tar)',
      ({ skillPath }) => {
        const path = skillPath('SKILL.md');
        const { atime, mtime } = timesOf(path);
        writeFileSync(`${path}~`, same(path));
        utimesSync(`${path}~`, atime, mtime);
        renameSync(`${path}~`, path);
      },
    ],
    [
      'a file that was removed and made again, perhaps with its inode',
      ({ skillPath }) => {
        const path = skillPath('SKILL.md');
        const { atime, mtime } = timesOf(path);
        const text = same(path);
        unlinkSync(path);
        writeFileSync(path, text);
        utimesSync(path, atime, mtime);
      },
    ],
    [
      'an edit through another name of the file',
      ({ dir, skillPath }) => {
        const other = join(dir, 'other');
        linkSync(skillPath('SKILL.md'), other);
        const descriptor = openSync(other, 'r+');
        writeSync(descriptor, 'X', 0);
        closeSync(descriptor);
        unlinkSync(other);
      },
    ],
    ['a shorter file', ({ skillPath }) => truncateSync(skillPath('SKILL.md'), 3)],
    ['a missing file', ({ skillPath }) => rmSync(skillPath('SKILL.md'))],
    ['a missing skill', ({ skillPath }) => rmSync(skillPath(), { recursive: true })],
    ['an added file', ({ skillPath }) => writeFileSync(skillPath('scripts', 'new.sh'), '')],
    ['an added folder', ({ skillPath }) => mkdirSync(skillPath('new'))],
    ['a renamed file', ({ skillPath }) => renameSync(skillPath('SKILL.md'), skillPath('skill.md'))],
    ['a lost execute bit', ({ skillPath }) => chmodSync(skillPath('scripts', 'run.sh'), 0o644)],
    [
      'a link in the place of a file',
      ({ dir, skillPath }) => {
        renameSync(skillPath('SKILL.md'), join(dir, 'SKILL.md'));
        symlinkSync(join(dir, 'SKILL.md'), skillPath('SKILL.md'));
      },
    ],
    [
      'a link in the place of a skill',
      ({ dir, skillPath }) => {
        renameSync(skillPath(), join(dir, 'pdf'));
        symlinkSync(join(dir, 'pdf'), skillPath());
      },
    ],
    [
      'a file in the place of a folder',
      ({ skillPath }) => {
        rmSync(skillPath('scripts'), { recursive: true });
        writeFileSync(skillPath('scripts'), '');
      },
    ],
    [
      'another lock file',
      ({ project, read }) => writeFileSync(join(project, 'skillpack-lock.json'), `${read('skillpack-lock.json')}\n`),
    ],
    ['no lock file', ({ project }) => rmSync(join(project, 'skillpack-lock.json'))],
    ['another skillpack.json', ({ project }) => writeFileSync(join(project, 'skillpack.json'), '{ "packs": {} }')],
    ['a missing receipt', ({ skills }) => rmSync(join(skills, '.skillpack/org/pdf/receipt.json'))],
    ['another manifest', ({ skills }) => writeFileSync(join(skills, '.skillpack/org/pdf/manifest.json'), '{}')],
    ['one more record', ({ skills }) => mkdirSync(join(skills, '.skillpack/org/other'))],
    ['one more organisation', ({ skills }) => mkdirSync(join(skills, '.skillpack/other'))],
    ['something noted of the root', ({ skills }) => writeFileSync(join(skills, '.skillpack/.revoked.json'), '{}')],
    ['an unfinished change', ({ skills }) => writeFileSync(join(skills, '.skillpack/.transaction.json'), '{}')],
    ['a staged change', ({ skills }) => mkdirSync(join(skills, '.skillpack/.staging'))],
    [
      'a copy in the place of the root',
      ({ project, dir }) => {
        cpSync(project, join(dir, 'copy'), { recursive: true, preserveTimestamps: true });
        renameSync(project, join(dir, 'old'));
        renameSync(join(dir, 'copy'), project);
      },
    ],
    [
      'a link on the way to the root that leads elsewhere',
      ({ project, dir }) => {
        renameSync(join(project, '.agents'), join(dir, 'agents'));
        cpSync(join(dir, 'agents'), join(project, 'other'), { recursive: true });
        symlinkSync('other', join(project, '.agents'));
      },
    ],
  ])('%s', async (_, change) => {
    const world = await sealedWorld();
    expect(world.recall()).toBeDefined();
    change(world);
    expect(world.recall()).toBeUndefined();
  });

  test('a file that was checked out again by git, as it was, is looked at anew and then remembered', async () => {
    const world = await sealedWorld();
    const git = (...words: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...words], { cwd: world.project });
    git('init', '-q');
    git('add', '-A', '-f');
    git('commit', '-q', '-m', 'x');
    rmSync(world.skillPath(), { recursive: true });
    git('checkout', '-q', '--', '.');
    expect(world.recall()).toBeUndefined();
    expect((await world.install([])).changes).toMatchObject([{ kind: 'keep' }]);
    expect(world.recall()).toBeDefined();
  });

  test('a project that is reached by a link, when the link leads elsewhere', async () => {
    const world = await sealedWorld();
    const link = join(world.dir, 'link');
    symlinkSync(world.project, link);
    const subject = { ...world.subject, root: projectRoot(link) };
    await installPacks({ root: subject.root, specs: [] }, world.ports);
    expect(recallInstall(subject, world.seals)).toBeDefined();
    mkdirSync(join(world.dir, 'empty'));
    unlinkSync(link);
    symlinkSync(join(world.dir, 'empty'), link);
    expect(recallInstall(subject, world.seals)).toBeUndefined();
  });

  test('the lock of the root does not count', async () => {
    const world = await sealedWorld();
    writeFileSync(join(world.skills, '.skillpack/.lock'), '{"pid":1}');
    expect(world.recall()).toBeDefined();
  });

  test('a revocation that is known of a pack is told by the install that follows, and each after it', async () => {
    const world = await sealedWorld();
    const { treeDigest } = world.lock()['org/pdf'] ?? {};
    const note = { name: 'org/pdf', digest: treeDigest, reason: 'malware' };
    writeFileSync(
      join(world.skills, '.skillpack/.revoked.json'),
      JSON.stringify({ formatVersion: 1, revoked: [note] }),
    );
    expect((await world.install([])).warnings).toMatchObject([{ kind: 'revoked', reason: 'malware' }]);
    expect(world.recall()).toBeUndefined();
  });

  test('a link for another agent that somebody removed comes back', async () => {
    const world = await sealedWorld();
    const file = JSON.parse(world.read('skillpack.json')) as object;
    writeFileSync(join(world.project, 'skillpack.json'), JSON.stringify({ ...file, targets: ['claude-code'] }));
    await world.install([]);
    await world.install([]);
    expect(world.recall()).toBeDefined();
    unlinkSync(join(world.project, '.claude/skills/pdf'));
    expect(world.recall()).toBeUndefined();
    await world.install([]);
    expect(lstatSync(join(world.project, '.claude/skills/pdf')).isSymbolicLink()).toBe(true);
  });

  test('an edit at any byte, with the times put back, is told by the install that follows', async () => {
    const world = await sealedWorld();
    const path = world.skillPath('SKILL.md');
    const { size, atime, mtime } = lstatSync(path);
    await fc.assert(
      fc.asyncProperty(fc.nat(size - 1), async (at) => {
        const bytes = readFileSync(path);
        const edited = Buffer.from(bytes);
        edited[at] = (edited[at] ?? 0) ^ 1;
        writeFileSync(path, edited);
        utimesSync(path, atime, mtime);
        const remembered = world.recall();
        const { warnings } = await world.install([]);
        writeFileSync(path, bytes);
        await world.install([]);
        expect(remembered).toBeUndefined();
        expect(warnings).toMatchObject([{ kind: 'edited', files: ['pdf/SKILL.md'] }]);
        expect(world.recall()).toBeDefined();
      }),
      { numRuns: 20 },
    );
  });
});

describe.runIf(telling)('a seal that is none', () => {
  const sealIn = ({ seals }: SealedWorld): string => join(seals.folder, readdirSync(seals.folder)[0] ?? '');

  test('of any bytes, or cut off or changed anywhere, tells nothing', async () => {
    const world = await sealedWorld();
    const path = sealIn(world);
    const bytes = readFileSync(path);
    expect(world.recall()).toBeDefined();
    const broken = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((any) => Buffer.from(any)),
      fc.nat(bytes.length - 1).map((length) => bytes.subarray(0, length)),
      fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 })).map(([at, flip]) => {
        const other = Buffer.from(bytes);
        other[at] = (other[at] ?? 0) ^ flip;
        return other;
      }),
    );
    fc.assert(
      fc.property(broken, (text) => {
        writeFileSync(path, text);
        expect(world.recall()).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  test('of another install of the same root, in the same file, is passed over', async () => {
    const world = await sealedWorld();
    const other = { ...world.subject, frozen: true };
    copyFileSync(sealIn(world), sealPath(other, world.seals));
    expect(recallInstall(other, world.seals)).toBeUndefined();
  });

  const digest = /sha256:[0-9a-f]{64}/u;
  test.each<readonly [string, string | RegExp, string]>([
    ['a name that is none', '"name":"org/pdf"', String.raw`"name":"org/\u001B[2J"`],
    ['a name of one part', '"name":"org/pdf"', '"name":"pdf"'],
    ['a name of a way out', '"name":"org/pdf"', '"name":"../pdf"'],
    ['a version that is none', '"version":"1.0.0"', '"version":"1.0.0 (safe)"'],
    ['a version of many characters', '"version":"1.0.0"', `"version":"1.0.0-${'x'.repeat(300)}"`],
    ['a version that is a number', '"version":"1.0.0"', '"version":1'],
    ['a skill that is none', '"skills":["pdf"', String.raw`"skills":["a\nb"`],
    ['a skill of a way out', '"skills":["pdf"', '"skills":["../pdf"'],
    ['skills that are a text', /"skills":\[[^\]]*\]/u, '"skills":"pdf"'],
    ['a digest that is none', digest, 'sha256:0'],
    ['a need that is none', '"neededBy":[]', '"neededBy":["org/pdf"]'],
    ['an origin that is not sealed', '"kind":"registry"', '"kind":"folder"'],
    ['an origin that nobody can see', '"location":"', String.raw`"location":"\u202E`],
    ['no origin', '"origin":{', '"origins":{'],
    ['a place that is no text', '"real":["', '"real":[7,"'],
  ])('that somebody gave %s is not believed', async (_, before, after) => {
    const world = await sealedWorld();
    const bytes = readFileSync(sealIn(world));
    const end = bytes.indexOf('\n');
    const header = bytes.toString('utf8', 0, end);
    const forge = (text: string): void => {
      const body = Buffer.concat([Buffer.from(text), bytes.subarray(end, -4)]);
      const sum = Buffer.alloc(4);
      sum.writeUInt32LE(crc32(body));
      writeFileSync(sealIn(world), Buffer.concat([body, sum]));
    };
    const forged = header.replace(before, () => after);
    expect(forged).not.toBe(header);
    forge(forged);
    expect(world.recall()).toBeUndefined();
    // What nothing can be said against is told.
    forge(header.replace('"version":"1.0.0"', '"version":"1.0.1"'));
    expect(world.recall()?.changes).toMatchObject([{ version: '1.0.1' }]);
  });

  test.skipIf(process.platform === 'win32')('that is a pipe without a writer is passed over, at once', async () => {
    const world = await sealedWorld();
    const path = sealIn(world);
    rmSync(path);
    execFileSync('mkfifo', ['-m', '600', path]);
    // Who waits for a writer is given one, late.
    const writer = spawn('sh', ['-c', 'sleep 10; exec : > "$0"', path], { stdio: 'ignore' });
    onTestFinished(() => void writer.kill());
    const before = performance.now();
    expect(world.recall()).toBeUndefined();
    expect(performance.now() - before).toBeLessThan(5_000);
  });

  test('that is larger than any is not read', async () => {
    const world = await sealedWorld();
    const path = sealIn(world);
    truncateSync(path, 8 * 1024 ** 3);
    const before = process.memoryUsage().rss;
    expect(world.recall()).toBeUndefined();
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * 1024 ** 2);
  });

  test.skipIf(process.platform === 'win32')('that others may write, or that is a link, is passed over', async () => {
    const world = await sealedWorld();
    const path = sealIn(world);
    chmodSync(path, 0o666);
    expect(world.recall()).toBeUndefined();
    chmodSync(path, 0o600);
    expect(world.recall()).toBeDefined();
    renameSync(path, join(world.dir, 'seal'));
    symlinkSync(join(world.dir, 'seal'), path);
    expect(world.recall()).toBeUndefined();
  });

  test.skipIf(process.getuid?.() === 0)(
    'in a folder that cannot be written is not made, and the install goes on',
    async () => {
      const world = await sealedWorld();
      rmSync(sealIn(world));
      chmodSync(world.seals.folder, 0o500);
      onTestFinished(() => chmodSync(world.seals.folder, 0o700));
      expect((await world.install([])).changes).toMatchObject([{ kind: 'keep' }]);
      expect(world.recall()).toBeUndefined();
    },
  );

  test.skipIf(process.platform === 'win32')('in a folder that others may write to is passed over', async () => {
    const world = await sealedWorld();
    chmodSync(world.seals.folder, 0o777);
    expect(world.recall()).toBeUndefined();
    chmodSync(world.seals.folder, 0o700);
    expect(world.recall()).toBeDefined();
  });

  test('in a folder that is a file is not made, and the install goes on', async () => {
    const world = await sealedWorld();
    rmSync(world.seals.folder, { recursive: true });
    writeFileSync(world.seals.folder, '');
    expect((await world.install([])).changes).toMatchObject([{ kind: 'keep' }]);
    expect(world.recall()).toBeUndefined();
  });
});
