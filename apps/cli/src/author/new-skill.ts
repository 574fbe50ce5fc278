import {
  isPackNamePart,
  parsePackName,
  skillTemplate,
  splitPackName,
  SkillsError,
  type PackName,
} from '@skillpack/core';

/** A skill that is to begin. */
export interface NewSkill {
  /** The name of the skill and of its folder. */
  readonly name: string;
  /** The pack it belongs to; `undefined` for a skill on its own. */
  readonly pack: PackName | undefined;
  /** Its files, by their path in the folder. */
  readonly files: Readonly<Record<string, string>>;
}

/** What is known of it already. */
export interface NewSkillOptions {
  readonly description: string | undefined;
}

const maxDescription = 1024;

/**
 * The files of a new skill: a SKILL.md, and for `org/name` the skillpack.json of a pack. They pass `skills lint --strict`
 * as they are.
 *
 * @throws `INVALID_PACK_NAME` for a name that no skill may have, `USAGE` for a description that is too long.
 */
export function newSkill(nameOrPack: string, { description }: NewSkillOptions): NewSkill {
  const pack = nameOrPack.includes('/') ? parsePackName(nameOrPack) : undefined;
  const name = pack === undefined ? nameOrPack : splitPackName(pack).base;
  if (!isPackNamePart(name)) {
    throw new SkillsError('INVALID_PACK_NAME', `“${name}” is not the name of a skill.`, {
      hint: 'A name has 1 to 64 characters from a-z, 0-9 and single hyphens inside, as in release-notes.',
      data: { name },
    });
  }
  if (description !== undefined && (description.length > maxDescription || description.trim() === '')) {
    throw new SkillsError(
      'USAGE',
      `--description has ${description.length} characters; expected 1 to ${maxDescription}.`,
    );
  }
  const files: Record<string, string> = { 'SKILL.md': skillTemplate(name, description) };
  if (pack !== undefined) files['skillpack.json'] = packText(pack);
  return { name, pack, files };
}

function packText(name: PackName): string {
  return `${JSON.stringify({ formatVersion: 1, name, version: '0.1.0' }, null, 2)}\n`;
}
