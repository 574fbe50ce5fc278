import { quoted } from '../../errors/quoted.js';
import { SkillsError } from '../../errors/skills-error.js';
import type { ActionSkill } from '../../model/action.js';
import type { SkillEntry } from '../../registry/skill-entry.js';
import type { SkillRegistry } from '../../registry/skill-registry.js';
import type { Activation } from '../activation.js';

/** A file of an activated skill. */
export interface ActiveFile {
  readonly activation: Activation;
  readonly entry: SkillEntry;
  /** Relative to the skill. */
  readonly path: string;
}

/** Where the skills of a conversation are looked up. */
export interface ActiveSkills {
  readonly activations: readonly Activation[];
  readonly view: Pick<SkillRegistry, 'getByPath'>;
  /** What a model does with a skill that is not active, in a sentence. */
  readonly loadFirst: string;
}

/**
 * The file that a model means. A path that begins with the folder of an activated skill means that skill's file, as
 * the text of one skill may name the files of another.
 *
 * @throws `SKILL_NOT_FOUND` for a skill that is not active or not offered any more.
 */
export async function activeFile(skills: ActiveSkills, skill: ActionSkill, path: string): Promise<ActiveFile> {
  const { activations, view } = skills;
  const slashed = path.replaceAll('\\', '/');
  const holder = activations.find(({ location }) => slashed.startsWith(folderOf(location)));
  const activation = holder ?? activeSkill(skills, skill);
  const entry = await view.getByPath(activation.location);
  if (entry === undefined) {
    throw new SkillsError('SKILL_NOT_FOUND', `The skill ${quoted(activation.name)} is not offered any more.`, {
      hint: `It was at ${quoted(activation.location)}.`,
    });
  }
  const relative = holder === undefined ? path : slashed.slice(folderOf(holder.location).length);
  return { activation, entry, path: relative };
}

function activeSkill({ activations, loadFirst }: ActiveSkills, { name, source }: ActionSkill): Activation {
  const named = activations.filter((activation) => bearsName(activation, name));
  // Another source is another skill: what is asked of one is not done with the other.
  const activation = source === undefined ? named.at(-1) : named.find(({ scope: from }) => from === source);
  if (activation !== undefined) return activation;
  const active = activations.map((one) => `${quoted(one.name)} (${one.scope})`).join(', ');
  const meant = source === undefined ? quoted(name) : `${quoted(name)} of the source ${source}`;
  throw new SkillsError('SKILL_NOT_FOUND', `The skill ${meant} is not active.`, {
    hint: `${loadFirst} ${active === '' ? 'No skill is active.' : `Active: ${active}.`}`,
  });
}

/** Whether an active skill is called so: `pdf`, or `org/pdf` of one that a pack of that organisation brought. */
export function bearsName({ name, pack }: Activation, wanted: string): boolean {
  const called = wanted.normalize('NFC');
  return name.normalize('NFC') === called || (pack !== undefined && `${pack.split('/')[0]}/${name}` === called);
}

function folderOf(location: string): string {
  const slashed = location.replaceAll('\\', '/');
  return slashed.endsWith('/') ? slashed : `${slashed}/`;
}
