import type { Contestant, Race } from './contestant.ts';
import { peakMemory, timeRun, type Timing } from './time-run.ts';

/** The least a contestant took in all rounds. */
export interface Standing {
  readonly name: string;
  readonly milliseconds: number;
  readonly cpuMilliseconds: number;
  readonly lacks?: string;
}

/** Ours beside one rival. */
export interface Comparison {
  readonly rival: Standing | { readonly name: string; readonly absent: string };
  /** Ours divided by the rival's; `undefined` for one that is absent. */
  readonly ratio?: number;
  readonly bar?: number;
  readonly aim?: number;
}

/** What came of a race. */
export interface Outcome {
  readonly id: string;
  readonly job: string;
  readonly rounds: number;
  readonly ours: Standing;
  /** The most memory ours had, in bytes. */
  readonly peakBytes?: number;
  readonly comparisons: readonly Comparison[];
}

/** How a race is run. */
export interface RaceOptions {
  readonly id: string;
  /** @default 21 where the slowest takes less than 200 ms, 9 below a second, 5 below five seconds, else 3 */
  readonly rounds?: number | undefined;
}

/** Lets all contestants run in turn, A B C A B C …, so that a busy moment of the machine meets each of them. */
export async function runRace(race: Race, { id, rounds }: RaceOptions): Promise<Outcome> {
  const rivals = race.rivals.flatMap(({ contestant }) => ('absent' in contestant ? [] : [contestant]));
  const contestants: readonly Contestant[] = [race.ours, ...rivals];
  const timings = new Map<Contestant, Timing[]>(contestants.map((contestant) => [contestant, []]));
  let count = rounds ?? 1;
  for (let round = 0; round < count; round += 1) {
    for (const contestant of contestants) timings.get(contestant)?.push(await timeRun(contestant));
    if (round === 0 && rounds === undefined) count = usualRounds([...timings.values()].flat());
  }
  const peak = await peakMemory(race.ours);
  await race.afterwards?.();
  const ours = standing(race.ours, timings.get(race.ours) ?? []);
  return {
    id,
    job: race.job,
    rounds: count,
    ours,
    ...(peak === undefined ? {} : { peakBytes: peak }),
    comparisons: race.rivals.map(({ contestant, bar, aim }) => {
      const limits = { ...(bar === undefined ? {} : { bar }), ...(aim === undefined ? {} : { aim }) };
      if ('absent' in contestant) return { rival: contestant, ...limits };
      const rival = standing(contestant, timings.get(contestant) ?? []);
      return { rival, ratio: ours.milliseconds / rival.milliseconds, ...limits };
    }),
  };
}

function usualRounds(timings: readonly Timing[]): number {
  const slowest = Math.max(...timings.map(({ milliseconds }) => milliseconds));
  if (slowest < 200) return 21;
  if (slowest < 1_000) return 9;
  return slowest < 5_000 ? 5 : 3;
}

function standing({ name, lacks }: Contestant, timings: readonly Timing[]): Standing {
  return {
    name,
    milliseconds: Math.min(...timings.map(({ milliseconds }) => milliseconds)),
    cpuMilliseconds: Math.min(...timings.map(({ cpuMilliseconds }) => cpuMilliseconds)),
    ...(lacks === undefined ? {} : { lacks }),
  };
}
