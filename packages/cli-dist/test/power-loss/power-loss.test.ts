import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createArchiveReader } from '../../src/archive/archive-reader.js';
import { livesInMemory } from '../../src/disk/lives-in-memory.js';
import { diagnoseRoot } from '../../src/doctor/diagnose-root.js';
import { projectRoot } from '../../src/root/install-root.js';
import { openStore } from '../../src/store/disk-store.js';
import { verifyRoot } from '../../src/verify/verify-root.js';
import type { ChildTask } from '../children/change-root.js';
import { childCommand, runChild } from '../run-child.js';
import { makeWorld, readTree, skill, temporaryFolder } from '../world.js';
import { historyOf, readInitialDisk, type DiskHistory } from './disk-history.js';
import { statesAfterLoss } from './lost-power.js';
import { rebuildDisk, foldersInJournals } from './rebuild-disk.js';
import { recordCalls, recording } from './record-calls.js';

const ports = { archives: createArchiveReader(), now: () => new Date('2026-11-22T10:00:00Z'), version: '1.2.3' };
const long = process.env['SKILLPACK_LONG_TESTS'] !== undefined;

// So many that they are flushed together, where the system can do that.
const manyNames = Array.from({ length: 60 }, (_, index) => `pages/${index}.md`);

const offered: ChildTask['offered'] = [
  { name: 'lib/base', version: '1.0.0' },
  {
    name: 'org/office',
    version: '1.0.0',
    skills: { pdf: { ...skill('pdf', 'old'), 'scripts/run.sh': '#!/bin/sh\n' }, gone: skill('gone') },
    executable: ['pdf/scripts/run.sh'],
  },
  {
    name: 'org/office',
    version: '2.0.0',
    skills: { pdf: { ...skill('pdf', 'new'), 'reference/more.md': 'more' }, added: skill('added') },
    dependencies: { 'lib/base': '^1' },
  },
  {
    name: 'org/many',
    version: '1.0.0',
    skills: {
      many: { ...skill('many'), ...Object.fromEntries(manyNames.map((name) => [name, `This is ${name}.\n`])) },
    },
  },
];

const scenarios: Record<string, { readonly before: readonly string[]; readonly task: Partial<ChildTask> }> = {
  'a first install': { before: [], task: { install: ['org/office@1.0.0'] } },
  'an update': { before: ['org/office@1.0.0'], task: { install: ['org/office@2.0.0'] } },
  'an uninstall': { before: ['org/office@2.0.0'], task: { uninstall: ['org/office'] } },
  'an install over edited files': {
    before: ['org/office@1.0.0'],
    task: { install: ['org/office@2.0.0'], replace: true },
  },
  'an install of many files': { before: ['org/office@1.0.0'], task: { install: ['org/many'] } },
};

type Tree = Readonly<Record<string, string>>;

/** A recorded change, and the project before and after it. */
interface Recording {
  readonly name: string;
  readonly history: DiskHistory;
  readonly old: Tree;
  readonly next: Tree;
}

const recordings = new Map<string, Recording>();
afterAll(() => recordings.clear());

async function record(name: string): Promise<Recording> {
  const present = recordings.get(name);
  if (present !== undefined) return present;
  const { before, task } = scenarios[name]!;
  const world = makeWorld();
  for (const description of offered) await world.offer(description);
  mkdirSync(world.project);
  writeFileSync(join(world.project, 'skillpack.json'), '{\n  "targets": ["claude-code"]\n}\n');
  const child = { project: world.project, cache: join(world.dir, 'cache'), offered };
  if (before.length > 0) await runChild({ ...child, install: before });
  if (name.includes('edited')) writeFileSync(join(world.skills, 'pdf/SKILL.md'), 'edited');
  const old = projectTree(world.project);
  const initial = readInitialDisk(world.project);
  const calls = recordCalls(await childCommand({ ...child, ...task }), world.dir);
  const recorded = { name, history: historyOf(calls, initial, world.project), old, next: projectTree(world.project) };
  recordings.set(name, recorded);
  return recorded;
}

/** Everything but the lock; a backup without the name of its folder. */
function projectTree(project: string): Tree {
  const tree = Object.entries(readTree(project)).filter(([path]) => !path.endsWith('/.lock'));
  return Object.fromEntries(tree.map(([path, text]) => [path.replace(/(-backups\/)[^/]+/u, '$1'), text]));
}

/** What is wrong with a possible state after the next command, in words. */
async function faultsOf(
  { history, old, next, name }: Recording,
  perEvent: number,
  upTo = Infinity,
): Promise<readonly string[]> {
  const faults: string[] = [];
  const known = foldersInJournals(history);
  // What lies in memory is not flushed.
  const dir = temporaryFolder(livesInMemory(tmpdir()) ? '/var/tmp' : tmpdir());
  const random = randomOf(Number(process.env['SKILLPACK_SEED'] ?? 1));
  let states = 0;
  let passed = 0;
  // Of a long history, daily some.
  const stride = long ? 1 : Math.ceil(history.events.length / 200);
  for (const { state, after, rule } of statesAfterLoss(history, { random, perEvent })) {
    passed += 1;
    if (passed % stride !== 0) continue;
    const project = join(dir, 'project');
    rebuildDisk(state, project, known);
    const fault = await faultAfterwards(project, after === history.events.length ? [next] : [old, next], name);
    if (fault !== undefined) faults.push(`after ${after} of ${history.events.length} events, ${rule}: ${fault}`);
    rmSync(project, { recursive: true });
    states += 1;
    if (faults.length >= upTo) break;
  }
  expect(states).toBeGreaterThan(upTo === Infinity ? 50 : 0);
  return faults;
}

