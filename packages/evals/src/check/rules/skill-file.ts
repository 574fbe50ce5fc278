import type { Activation, ActionSkill } from '@skillpack/core';

/** A file of a skill, as a rule asks for it. */
export interface SkillFilePlace {
  /** Names of the skill, its own first. */
  readonly skills: readonly string[];
  /** Relative to the skill, without `.` and empty parts. */
  readonly path: string;
}

/**
 * Which file is meant by a skill and a path: one that begins with the folder of an activated skill is a file of that one,
 * whatever skill stands beside it.
 */
export function skillFile(skill: ActionSkill, path: string, activations: readonly Activation[]): SkillFilePlace {
  const slashed = path.replaceAll('\\', '/');
  const holder = activations.find(({ location }) => slashed.startsWith(folderOf(location)));
  const relative = holder === undefined ? slashed : slashed.slice(folderOf(holder.location).length);
  return {
    skills: holder === undefined ? namesOf(skill, activations) : namesOfActive(holder),
    path: plainPath(relative),
  };
}

/** The names of the skill that is meant by one. */
export function namesOf({ name, source }: ActionSkill, activations: readonly Activation[]): readonly string[] {
  const named = activations.filter((activation) =>
    namesOfActive(activation).some((known) => known.normalize('NFC') === name.normalize('NFC')),
  );
  const meant = source === undefined ? named.at(-1) : named.find(({ scope }) => scope === source);
  return meant === undefined ? [name] : namesOfActive(meant);
}

/** `pdf`, and `org/pdf` of one that a pack of that organisation brought. */
export function namesOfActive({ name, pack }: Activation): readonly string[] {
  return pack === undefined ? [name] : [name, `${pack.split('/')[0] ?? ''}/${name}`];
}

/** `scripts/a.mjs` for `./scripts//a.mjs` and `scripts\a.mjs`. */
export function plainPath(path: string): string {
  const parts = path
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '.' && part !== '');
  return parts.join('/');
}

function folderOf(location: string): string {
  const slashed = location.replaceAll('\\', '/');
  return slashed.endsWith('/') ? slashed : `${slashed}/`;
}
