import { counted, describePlace, namedFew } from './describe-measure.js';
import type { PairedResults } from './pair-results.js';

const mostPlaces = 5;

/** What of both is not compared, each kind in a sentence with the first names. It fails nothing by itself. */
export function describeUnpaired(paired: PairedResults): readonly string[] {
  const { asksOtherwise, unscored, gone, added, notRun, newlyRun } = paired;
  const told = (names: readonly string[], one: string, several: string): readonly string[] =>
    names.length === 0
      ? []
      : [`Not compared: ${counted(names.length, 'case')} ${names.length === 1 ? one : several}: ${namedFew(names)}.`];
  return [
    ...told(unscored, 'of which no trial was scored now', 'of which no trial was scored now'),
    ...told(
      asksOtherwise,
      'that asks or wants something else than in the baseline',
      'that ask or want something else than in the baseline',
    ),
    ...told(gone, 'of the baseline that is gone, or was not run', 'of the baseline that are gone, or were not run'),
    ...told(added, 'that is new', 'that are new'),
    ...notRun
      .slice(0, mostPlaces)
      .map((place) => `Not compared: what the baseline has ${describePlace(place)}, as that was not run now.`),
    ...newlyRun
      .slice(0, mostPlaces)
      .map((place) => `Not compared: what was run ${describePlace(place)}, as the baseline has nothing of that.`),
  ];
}
