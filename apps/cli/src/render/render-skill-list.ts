import type { Style } from '../frame/style.js';
import type { ListedRoot, ListedSkill, SkillList } from '../skills/list-skills.js';
import { columns } from './columns.js';
import { shortened } from './shortened.js';

const longest = 100;

/** The skills of every root, for people; roots without skills are left out. */
export function renderSkillList({ roots }: SkillList, style: Style): string {
  const shown = roots.filter(
    ({ skills, state }) => skills.length > 0 || state === 'unreadable' || state === 'not-a-folder',
  );
  if (shown.length === 0) return `No skills in ${roots.map(({ path }) => path).join(', ')}.`;
  return shown.map((root) => renderRoot(root, style)).join('\n\n');
}

function renderRoot({ scope, path, state, skills }: ListedRoot, style: Style): string {
  const title = `${style.bold(scope)}  ${style.dim(path)}`;
  if (state === 'unreadable') return `${title}\n  ${style.red('cannot be read')}`;
  if (state === 'not-a-folder') return `${title}\n  ${style.red('is no folder')}`;
  return `${title}\n${columns(
    skills.map((skill) => [
      skill.shadowedBy === null ? style.green(skill.name) : style.dim(skill.name),
      skill.pack === null ? '' : `${skill.pack} ${skill.version}`,
      remark(skill, style),
    ]),
    '  ',
  )}`;
}

function remark({ shadowedBy, description }: ListedSkill, style: Style): string {
  if (shadowedBy !== null) return style.yellow(`shadowed by ${shadowedBy.scope}: ${shadowedBy.path}`);
  if (description === null) return style.yellow('no description: no model is offered it');
  return shortened(description, longest);
}
