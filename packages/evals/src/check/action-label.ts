import { canonicalJson, visibleText, type ActionSkill, type AgentAction } from '@skillpack/core';
import { shortText } from './short-text.js';

/** UTF-16 code units of a label. */
const longest = 200;

/** What an action does, in a line: `run_script pdf scripts/pdf.mjs text report.pdf`. Cleaned for a terminal. */
export function actionLabel(action: AgentAction): string {
  return shortText(visibleText([action.kind, ...detailsOf(action)].join(' ')), longest);
}

function detailsOf(action: AgentAction): readonly string[] {
  switch (action.kind) {
    case 'select_skills':
      return [action.skills.map(nameOf).join(', ')];
    case 'load_resource': {
      const { section_hint: section } = action;
      return [nameOf(action.skill), action.relative_path, ...(section === undefined ? [] : [quotedArgument(section)])];
    }
    case 'run_script':
      return [nameOf(action.skill), action.relative_path, ...action.args.slice(0, 50).map(shownArgument)];
    case 'call_tool':
      return [action.tool, canonicalJson(action.input)];
    case 'search_skills':
      return [quotedArgument(action.query)];
    case 'disable_skill':
    case 'enable_skill':
      return [nameOf(action.skill)];
    case 'ask_user':
      return [quotedArgument(action.question)];
    case 'update_plan':
      return [];
    case 'final_answer':
      return [];
  }
}

function nameOf({ name, source }: ActionSkill): string {
  return source === undefined ? name : `${name} (${source})`;
}

/** In quotes where it would look like several. */
function shownArgument(argument: string): string {
  return /^[^\s"']+$/u.test(argument) ? argument : quotedArgument(argument);
}

function quotedArgument(text: string): string {
  return JSON.stringify(shortText(text, longest));
}
