import type { AgentAction, RunEvent } from '@skillpack/core';
import type { Question, Step } from '../agent/run-steps.js';
import { duration } from './duration.js';
import { shortened } from './shortened.js';

const longest = 160;

/** What an agent does, for a person, in one line: `read pdf/references/forms.md “Filling”`. Not made visible. */
export function describeStep(action: AgentAction): string {
  return oneLine(stepOf(action));
}

function stepOf(action: AgentAction): string {
  switch (action.kind) {
    case 'select_skills':
      return `read ${action.skills.map(({ name }) => name).join(', ')}`;
    case 'load_resource':
      return `read ${action.skill.name}/${action.relative_path}${partOf(action)}`;
    case 'run_script':
      return ['run', `${action.skill.name}/${action.relative_path}`, ...action.args.map(argumentOf)].join(' ');
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

/** As in the question for a yes: one sees where an argument begins and ends. */
function argumentOf(text: string): string {
  return /^[\w./:=@%+,-]+$/u.test(text) ? text : JSON.stringify(text);
}

function partOf({ section_hint: section, from_line: line }: AgentAction & { readonly kind: 'load_resource' }): string {
  if (section !== undefined) return ` “${section}”`;
  return line === undefined ? '' : ` from line ${line}`;
}

/**
 * How a step ended: `ok 0.3 s`, `failed: EXIT_NONZERO, exit code 3, 0.3 s`, `failed: TOOL_NOT_FOUND, 0.0 s: …`, `refused by
 * person`. The time is that in which it was worked on, not that in which somebody was asked.
 *
 * @param note what else is told, before the reason. @default nothing
 */
export function describeOutcome(
  observed: RunEvent & { readonly type: 'observation_recorded' },
  { question, waited }: Pick<Step, 'question' | 'waited'>,
  note = '',
): string {
  if (question !== undefined && question.decision?.kind !== 'approved') return describeAnswer(question);
  const { ok, error, output } = observed;
  const took = `${duration(observed.duration - waited)}${note}`;
  if (ok) return `ok ${took}`;
  if (error?.code === 'INTERRUPTED') return `cancelled, ${took}: ${oneLine(error.message)}`;
  const code = output['exit_code'];
  // Of a script that ended, its exit code says it all.
  if (typeof code === 'number') return `failed: ${error?.code ?? 'EXIT_NONZERO'}, exit code ${code}, ${took}`;
  return error === undefined ? `failed, ${took}` : `failed: ${error.code}, ${took}: ${oneLine(error.message)}`;
}

/**
 * By what something was allowed without a question, behind a comma. What an agent does by the configuration alone is told
 * without a word.
 */
export function describeJudgement(judged: Step['judged']): string {
  if (judged?.verdict !== 'allow') return '';
  if (judged.by === 'skill') return ', allowed by its skill';
  return judged.by === 'grant' ? ', allowed before' : '';
}

/** What was answered to a question for a yes: `approved by person (once)`, `no yes: cancelled at the question`. */
export function describeAnswer({ decision }: Question): string {
  switch (decision?.kind) {
    case undefined:
      return 'not answered';
    case 'approved':
      return `approved${decision.by === '' ? '' : ` by ${oneLine(decision.by)}`} (${decision.scope})`;
    case 'denied':
      return decision.by === '' ? 'refused' : `refused by ${oneLine(decision.by)}`;
    case 'unavailable':
      if (decision.code === 'INTERRUPTED') return 'no yes: cancelled at the question';
      if (decision.code === 'TIMEOUT') return 'no yes: the time was up at the question';
      return `no yes: ${oneLine(decision.reason)}`;
  }
}

/** A text of others as a part of a line. Not made visible. */
export function oneLine(text: string): string {
  return shortened(text.replaceAll(/\s+/gu, ' '), longest);
}
