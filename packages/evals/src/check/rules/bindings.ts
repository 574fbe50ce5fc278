/** What the variables of a rule stand for, by name. */
export type Bindings = ReadonlyMap<string, string>;

/** No variable stands for anything yet. */
export const unbound: Bindings = new Map();

/** With a variable that stands for a value; `undefined` where it stands for another one. */
export function bind(bindings: Bindings, name: string, value: string): Bindings | undefined {
  const known = bindings.get(name);
  if (known !== undefined) return known === value ? bindings : undefined;
  return new Map([...bindings, [name, value]]);
}

/** The same for bindings of the same variables to the same values. */
export function keyOfBindings(bindings: Bindings): string {
  return JSON.stringify([...bindings].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

/** Different ways to give values to the variables of one rule: with more, nobody says whether it holds. */
const mostWays = 2_000;

/** There are more ways to give values to the variables of a rule than are looked at. */
export class TooManyWays extends Error {
  constructor(why = `Its variables can stand for more than ${mostWays} combinations of values.`) {
    super(why);
    this.name = 'TooManyWays';
  }
}

/** Each once. @throws `TooManyWays`. */
export function distinctBindings(all: Iterable<Bindings>): readonly Bindings[] {
  const distinct = new Map<string, Bindings>();
  for (const bindings of all) {
    distinct.set(keyOfBindings(bindings), bindings);
    if (distinct.size > mostWays) throw new TooManyWays();
  }
  return [...distinct.values()];
}
