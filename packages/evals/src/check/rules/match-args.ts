import { keyOfBindings, TooManyWays, type Bindings } from './bindings.js';
import { matchText } from './match-text.js';

/** How far a list was looked through. */
interface Place {
  readonly bindings: Bindings;
  readonly next: number;
}

/** Far more than any honest call comes to. */
const mostPlaces = 2_000;

/**
 * Every way in which the wanted arguments stand among those that were given, in their order, with others between them.
 *
 * @throws `TooManyWays`.
 */
export function matchArgs(
  wanted: readonly string[],
  given: readonly string[],
  bindings: Bindings,
): readonly Bindings[] {
  let places: readonly Place[] = [{ bindings, next: 0 }];
  for (const pattern of wanted) {
    // With the same values, whoever is less far can go wherever the others can.
    const nearest = new Map<string, Place>();
    for (const place of places) {
      for (let at = place.next; at < given.length; at += 1) {
        const matched = matchText(pattern, given[at] ?? '', place.bindings);
        if (matched === undefined) continue;
        const key = keyOfBindings(matched);
        const known = nearest.get(key);
        if (known === undefined || at + 1 < known.next) nearest.set(key, { bindings: matched, next: at + 1 });
        if (nearest.size > mostPlaces) throw new TooManyWays();
        // What binds nothing new binds nothing new further on.
        if (matched === place.bindings) break;
      }
    }
    places = [...nearest.values()];
  }
  return places.map((place) => place.bindings);
}
