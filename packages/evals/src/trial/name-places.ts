import type { SkillEntry } from '@skillpack/core';

/** A folder of this machine, and what it is called in results: the same on every machine, and in every run. */
export interface NamedPlace {
  readonly path: string;
  readonly name: string;
}

/** The places that the texts of a trial speak of: `{workspace}`, and `{skills}/pdf` for each skill. */
export function placesOf(
  workspace: string | undefined,
  skills: readonly (SkillEntry | undefined)[] = [],
): readonly NamedPlace[] {
  return [
    ...(workspace === undefined ? [] : [{ path: workspace, name: '{workspace}' }]),
    ...skills.flatMap((skill) =>
      skill === undefined ? [] : [{ path: skill.location, name: `{skills}/${skill.name}` }],
    ),
  ];
}

// What is shorter is a root, and stands in everything.
const shortestPath = 4;

/** The text with the names of places instead of their paths, also where a path is written as JSON writes it. */
export function namePlaces(text: string, places: readonly NamedPlace[]): string {
  const spellings = places
    .filter(({ path }) => path.length >= shortestPath)
    .flatMap(({ path, name }) => {
      const written = JSON.stringify(path).slice(1, -1);
      return [{ path, name }, ...(written === path ? [] : [{ path: written, name }])];
    })
    // One may lie in another.
    .toSorted((one, other) => other.path.length - one.path.length);
  return spellings.reduce(nameOne, text);
}

function nameOne(text: string, { path, name }: NamedPlace): string {
  const [first = '', ...others] = text.split(path);
  return others.reduce((before, after) => `${before}${endsName(after) ? name : path}${after}`, first);
}

/** Whether the name of a folder ends before this text: `/tmp/a` is not in `/tmp/ab`. */
function endsName(after: string): boolean {
  return !/^[\p{L}\p{N}_-]/u.test(after);
}
