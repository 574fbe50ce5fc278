import type { SkillEntry, SkillIndex, SkillReference } from './skill-entry.js';

/** Finds entries of an index, those that are shadowed too. */
export class SkillLookup {
  readonly #names = new Map<string, SkillEntry[]>();
  readonly #bases = new Map<string, SkillEntry[]>();
  readonly #places = new Map<string, SkillEntry>();

  constructor({ skills, shadowed }: SkillIndex) {
    for (const entry of [...skills, ...shadowed.map((one) => one.entry)]) {
      const name = entry.name.normalize('NFC');
      add(this.#names, name, entry);
      add(this.#bases, name.slice(name.indexOf('/') + 1), entry);
      const place = placeOf(entry.location);
      if (!this.#places.has(place)) this.#places.set(place, entry);
    }
  }

  /** As {@link SkillReference} says; a name that an entry has as a whole comes before `org/name`. */
  byReference(reference: string | SkillReference): SkillEntry | undefined {
    const { name, source } = typeof reference === 'string' ? { name: reference, source: undefined } : reference;
    const wanted = name.normalize('NFC');
    const named = this.#names.get(wanted) ?? this.#owned(wanted);
    // What is offered stands first.
    return named.find(({ scope }) => scope === source) ?? named[0];
  }

  byLocation(location: string): SkillEntry | undefined {
    const place = placeOf(location);
    return this.#places.get(place) ?? this.#places.get(place.replace(/(?:^|\/)skill\.md$/iu, ''));
  }

  #owned(name: string): readonly SkillEntry[] {
    const slash = name.indexOf('/');
    if (slash === -1) return [];
    const owned = this.#bases.get(name.slice(slash + 1)) ?? [];
    return owned.filter(({ pack }) => pack?.normalize('NFC').startsWith(name.slice(0, slash + 1)) === true);
  }
}

function add(map: Map<string, SkillEntry[]>, key: string, entry: SkillEntry): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [entry]);
  else list.push(entry);
}

/** A location without what does not matter: trailing slashes, and which slash a path of Windows has. */
function placeOf(location: string): string {
  const windows = /^(?:[A-Za-z]:[\\/]|\\\\)/u.test(location);
  const slashed = (windows ? location.replaceAll('\\', '/') : location).normalize('NFC');
  let end = slashed.length;
  while (end > 1 && slashed.charAt(end - 1) === '/') end -= 1;
  return slashed.slice(0, end);
}
