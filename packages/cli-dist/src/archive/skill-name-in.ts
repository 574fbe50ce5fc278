import { isPackNamePart, parseSkillHead } from '@skillpack/core';

/** The name that a SKILL.md gives its skill, if it gives one that can be a folder of a pack. */
export function skillNameIn(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined) return undefined;
  const parse = parseSkillHead(bytes);
  return parse.kind === 'skill' && isPackNamePart(parse.skill.name) ? parse.skill.name : undefined;
}
