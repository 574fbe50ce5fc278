import { isPackNamePart } from '@skillpack/core';
import { readSkillHead, type ReadSkillHeadOptions } from './read-skill-head.js';

/** In bytes: more than front matter may have, with what may stand before it. */
export const headBytes = 72 * 1024;

/** The name that a SKILL.md gives its skill, if it gives one that can be a folder of a pack. */
export async function skillNameIn(
  bytes: Uint8Array | undefined,
  options: ReadSkillHeadOptions = {},
): Promise<string | undefined> {
  if (bytes === undefined) return undefined;
  const parse = await readSkillHead(bytes, options);
  return parse.kind === 'skill' && isPackNamePart(parse.skill.name) ? parse.skill.name : undefined;
}
