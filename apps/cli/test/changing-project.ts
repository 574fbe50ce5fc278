import { cpSync, existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createArchiveReader, diagnoseRoot, openStore, projectRoot, verifyRoot } from '@skillpack/cli-dist';
import { expect } from 'vitest';
import { makeSkill } from './make-skill.js';
import { createWorld, type World } from './run-skills.js';
import { serveSlowly } from './slow-registry.js';

/** A change of a project that a test interrupts. */
export interface Change {
  /** What is installed before. */
  readonly before: readonly string[];
  /** Whether a person edits an installed file afterwards. */
  readonly edited?: boolean;
  readonly words: readonly string[];
  /** Whether the command finds nothing of itself compiled, and writes that too. @default false */
  readonly compiles?: boolean;
  /** Whether it is in every daily sample. @default false */
  readonly daily?: boolean;
}

/** Everything that changes a root. */
export const changes: Readonly<Record<string, Change>> = {
  'a first install': { before: [], words: ['install', 'acme/office@1.0.0'] },
  'an update that adds, changes and removes skills': { before: ['acme/office@<3'], words: ['update'], daily: true },
  'an uninstall': { before: ['acme/office@2.0.0'], words: ['uninstall', 'acme/office'], compiles: true },
  'an install over edited files': {
    before: ['acme/office@1.0.0'],
    edited: true,
    words: ['install', 'acme/office@2.0.0', '--replace'],
    daily: true,
  },
};

/** What a person wrote. */
const edit = 'What a person wrote.\n';

/** A registry with two versions of a pack, and a project as it is before a change and after it. */
export interface ChangingProject {
  readonly change: Change;
  readonly env: Readonly<Record<string, string>>;
  /** Without what says only when and by whom. */
  readonly old: Tree;
  readonly next: Tree;
  /** Milliseconds that the undisturbed change took. */
  readonly duration: number;
  /** A project as it is before the change, on a machine of its own. */
  copy(): World;
  remove(): void;
}

/** The files of a project by path; a link is `-> target`. */
export type Tree = Readonly<Record<string, string>>;

/** Prepares a change, and makes it once. */
export async function prepareChange(change: Change): Promise<ChangingProject> {
  const template = createWorld();
  const folder = template.path('registry');
  const registry = await serveSlowly(folder, { pieces: 1, pause: 0 });
  const env = { SKILLS_REGISTRY: registry.url };
  const run = async (world: World, ...words: string[]): Promise<void> => {
    const { exitCode, stderr } = await world.run(words, { env });
    expect(exitCode, stderr).toBe(0);
  };
  await publish(template, 'base', '1.0.0', { common: 'Shared.' });
  await publish(template, 'office', '1.0.0', { pdf: 'Old.', gone: 'Goes.', same: 'Stays.' });
  const all = change.before.some((spec) => spec.includes('2'));
  if (all) await publishSecond(template);
  writeFileSync(join(template.project, 'skillpack.json'), '{\n  "targets": ["claude-code"]\n}\n');
  // With a cache of its own, so that the change fetches what it needs.
  const fresh = { ...env, SKILLS_CACHE: template.path('other-cache') };
  if (change.before.length > 0) await template.run(['install', ...change.before], { env: fresh });
  if (!all) await publishSecond(template);
  if (change.edited === true) writeFileSync(join(template.project, '.agents/skills/pdf/SKILL.md'), edit);
  // From the first command that keeps anything, what is compiled is kept too.
  await template.run(['list']);
  const copy = (): World => {
    const world = createWorld();
    cpSync(template.home, world.home, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    return world;
  };
  const whole = copy();
  const began = performance.now();
  await run(whole, ...change.words);
  const duration = performance.now() - began;
  const next = projectTree(whole);
  // What was compiled is there, as on every machine that ran the command before; or not, as after an upgrade.
  const code = join('.cache', 'skillpack', 'compile');
  if (change.compiles !== true && existsSync(join(whole.home, code))) {
    cpSync(join(whole.home, code), join(template.home, code), { recursive: true });
  }
  whole.remove();
  return {
    change,
    env,
    old: projectTree(template),
    next,
    duration,
    copy,
    remove: () => {
      registry.close();
      template.remove();
    },
  };
}

async function publishSecond(world: World): Promise<void> {
  const dependencies = { 'acme/base': '^1' };
  await publish(world, 'office', '2.0.0', { pdf: 'New.', added: 'Comes.', same: 'Stays.' }, dependencies);
}

async function publish(
  world: World,
  name: string,
  version: string,
  skills: Readonly<Record<string, string>>,
  dependencies: Readonly<Record<string, string>> = {},
): Promise<void> {
  const folder = world.path('source', `${name}-${version}`);
  for (const [skill, body] of Object.entries(skills)) {
    makeSkill(join(folder, skill), { body, files: { 'scripts/run.sh': `#!/bin/sh\necho ${body}\n` } });
  }
  writeFileSync(join(folder, 'skillpack.json'), JSON.stringify({ name: `acme/${name}`, version, dependencies }));
  const { exitCode, stderr } = await world.run(['publish', folder, '--to', world.path('registry')]);
  expect(exitCode, stderr).toBe(0);
}

const incidental = /\/\.skillpack\/\.lock$|\/\.skillpack-backups\//u;

/** The files of a project, but for the lock and backups, and without the time of installation. */
export function projectTree({ project }: World): Tree {
  const tree = Object.entries(readFolder(project)).filter(([path]) => !incidental.test(path));
  return Object.fromEntries(
    tree.map(([path, text]) => [path, text.replace(/"installedAt": "[^"]*"/u, '"installedAt": ""')]),
  );
}

/** Every file below a folder; an executable one with a `*` behind its name. */
function readFolder(folder: string, prefix = ''): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const { name } of readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, name);
    const stats = lstatSync(path);
    if (stats.isDirectory()) Object.assign(tree, readFolder(path, `${prefix}${name}/`));
    else if (stats.isSymbolicLink()) tree[`${prefix}${name}`] = `-> ${readlinkSync(path)}`;
    else tree[`${prefix}${name}${(stats.mode & 0o100) === 0 ? '' : '*'}`] = readFileSync(path, 'utf8');
  }
  return tree;
}

