import { SkillsError } from '@skillpack/core';
import type { SkillDigests } from './recorded-options.js';

const mostTold = 5;

/** @throws `RECORDING_STALE` where the skills of a recording are not those that there are now. */
export function checkSkills(
  recorded: Readonly<Record<string, string>>,
  now: SkillDigests,
  { name }: { readonly name: string },
): void {
  const names = [...new Set([...Object.keys(recorded), ...Object.keys(now)])].toSorted();
  const changed = names.flatMap((skill) => {
    const then = Object.hasOwn(recorded, skill) ? recorded[skill] : undefined;
    const current = Object.hasOwn(now, skill) ? now[skill] : undefined;
    return then === current ? [] : [{ skill, recorded: then, now: current }];
  });
  if (changed.length === 0) return;
  const told = changed.slice(0, mostTold).map(({ skill, recorded: then, now: current }) => {
    if (then === undefined) return `${skill} was not there, and is ${current ?? 'nothing'} now`;
    return current === undefined
      ? `${skill} was ${then}, and is not there now`
      : `${skill} was ${then}, and is ${current} now`;
  });
  const more = changed.length > mostTold ? `; and ${changed.length - mostTold} more` : '';
  throw new SkillsError(
    'RECORDING_STALE',
    `The cassette ${name} was recorded with other skills: ${told.join('; ')}${more}.`,
    {
      hint: 'Record it again with these skills, or allow a stale one: what it answers may not be what a model would say now.',
      data: { cassette: name, skills: changed },
    },
  );
}
