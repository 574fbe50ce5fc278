import type { AgentAction, JsonObject, JsonValue } from '@skillpack/core';
import { actionLabel } from '../action-label.js';
import { isPermitted, type OpenAction } from './open-action.js';
import type { RuleStep, StepPart } from './rule-step.js';
import { namesOf, namesOfActive, plainPath, skillFile } from './skill-file.js';

/** Since when the events of an action do not count any more. */
interface Lost {
  readonly lostAt: number;
  readonly judgedLostAt: number;
}

/** What rules see of an action: the step itself, and the approval that it had, if any. */
export function actionSteps(action: OpenAction, { lostAt, judgedLostAt }: Lost): readonly RuleStep[] {
  const { started, judged } = action;
  const { seq, run } = started;
  const permitted = isPermitted(action);
  const label = actionLabel(started.action);
  const { whole, parts } = partsOf(action);
  const step: RuleStep = {
    kind: started.action.kind,
    seq,
    run,
    decided: seq,
    effective: permitted && judged !== undefined ? judged.seq + afterwards : seq,
    effect: permitted || tookEffect(action),
    whole,
    parts,
    given: false,
    lostAt,
    label,
  };
  const approval = approvalOf(action, { ...step, lostAt: judgedLostAt });
  return approval === undefined ? [step] : [step, approval];
}

/** What an event allows begins after it, and before the next one. */
const afterwards = 0.5;

/** A yes to an action; an earlier yes that covers it is given. */
function approvalOf(action: OpenAction, step: RuleStep): RuleStep | undefined {
  const { judged, started } = action;
  if (judged === undefined || !isPermitted(action)) return undefined;
  if (judged.type === 'tool_judged' && judged.by !== 'grant') return undefined;
  const { seq } = judged;
  const tool = started.action.kind === 'call_tool' ? started.action.tool : started.action.kind;
  return {
    ...step,
    kind: 'approval',
    seq,
    decided: seq,
    effective: seq,
    whole: { ...step.whole, tool, ok: true, until: seq },
    parts: [],
    given: judged.type === 'tool_judged',
    label: `approval of ${step.label}`,
  };
}

/** Also where it failed: a script that ran has an exit code. */
function tookEffect({ started, observed }: OpenAction): boolean {
  if (isEnd(started.action)) return true;
  return observed !== undefined && (observed.ok || Object.hasOwn(observed.output, 'exit_code'));
}

function isEnd({ kind }: AgentAction): boolean {
  return kind === 'final_answer' || kind === 'ask_user';
}

function partsOf(action: OpenAction): Pick<RuleStep, 'whole' | 'parts'> {
  const { started, observed } = action;
  const { seq } = started;
  const end = isEnd(started.action) ? { ok: true, until: seq } : { ok: observed?.ok, until: observed?.seq ?? Infinity };
  if (started.action.kind !== 'select_skills') return { whole: { ...fieldsOf(action), ...end }, parts: [] };
  const parts = started.action.skills.map((skill) => selectedPart(action, skill));
  // What is begun with a skill comes after its selection, also where a run of its own does it before the selection ends.
  const until = Math.min(end.until, ...action.activated.map((one) => one.seq));
  // What a run of its own comes to is another matter.
  const ok = action.activated.length > 0 ? true : end.ok;
  return { whole: { skills: [], ok, until }, parts };
}

type Fields = Pick<StepPart, 'skills' | 'tool' | 'path' | 'args' | 'input'>;

function fieldsOf({ started, activations, asked, judged, broughtBy, observed }: OpenAction): Fields {
  const { action } = started;
  switch (action.kind) {
    case 'load_resource':
    case 'run_script': {
      const place = skillFile(action.skill, action.relative_path, activations);
      // What was done says it best.
      const skills = nameIn(observed?.output, 'skill', place.skills);
      const path = plainPath(textIn(observed?.output, 'path') ?? place.path);
      return { skills, path, ...(action.kind === 'run_script' && { tool: action.kind, args: action.args }) };
    }
    case 'call_tool': {
      const judging = judged?.type === 'tool_judged' ? judged.skill?.name : undefined;
      const name = asked?.skill?.name ?? judging;
      const known = broughtBy === undefined ? [] : namesOfActive(broughtBy);
      const skills = name === undefined ? known : namesOf({ name }, activations);
      return { skills, tool: action.tool, input: action.input };
    }
    case 'disable_skill':
    case 'enable_skill':
      return { skills: namesOf(action.skill, activations) };
    default:
      return { skills: [] };
  }
}

function selectedPart({ activations, activated, observed }: OpenAction, skill: { readonly name: string }): StepPart {
  const wanted = skill.name.normalize('NFC');
  const own = activated.find(({ activation }) =>
    namesOfActive(activation).some((name) => name.normalize('NFC') === wanted),
  );
  if (own !== undefined) return { skills: namesOfActive(own.activation), ok: true, until: own.seq };
  const skills = namesOf(skill, activations);
  if (observed === undefined) return { skills, ok: undefined, until: Infinity };
  const failed = !observed.ok || isAmong(observed.output['failed'], wanted);
  return { skills, ok: !failed, until: observed.seq };
}

function isAmong(failed: JsonValue | undefined, name: string): boolean {
  if (!Array.isArray(failed)) return false;
  return failed.some((one: unknown) => {
    const named: unknown = typeof one === 'object' && one !== null && 'name' in one ? one.name : undefined;
    return typeof named === 'string' && named.normalize('NFC') === name;
  });
}

function nameIn(output: JsonObject | undefined, field: string, known: readonly string[]): readonly string[] {
  const name = textIn(output, field);
  return name === undefined || known.includes(name) ? known : [name];
}

function textIn(output: JsonObject | undefined, field: string): string | undefined {
  const value = output !== undefined && Object.hasOwn(output, field) ? output[field] : undefined;
  return typeof value === 'string' ? value : undefined;
}
