import { isPackNamePart, parseSkillHead } from '@skillpack/core';

/** In bytes: more than front matter may have, with what may stand before it. */
export const headBytes = 72 * 1024;

/** How the bytes of a SKILL.md were read. */
export interface SkillNameOptions {
  /** Whether they are only the beginning of the file. @default false */
  readonly partial?: boolean | undefined;
}

/** The name that a SKILL.md gives its skill, if it gives one that can be a folder of a pack. */
export function skillNameIn(bytes: Uint8Array | undefined, options: SkillNameOptions = {}): string | undefined {
  if (bytes === undefined) return undefined;
  const parse = parseSkillHead(bytes, { partial: options.partial ?? false });
  return parse.kind === 'skill' && isPackNamePart(parse.skill.name) ? parse.skill.name : undefined;
}
