import type { ChangingProject } from './changing-project.js';
import type { World } from './run-skills.js';
import { runTraced, type Injection, type TracedRun } from './system-calls.js';

const attempts = 10;

/**
 * Makes a change in a copy of a project, and does something to it at one call. How many others are made before that
 * differs a little from run to run, as threads wake each other: when the call was missed, again in another copy.
 */
export async function strikeAt(
  { change, env, copy }: ChangingProject,
  injection: Injection,
  options: readonly string[] = [],
): Promise<{ readonly world: World; readonly run: TracedRun; readonly missed: boolean }> {
  let { when } = injection;
  for (let attempt = 1; ; attempt += 1) {
    const world = copy();
    const run = await runTraced(world, [...change.words, ...options], { env, inject: { ...injection, when } });
    const missed = !run.struck.includes(injection.place);
    if (!missed || attempt === attempts) return { world, run, missed };
    world.remove();
    const late = run.points.some(({ place }) => place === injection.place);
    when = Math.max(1, when + (late ? -1 : 1));
  }
}
