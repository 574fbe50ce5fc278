import fc from 'fast-check';
import type { FuzzTarget } from './fuzz-target.js';

/** What came of a number of inputs. */
export interface FuzzRun {
  readonly tried: number;
  readonly accepted: number;
  /** The smallest input that was found to break a promise. */
  readonly finding: FuzzFinding | undefined;
}

/** An input that breaks a promise. */
export interface FuzzFinding {
  readonly input: unknown;
  readonly error: unknown;
}

/** No input here is larger than some 100 KiB, so an honest answer takes milliseconds. */
const slowMilliseconds = 2_000;

/** Tries `runs` inputs that depend on the seed alone. */
export async function runTarget(
  target: FuzzTarget,
  options: { readonly seed: number; readonly runs: number },
): Promise<FuzzRun> {
  let tried = 0;
  let accepted = 0;
  const property = fc.asyncProperty(target.input, async (input) => {
    tried += 1;
    if (await judgeInTime(target, input)) accepted += 1;
  });
  const { seed, runs } = options;
  const details = await fc.check(property, { seed, numRuns: runs, maxSkipsPerRun: 1_000 });
  if (!details.failed) return { tried, accepted, finding: undefined };
  if (details.counterexample === null) throw new Error(`${target.name} makes too few inputs that count.`);
  return { tried, accepted, finding: { input: details.counterexample[0], error: details.errorInstance } };
}

/** Judges an input, and holds the judge to the time that any input may take. */
export async function judgeInTime(target: FuzzTarget, input: unknown): Promise<boolean> {
  const start = process.cpuUsage();
  const accepted = await target.judge(input);
  const { user, system } = process.cpuUsage(start);
  const milliseconds = (user + system) / 1_000;
  if (milliseconds > slowMilliseconds) throw new Error(`It took ${Math.round(milliseconds)} ms of a processor.`);
  return accepted;
}
