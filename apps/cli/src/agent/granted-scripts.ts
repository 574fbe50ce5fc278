import { allowedToolsMode, namedTools, type Permissions, type SkillEntry } from '@skillpack/core';

/** A skill that allows itself scripts, and what it lists of them. */
export interface GrantedScripts {
  readonly name: string;
  /** Entries of its `allowed-tools`, as they stand there. */
  readonly entries: readonly string[];
}

/** The skills whose scripts run without a question in a sandbox, since they list them and their list counts as a yes. */
export function grantedScripts(
  skills: readonly SkillEntry[],
  permissions: Pick<Permissions, 'allowedTools'>,
): readonly GrantedScripts[] {
  return skills.flatMap((skill) => {
    if (allowedToolsMode(skill, permissions) !== 'grant') return [];
    const listed = skill.head.allowedTools ?? [];
    const entries = listed.filter((entry) => namedTools(entry, ['run_script']).length > 0);
    return entries.length === 0 ? [] : [{ name: skill.name, entries }];
  });
}
