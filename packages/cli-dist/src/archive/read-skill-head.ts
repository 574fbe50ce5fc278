import { parseSimpleSkillHead, type SkillHead, type SkillParse } from '@skillpack/core';

/** How the bytes of a SKILL.md were read. */
export interface ReadSkillHeadOptions {
  /** Whether they are only the beginning of the file. @default false */
  readonly partial?: boolean | undefined;
}

/** The front matter of a SKILL.md. The YAML library is loaded for the few that need it: it takes 10 ms. */
export async function readSkillHead(
  bytes: Uint8Array,
  { partial = false }: ReadSkillHeadOptions = {},
): Promise<SkillParse<SkillHead>> {
  const simple = parseSimpleSkillHead(bytes, { partial });
  if (simple !== undefined) return simple;
  const { parseSkillHead } = await import('./full-skill-parser.js');
  return parseSkillHead(bytes, { partial });
}
