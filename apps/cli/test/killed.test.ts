import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import {
  changes,
  expectNoMixture,
  prepareChange,
  repeat,
  settle,
  settling,
  type ChangingProject,
} from './changing-project.js';
import { finished, type World } from './run-skills.js';
import { strikeAt } from './strike-at.js';
import { runTraced, tracing, type CallPoint } from './system-calls.js';

const long = process.env['SKILLPACK_LONG_TESTS'] !== undefined;

const someChanges = long ? Object.keys(changes) : Object.keys(changes).filter((name) => changes[name]?.daily);

/** What a campaign found, for its last assertion and for whoever reads the log. */
interface Tally {
  points: number;
  /** Places at which nothing could be killed. */
  readonly missed: string[];
  old: number;
  next: number;
}

async function prepared(name: string): Promise<ChangingProject> {
  const project = await prepareChange(changes[name]!);
  onTestFinished(() => project.remove());
  return project;
}

/** Two at a time, as many processors as a small machine has. */
async function eachPoint<Point>(points: readonly Point[], visit: (point: Point, index: number) => Promise<void>) {
  const queue = points.entries();
  const worker = async (): Promise<void> => {
    for (const [index, point] of queue) await visit(point, index);
  };
  await Promise.all([worker(), worker()]);
}

async function afterDeath(project: ChangingProject, world: World, index: number): Promise<'old' | 'next'> {
  expectNoMixture(project, world);
  const state = await settle(project, world, settling[index % settling.length]!);
  await repeat(project, world, state);
  world.remove();
  return state;
}

test.runIf(tracing).each(Object.keys(changes))(
  'PSA-32: killed at any system call that changes the disk, %s is done or not, and what is left of it goes',
  async (name) => {
    const project = await prepared(name);
    const { env, change } = project;
    const counting = project.copy();
    const counted = await runTraced(counting, change.words, { env });
    expect(counted.exitCode, counted.stderr).toBe(0);
    counting.remove();
    expect(counted.points.length).toBeGreaterThan(60);
    const tally: Tally = { points: 0, missed: [], old: 0, next: 0 };
    await eachPoint(sampleOf(counted.points), async (point, index) => {
      const { world, run, missed } = await strikeAt(project, { ...point, fault: 'signal=KILL' });
      tally.points += 1;
      if (missed) tally.missed.push(point.place);
      // What gets by has simply made the change.
      if (run.exitCode !== 0) expect(run.exitCode, point.place).toBeNull();
      try {
        tally[await afterDeath(project, world, index)] += 1;
      } catch (error) {
        throw new Error(`killed at ${point.place}`, { cause: error });
      }
    });
    if (long) console.log(`${name}: ${JSON.stringify(tally)}`);
    expect(tally.missed.length, tally.missed.join('\n')).toBeLessThanOrEqual(Math.ceil(tally.points / 50));
    expect(tally.old).toBeGreaterThan(0);
    expect(tally.next).toBeGreaterThan(0);
  },
  3_600_000,
);

/** All points in a long run; daily some of them, spread evenly, from the first one, which has changed nothing yet. */
function sampleOf(points: readonly CallPoint[]): readonly CallPoint[] {
  if (long) return points;
  const stride = Math.ceil(points.length / 6);
  return points.filter((_, index) => index === 0 || index % stride === stride - 1);
}

test.runIf(process.platform !== 'win32').each(someChanges)(
  'PSA-32: killed at a random moment, %s is done or not, and what is left of it goes',
  async (name) => {
    const project = await prepared(name);
    const seed = Number(process.env['SKILLPACK_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
    console.log(`SKILLPACK_SEED=${seed}`);
    const random = randomOf(seed);
    const delays = Array.from({ length: long ? 50 : 2 }, () => random() * project.duration * 1.1);
    const tally: Tally = { points: 0, missed: [], old: 0, next: 0 };
    await eachPoint(delays, async (milliseconds, index) => {
      const world = project.copy();
      const child = world.start(project.change.words, { env: project.env });
      const done = finished(child);
      // Most of the time goes by before anything is changed: every other process is given time to begin with it.
      if (index % 2 === 0) await Promise.race([done, begun(world)]);
      await delay(index % 2 === 0 ? milliseconds / 8 : milliseconds);
      child.kill('SIGKILL');
      await done;
      tally.points += 1;
      tally[await afterDeath(project, world, index)] += 1;
    });
    if (long) console.log(`${name}, at random: ${JSON.stringify(tally)}`);
    expect(tally.points).toBe(delays.length);
  },
  3_600_000,
);

/** Resolves when something is staged; or never, when nobody waits for it any more. */
async function begun({ project }: World): Promise<void> {
  const staging = join(project, '.agents/skills/.skillpack/.staging');
  for (let patience = 5_000; patience > 0 && !existsSync(staging); patience -= 1) await delay(1);
}

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
