import { visibleLines, type SkillHead } from '@skillpack/core';

/** What a document of a registry says of a skill. */
export interface DescribedSkill {
  readonly name: string;
  readonly description: string;
  readonly license?: string | undefined;
}

/** The head of a skill whose SKILL.md was not read: what only that says is left open, and it counts as one for a model. */
export function describedHead(skill: DescribedSkill): SkillHead {
  const { name } = skill;
  const description = visibleLines(skill.description);
  const license = skill.license === undefined ? undefined : visibleLines(skill.license);
  return {
    name,
    description,
    license,
    compatibility: undefined,
    metadata: {},
    allowedTools: undefined,
    version: undefined,
    author: undefined,
    modelInvocable: true,
    userInvocable: true,
    runMode: 'inline',
    frontMatter: { name, description, ...(license === undefined ? {} : { license }) },
    bodyLine: 1,
  };
}
