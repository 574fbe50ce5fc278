import { visibleText } from '../../errors/visible-text.js';
import type { ActionSkill, AgentAction } from '../../model/action.js';
import { cutText } from './cut-text.js';

const longest = 160;

/** What an action does, in one short line: `load_resource pdf references/forms.md “Filling”`. */
export function describeAction(action: AgentAction): string {
  return cutText(visibleText([action.kind, ...detailsOf(action)].join(' ')), longest);
}

function detailsOf(action: AgentAction): readonly string[] {
  switch (action.kind) {
    case 'select_skills':
      return [action.skills.map(nameOf).join(', ')];
    case 'load_resource': {
      const { section_hint: section, from_line: line } = action;
      const part = line === undefined ? [] : [`from line ${line}`];
      return [nameOf(action.skill), action.relative_path, ...(section === undefined ? [] : [`“${section}”`]), ...part];
    }
    case 'run_script':
      return [nameOf(action.skill), action.relative_path, ...action.args.slice(0, 20)];
    case 'call_tool':
      return [action.tool];
    case 'search_skills':
      return [`“${action.query}”`];
    case 'disable_skill':
    case 'enable_skill':
      return [nameOf(action.skill)];
    case 'ask_user':
      return [`“${action.question}”`];
    case 'update_plan':
    case 'final_answer':
      return [];
  }
}

function nameOf({ name, source }: ActionSkill): string {
  return source === undefined ? name : `${name} (${source})`;
}
