import { expect, onTestFinished, test } from 'vitest';
import {
  changes,
  expectNoMixture,
  prepareChange,
  projectTree,
  repeat,
  settle,
  settling,
  type ChangingProject,
} from './changing-project.js';
import type { World } from './run-skills.js';
import { strikeAt } from './strike-at.js';
import { runTraced, tracing, type Injection } from './system-calls.js';

const long = process.env['SKILLPACK_LONG_TESTS'] !== undefined;

const someChanges = long ? Object.keys(changes) : Object.keys(changes).filter((name) => changes[name]?.daily);

/** What each call can fail with: a device, a full disk, a quota, rights, another file system, too many open files. */
const faults: Readonly<Record<string, readonly string[]>> = {
  openat: ['EMFILE', 'EACCES', 'EROFS', 'ENOSPC', 'EIO'],
  write: ['ENOSPC', 'EDQUOT', 'EIO'],
  pwrite64: ['ENOSPC', 'EIO'],
  mkdir: ['EDQUOT', 'EACCES', 'EROFS'],
  rename: ['EXDEV', 'EIO', 'EACCES'],
  renameat2: ['EXDEV', 'EINVAL', 'EIO'],
  link: ['EPERM', 'EMLINK'],
  symlink: ['EPERM', 'ENOSPC'],
};
const anyCall = ['EIO'];

interface Tally {
  points: number;
  missed: number;
  coped: number;
  refused: number;
  unfinished: number;
}

test.runIf(tracing).each(someChanges)(
  'PSA-32: wherever the disk fails during %s, it is an error that says so, or done all the same; nothing is lost',
  async (name) => {
    const project = await prepareChange(changes[name]!);
    onTestFinished(() => project.remove());
    const counting = project.copy();
    const { points } = await runTraced(counting, project.change.words, { env: project.env });
    counting.remove();
    const injections = points.flatMap((point) =>
      (faults[point.call] ?? anyCall).map((error): Injection => ({ ...point, fault: `error=${error}` })),
    );
    const stride = long ? 1 : Math.ceil(injections.length / 5);
    const queue = injections.filter((_, index) => index % stride === stride - 1).entries();
    const tally: Tally = { points: 0, missed: 0, coped: 0, refused: 0, unfinished: 0 };
    const worker = async (): Promise<void> => {
      for (const [index, injection] of queue) {
        try {
          tally[await failAt(project, injection, index)] += 1;
        } catch (error) {
          throw new Error(`${injection.fault} at ${injection.place}`, { cause: error });
        }
        tally.points += 1;
      }
    };
    await Promise.all([worker(), worker()]);
    if (long) console.log(`${name}, with a faulty disk: ${JSON.stringify(tally)}`);
    // In the cache, where files are written while modules are loaded, and loading opens as many as it likes.
    expect(tally.missed).toBeLessThanOrEqual(Math.ceil(tally.points / 10));
    expect(tally.refused + tally.unfinished).toBeGreaterThan(0);
  },
  3_600_000,
);

async function failAt(
  project: ChangingProject,
  injection: Injection,
  index: number,
): Promise<Exclude<keyof Tally, 'points'>> {
  const { old, next } = project;
  const { world, run, missed } = await strikeAt(project, injection, ['--json']);
  if (missed) {
    world.remove();
    return 'missed';
  }
  expectNoMixture(project, world);
  const outcome = outcomeOf(run.exitCode, run.stdout, injection, run.stderr);
  if (outcome === 'refused') expect(withoutLeftovers(world)).toEqual(old);
  const state = await settle(project, world, settling[index % settling.length]!);
  if (outcome !== 'refused') expect(projectTree(world)).toEqual(next);
  await repeat(project, world, state);
  world.remove();
  return outcome;
}

function outcomeOf(
  exitCode: number | null,
  stdout: string,
  { fault }: Injection,
  stderr: string,
): 'coped' | 'refused' | 'unfinished' {
  if (exitCode === 0) return 'coped';
  expect(exitCode, stdout + stderr).toBe(74);
  const { error } = JSON.parse(stdout) as { error: { code: string; message: string; data: { committed?: boolean } } };
  expect(error.code).toBe('IO_ERROR');
  expect(error.message).toContain(fault.replace('error=', ''));
  return error.data.committed === true ? 'unfinished' : 'refused';
}

/** The project, but for what the broken disk did not let the command remove. */
function withoutLeftovers(world: World): Record<string, string> {
  const tree = Object.entries(projectTree(world));
  return Object.fromEntries(tree.filter(([path]) => !/\/\.staging\/|\.skillpack-tmp-/u.test(path)));
}
