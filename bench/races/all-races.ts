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
  /** Whether there is more of it at ten times the size. */
  readonly grows: boolean;
  /** Makes what it needs, which is not timed. */
  readonly open: (world: BenchWorld) => Promise<Race>;
}

/** All races, in the order of the table. */
export const allRaces: readonly RaceEntry[] = [
  { id: 'version', grows: false, open: versionRace },
  ...onBoth('cold-1', coldOneRace),
  ...onBoth('cold-200', coldManyRace),
  ...onBoth('frozen-200', frozenRace),
  { id: 'noop-200', grows: true, open: noopRace },
  { id: 'outdated-200', grows: true, open: outdatedRace },
  ...onBoth('large', coldLargeRace),
  { id: 'verify-500', grows: true, open: verifyManyRace },
  { id: 'verify-large', grows: true, open: verifyLargeRace },
  // A scan looks at 2,000 folders of a root at most.
  { id: 'list-500', grows: false, open: listRace },
  { id: 'scan-cold', grows: true, open: scanColdRace },
  { id: 'scan-warm', grows: true, open: scanWarmRace },
  ...onBoth('folder-500', folderRace),
  // Ten times as many would exceed the entries that a pack may have.
  ...onBoth('others-200', othersRace).map((entry) => ({ ...entry, grows: false })),
];

function onBoth(id: string, open: (world: BenchWorld, place: Place) => Promise<Race>): readonly RaceEntry[] {
  return (['disk', 'tmpfs'] as const).map((place) => ({
    id: `${id}-${place}`,
    grows: true,
    open: (world) => open(world, place),
  }));
}
