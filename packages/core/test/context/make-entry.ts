import type { SkillEntry } from '../../src/registry/skill-entry.js';
import type { SkillText } from '../../src/registry/skill-registry.js';
import { readSkill } from '../../src/skill/read-skill.js';
import type { SkillHead } from '../../src/skill/skill.js';
import { sha256 } from '../sha256.js';

/** A skill as a test describes it. */
export interface EntryDescription extends Partial<Omit<SkillEntry, 'head'>> {
  readonly name: string;
  readonly description?: string | undefined;
  readonly head?: Partial<SkillHead>;
}

/** An entry of an index. */
export function makeEntry({ description = 'Does something.', head, ...entry }: EntryDescription): SkillEntry {
  const { body: _, ...read } = readSkill(`---\nname: skill\ndescription: x\n---\n`);
  return {
    scope: 'project',
    location: `/work/app/.agents/skills/${entry.name}`,
    pack: undefined,
    packVersion: undefined,
    digest: undefined,
    diagnostics: [],
    ...entry,
    head: { ...read, name: entry.name, description, ...head },
  };
}

/** An entry without a description, which the default above would give it. */
export function withoutDescription(entry: SkillEntry): SkillEntry {
  return { ...entry, head: { ...entry.head, description: undefined } };
}

/** The text of a skill, with this body. */
export function makeText(body: string, fields = ''): SkillText {
  const file = `---\nname: skill\ndescription: Does something.\n${fields}---\n${body}`;
  return { skill: readSkill(file), digest: sha256(file), size: new TextEncoder().encode(file).length };
}
