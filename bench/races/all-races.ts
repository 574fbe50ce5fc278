import type { Race } from '../measure/contestant.ts';
import type { BenchWorld, Place } from './bench-world.ts';
import { coldLargeRace, coldManyRace, coldOneRace } from './cold-races.ts';
import { folderRace } from './folder-race.ts';
import { othersRace } from './others-race.ts';
import { scanColdRace, scanWarmRace } from './scan-races.ts';
import { versionRace } from './start-races.ts';
import { verifyLargeRace, verifyManyRace } from './verify-races.ts';
import { frozenRace, listRace, noopRace, outdatedRace } from './warm-races.ts';

/** A row of the table, or several with one reference each. */
export interface RaceEntry {
  /** What it is asked for by. */
  readonly id: string;
  /** How many times larger it can be made: 0 for what does not grow. */
  readonly most: number;
  /** Makes what it needs, which is not timed. */
  readonly open: (world: BenchWorld) => Promise<Race>;
}

/** All races, in the order of the table. */
export const allRaces: readonly RaceEntry[] = [
  { id: 'version', most: 0, open: versionRace },
  ...onBoth('cold-1', coldOneRace),
  ...onBoth('cold-200', coldManyRace),
  ...onBoth('frozen-200', frozenRace),
  { id: 'noop-200', most: 10, open: noopRace },
  { id: 'outdated-200', most: 10, open: outdatedRace },
  ...onBoth('large', coldLargeRace),
  // A project has 2,000 packs at most.
  { id: 'verify-500', most: 4, open: verifyManyRace },
  { id: 'verify-large', most: 10, open: verifyLargeRace },
  // A scan looks at 2,000 folders of a root at most.
  { id: 'list-500', most: 4, open: listRace },
  { id: 'scan-cold', most: 10, open: scanColdRace },
  { id: 'scan-warm', most: 10, open: scanWarmRace },
  // As above.
  ...onBoth('folder-500', folderRace).map((entry) => ({ ...entry, most: 4 })),
  // More would exceed the entries that a pack may have.
  ...onBoth('others-200', othersRace).map((entry) => ({ ...entry, most: 1 })),
];

function onBoth(id: string, open: (world: BenchWorld, place: Place) => Promise<Race>): readonly RaceEntry[] {
  return (['disk', 'tmpfs'] as const).map((place) => ({
    id: `${id}-${place}`,
    most: 10,
    open: (world) => open(world, place),
  }));
}