async function faultAfterwards(project: string, allowed: readonly Tree[], name: string): Promise<string | undefined> {
  try {
    const root = projectRoot(project);
    const { packs } = await verifyRoot({ root });
    if (Object.keys(projectTree(project)).some((path) => path.includes('.skillpack-tmp-'))) {
      await diagnoseRoot({ root }, { ...ports, store: openStore(join(project, '../cache')) }, { repair: true });
    }
    const now = projectTree(project);
    if (!allowed.some((tree) => same(tree, now))) return `neither old nor new: ${difference(allowed.at(-1)!, now)}`;
    if (!name.includes('edited') && packs.some(({ findings }) => findings.length > 0)) return 'verify finds something';
    return existsSync(join(project, '.agents/skills/.skillpack/.staging')) ? 'something is left' : undefined;
  } catch (error) {
    return String(error);
  }
}

function same(left: Tree, right: Tree): boolean {
  return difference(left, right) === '';
}

function difference(expected: Tree, found: Tree): string {
  const paths = [...new Set([...Object.keys(expected), ...Object.keys(found)])];
  return paths.filter((path) => expected[path] !== found[path]).join(', ');
}

test.runIf(recording).each(Object.keys(scenarios))(
  'PSA-32: a loss of power at any moment of %s leaves the old state or the new one, and once it has ended the new one',
  async (name) => {
    expect(await faultsOf(await record(name), long ? 20 : 1)).toEqual([]);
  },
  3_600_000,
);

/** Every flush of an update, by what it is for; without one of them, some loss of power has to lead to neither state. */
const flushes: Record<string, RegExp> = {
  'the bytes of staged files': /\.staging\/\w+\/(?:skills|records)\/.*\.(?:md|sh|json)$/u,
  'the names in staged folders': /\.staging\/\w+\/(?:skills|records)\/(?!.*\.(?:md|sh|json)$)/u,
  'the folder of what is staged': /\.staging(?:\/\w+)?$/u,
  'the bytes of the journal': /\.skillpack\/\.skillpack-tmp-/u,
  'the name of the journal, and of records': /\.skillpack(?:\/org)?$/u,
  'the names of skills': /^\.agents\/skills$/u,
  'the names of links': /^\.claude\/skills$/u,
  'the bytes of the lock file': /^\.skillpack-tmp-/u,
  'the name of the lock file': /^$/u,
};

test.runIf(recording).each(Object.entries(flushes))(
  'without a flush of %s, a loss of power would leave neither the old state nor the new one',
  async (_, pattern) => {
    const recorded = await record('an update');
    const events = recorded.history.events.filter((event) => event.kind !== 'flush' || !pattern.test(event.path));
    expect(events.length).toBeLessThan(recorded.history.events.length);
    const without = { ...recorded, history: { ...recorded.history, events } };
    expect(await faultsOf(without, 1, 1)).not.toEqual([]);
  },
  120_000,
);

test.runIf(recording && long).each<[string, readonly string[]]>([
  // Nothing is staged by it.
  ['an uninstall', ['.agents/skills/.skillpack/.staging/<id>']],
  // The folder of a new organisation is flushed right after the journal, which lies beside it.
  ['an update', ['.agents/skills/.skillpack']],
])(
  'each single flush of %s is needed, but for those that have nothing to do',
  async (name, covered) => {
    const recorded = await record(name);
    const { events } = recorded.history;
    const needless: string[] = [];
    for (const [index, event] of events.entries()) {
      if (event.kind !== 'flush') continue;
      const without = { ...recorded.history, events: events.filter((_, other) => other !== index) };
      const faults = await faultsOf({ ...recorded, history: without }, 3, 1);
      if (faults.length === 0) needless.push(event.path.replace(/[0-9a-f]{16}/u, '<id>'));
    }
    expect(needless).toEqual(covered);
  },
  3_600_000,
);

test.runIf(recording)(
  'without the one flush of many files, a loss of power would leave some of them empty',
  async () => {
    const recorded = await record('an install of many files');
    const [at, ...others] = recorded.history.events.flatMap((event, index) => {
      return event.kind === 'flush' && event.node === undefined ? [index] : [];
    });
    expect(others).toEqual([]);
    const events = recorded.history.events.filter((_, index) => index !== at);
    expect(await faultsOf({ ...recorded, history: { ...recorded.history, events } }, 1, 1)).not.toEqual([]);
  },
);

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
