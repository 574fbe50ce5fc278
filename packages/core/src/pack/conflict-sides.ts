/** The whole texts that a merge could not bring together, made from what it left. */
export interface ConflictSides {
  /** What stands behind the first `<<<<<<<` and the first `>>>>>>>`: mostly a branch; may be empty. */
  readonly labels: readonly [ours: string, theirs: string];
  readonly ours: string;
  readonly theirs: string;
  /** What both began with, where every conflict states it (`|||||||`). */
  readonly base: string | undefined;
}

/**
 * Takes the two sides of every conflict in a text apart, as git writes them in the styles `merge`, `diff3` and `zdiff3`:
 * what both sides have in common stands outside the markers, so that one conflict alone is seldom whole.
 *
 * @returns `undefined` where there is no conflict, or markers are missing or out of order.
 */
export function conflictSides(text: string): ConflictSides | undefined {
  const sides = { ours: [] as string[], base: [] as string[], theirs: [] as string[] };
  const labels: { ours?: string; theirs?: string } = {};
  let place: 'outside' | keyof typeof sides = 'outside';
  let stated = true;
  let baseSeen = false;
  for (const line of text.split('\n')) {
    const marker = /^(<{7}|\|{7}|={7}|>{7})(?:\s(.*))?$/u.exec(line);
    if (marker === null) {
      if (place !== 'outside') sides[place].push(line);
      else for (const side of Object.values(sides)) side.push(line);
      continue;
    }
    const [, sign = '', label = ''] = marker;
    const next = nextPlace(sign.charAt(0), place);
    if (next === undefined) return undefined;
    if (next === 'ours') labels.ours ??= label.trim();
    if (next === 'outside') labels.theirs ??= label.trim();
    if (next === 'ours') baseSeen = false;
    if (next === 'base') baseSeen = true;
    if (next === 'theirs') stated &&= baseSeen;
    place = next;
  }
  if (place !== 'outside' || labels.ours === undefined || labels.theirs === undefined) return undefined;
  return {
    labels: [labels.ours, labels.theirs],
    ours: sides.ours.join('\n'),
    theirs: sides.theirs.join('\n'),
    base: stated ? sides.base.join('\n') : undefined,
  };
}

type Place = 'outside' | 'ours' | 'base' | 'theirs';

const steps: Readonly<Record<string, Readonly<Partial<Record<Place, Place>>>>> = {
  '<': { outside: 'ours' },
  '|': { ours: 'base' },
  '=': { ours: 'theirs', base: 'theirs' },
  '>': { theirs: 'outside' },
};

function nextPlace(sign: string, place: Place): Place | undefined {
  return steps[sign]?.[place];
}
