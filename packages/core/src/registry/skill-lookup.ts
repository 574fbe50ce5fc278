import type { SkillEntry, SkillIndex, SkillReference } from './skill-entry.js';

/** Finds entries of an index, those that are shadowed too. */
export class SkillLookup {
  readonly #names = new Map<string, SkillEntry[]>();
  readonly #bases = new Map<string, SkillEntry[]>();
  readonly #places = new Map<string, SkillEntry>();
  /** By their Unicode form NFC; `undefined` where several places have one form. */
  readonly #forms = new Map<string, SkillEntry | undefined>();

  constructor({ skills, shadowed }: SkillIndex) {
    for (const entry of [...skills, ...shadowed.map((one) => one.entry)]) {
      const name = entry.name.normalize('NFC');
      add(this.#names, name, entry);
      add(this.#bases, name.slice(name.indexOf('/') + 1), entry);
      const place = placeOf(entry.location);
      if (this.#places.has(place)) continue;
      this.#places.set(place, entry);
      const form = place.normalize('NFC');
      this.#forms.set(form, this.#forms.has(form) ? undefined : entry);
    }
  }

  /** As {@link SkillReference} says; a name that an entry has as a whole comes before `org/name`. */
  byReference(reference: string | SkillReference): SkillEntry | undefined {
    const { name, source } = typeof reference === 'string' ? { name: reference, source: undefined } : reference;
    const wanted = name.normalize('NFC');
    const named = this.#names.get(wanted) ?? this.#owned(wanted);
    // What is offered stands first.
    return source === undefined ? named[0] : named.find(({ scope }) => scope === source);
  }

  /** Of a folder, or of the SKILL.md in it; in another Unicode form where only one skill can be meant. */
  byLocation(location: string): SkillEntry | undefined {
    const place = placeOf(location);
    const folder = place.replace(/(?:^|\/)skill\.md$/iu, '');
    const found = this.#places.get(place) ?? this.#places.get(folder);
    return found ?? this.#forms.get(place.normalize('NFC')) ?? this.#forms.get(folder.normalize('NFC'));
  }

  /** The entry whose folder this is: one in another Unicode form is another skill, however alike they look. */
  at(location: string): SkillEntry | undefined {
    return this.#places.get(placeOf(location));
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
  const slashed = windows ? location.replaceAll('\\', '/') : location;
  let end = slashed.length;
  while (end > 1 && slashed.charAt(end - 1) === '/') end -= 1;
  return slashed.slice(0, end);
}
