import type { AgentAction, RunEvent } from '@skillpack/core';
import { duration } from './duration.js';
import { shortened } from './shortened.js';

const longest = 160;

/** What an agent does, for a person, in one line: `read pdf/references/forms.md “Filling”`. Not made visible. */
export function describeStep(action: AgentAction): string {
  return shortened(stepOf(action).replaceAll(/\s+/gu, ' '), longest);
}

function stepOf(action: AgentAction): string {
  switch (action.kind) {
    case 'select_skills':
      return `read ${action.skills.map(({ name }) => name).join(', ')}`;
    case 'load_resource':
      return `read ${action.skill.name}/${action.relative_path}${partOf(action)}`;
    case 'run_script':
      return ['run', `${action.skill.name}/${action.relative_path}`, ...action.args].join(' ');
    case 'call_tool':
      return `${action.tool} ${JSON.stringify(action.input)}`;
    case 'search_skills':
      return `search for “${action.query}”`;
    case 'disable_skill':
      return `switch off ${action.skill.name}`;
    case 'enable_skill':
      return `switch on ${action.skill.name}`;
    case 'update_plan':
      return 'plan';
    case 'ask_user':
      return `ask “${action.question}”`;
    case 'final_answer':
      return 'answer';
  }
}

function partOf({ section_hint: section, from_line: line }: AgentAction & { readonly kind: 'load_resource' }): string {
  if (section !== undefined) return ` “${section}”`;
  return line === undefined ? '' : ` from line ${line}`;
}

/** How a step ended: `ok 0.3 s`, `failed: EXIT_NONZERO, exit code 3, 0.3 s`. */
export function describeOutcome(observed: RunEvent & { readonly type: 'observation_recorded' }): string {
  const { ok, error, output } = observed;
  const code = output['exit_code'];
  const exit = typeof code === 'number' && code !== 0 ? `, exit code ${code}` : '';
  const how = ok ? 'ok' : `failed: ${error?.code ?? 'without a reason'}${exit},`;
  return `${how} ${duration(observed.duration)}`;
}
