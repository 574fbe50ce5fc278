import { layerSkills, type LayerSkillsOptions, type SkillSource } from './layer-skills.js';

/** A skill, and the pack that brought it: `org/name`, or `undefined` for one that no pack brought. */
export interface OwnedSkill {
  readonly name: string;
  readonly pack: string | undefined;
}

/**
 * The skill that a reference means: `pdf` as {@link layerSkills} decides, within a source that of a pack first; `acme/pdf` only among the skills that packs of
 * the organisation `acme` brought, even where another skill shadows it. `undefined` when there is none.
 */
export function selectSkill<Item extends OwnedSkill>(
  sources: readonly SkillSource<Item>[],
  reference: string,
  options: LayerSkillsOptions = {},
): Item | undefined {
  const slash = reference.indexOf('/');
  const name = reference.slice(slash + 1).normalize('NFC');
  const organisation = slash === -1 ? undefined : reference.slice(0, slash + 1);
  const matching = sources.map(({ scope, skills }) => ({
    scope,
    skills: skills
      .filter(
        (skill) =>
          skill.name.normalize('NFC') === name &&
          (organisation === undefined || skill.pack?.startsWith(organisation) === true),
      )
      .toSorted((left, right) => Number(left.pack === undefined) - Number(right.pack === undefined)),
  }));
  return layerSkills(matching, options).skills[0];
}