/**
 * What an agent that reads now finds: each skill is the old one or the new one, whole; each governing file too; and the
 * lock file is the new one only when every skill is.
 */
export function expectNoMixture({ old, next, change }: ChangingProject, world: World): void {
  const now = projectTree(world);
  const root = join(world.project, '.agents/skills');
  const names = existsSync(root) ? readdirSync(root).filter((name) => !name.startsWith('.')) : [];
  for (const name of names) expect([skillIn(old, name), skillIn(next, name)]).toContainEqual(skillIn(now, name));
  // A folder is exchanged in one step: a skill of both versions is never away.
  for (const name of skillNames(old).filter((skill) => skillNames(next).includes(skill))) expect(names).toContain(name);
  for (const file of ['skillpack.json', 'skillpack-lock.json']) expect([old[file], next[file]]).toContain(now[file]);
  if (
    now['skillpack-lock.json'] === next['skillpack-lock.json'] &&
    old['skillpack-lock.json'] !== next['skillpack-lock.json']
  ) {
    for (const name of new Set([...skillNames(old), ...skillNames(next)])) {
      expect(skillIn(now, name)).toEqual(skillIn(next, name));
    }
  }
  if (change.edited === true) expect(Object.values(readFolder(world.project))).toContain(edit);
}

function skillIn(tree: Tree, name: string): Tree {
  const prefix = `.agents/skills/${name}/`;
  return Object.fromEntries(Object.entries(tree).filter(([path]) => path.startsWith(prefix)));
}

function skillNames(tree: Tree): readonly string[] {
  const names = Object.keys(tree).map((path) => /^\.agents\/skills\/([^./][^/]*)\//u.exec(path)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))];
}

/** What a person runs after a crash; each of them settles what is left. */
export const settling: readonly (readonly string[])[] = [['verify'], ['doctor', '--repair'], ['install', '--dry-run']];

/** Runs the next command. @returns which of the two states it led to, with nothing left of the other. */
export async function settle(
  project: ChangingProject,
  world: World,
  words: readonly string[],
): Promise<'old' | 'next'> {
  const { old, next, change, env } = project;
  const { exitCode, stderr } = await world.run(words, { env });
  // An edited file is what verify finds, and what an install without --replace refuses.
  if (change.edited !== true) expect(exitCode, stderr).toBe(0);
  const now = projectTree(world);
  expect([old, next]).toContainEqual(now);
  expect(leftovers(world)).toEqual([]);
  const state = JSON.stringify(now) === JSON.stringify(next) ? 'next' : 'old';
  if (change.edited === true) {
    const backups = Object.entries(readFolder(world.project)).filter(([path]) => path.includes('.skillpack-backups/'));
    expect(backups.map(([, text]) => text)).toEqual(state === 'next' ? [edit] : []);
  }
  return state;
}

/** Does again what was interrupted: it ends in the very state of an undisturbed run, and the cache is whole. */
export async function repeat(
  { change, env, next }: ChangingProject,
  world: World,
  state: 'old' | 'next',
): Promise<void> {
  const again = await world.run(change.words, { env });
  const gone = change.words[0] === 'uninstall' && state === 'next';
  expect(again.exitCode, again.stderr).toBe(gone ? 3 : 0);
  expect(projectTree(world)).toEqual(next);
  // What `verify` and `doctor` do: to start them takes longer than what they look at.
  const root = projectRoot(world.project);
  expect(await verifyRoot({ root })).toMatchObject({ ok: true });
  const store = openStore(join(world.home, '.cache', 'skillpack'));
  const ports = { archives: createArchiveReader(), store, now: () => new Date(), version: '0.0.0' };
  expect(await diagnoseRoot({ root }, ports)).toMatchObject({ ok: true, findings: [] });
}

/** What only a dead process leaves. */
function leftovers({ project }: World): readonly string[] {
  return Object.keys(readFolder(project)).filter((path) => /\.(?:staging|transaction)|tmp/u.test(path));
}
