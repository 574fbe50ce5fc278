import type { AgentActionKind } from './action.js';
import { agentActionKinds } from './decision-schema.js';

/** Fields of an object that came from a model. */
export type Fields = Readonly<Record<string, unknown>>;

/** An answer in the form of the protocol, as far as it could be brought into it. */
export interface NormalisedDecision {
  readonly action: Fields | undefined;
  /** `undefined` where there is none. */
  readonly planUpdate: unknown;
  /** Whether it was written in another form. */
  readonly changed: boolean;
}

/** The fields of an object; `undefined` for anything else. */
export function fieldsOf(value: unknown): Fields | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value as Fields; // JSON has no other objects
}

/** Whether a text is the kind of an action. */
export function isActionKind(value: unknown): value is AgentActionKind {
  return agentActionKinds.some((kind) => kind === value);
}

const wrappers = ['action_input', 'parameters', 'params', 'arguments'] as const;

/**
 * Brings the forms in which models write decisions into that of the protocol, where there is only one meaning: an
 * action without `action` around it, its kind as `type` or in the place of the action, its fields in an object of their
 * own, a skill as its name alone, a plan in the place of its update. A field that may be left out and is null counts as
 * left out. What cannot be understood stays as it is, for the schema to judge.
 */
export function normaliseDecision(answer: Fields): NormalisedDecision {
  const whole = fieldsOf(answer['decision']) ?? answer;
  const found = actionOf(whole);
  if (found === undefined) {
    return { action: fieldsOf(whole['action']), planUpdate: planUpdateOf(whole).value, changed: whole !== answer };
  }
  const tidy = tidyAction(found.fields);
  const plan = planUpdateOf(whole, tidy.fields['kind'] === 'update_plan' ? found.fields : undefined);
  return {
    action: tidy.fields,
    planUpdate: plan.value,
    changed: whole !== answer || found.changed || tidy.changed || plan.changed,
  };
}

interface Changed<Value> {
  readonly value: Value;
  readonly changed: boolean;
}

interface ActionFields {
  readonly fields: Fields;
  readonly changed: boolean;
}

function actionOf(whole: Fields): ActionFields | undefined {
  const inner = fieldsOf(whole['action']);
  if (inner !== undefined) {
    if (isActionKind(inner['kind'])) return { ...unwrapped(inner, inner['kind']) };
    return kindIn(inner, ['type', 'name']) ?? tagged(inner);
  }
  return kindIn(whole, ['kind', 'action', 'type', 'name']) ?? tagged(whole);
}

function kindIn(whole: Fields, keys: readonly string[]): ActionFields | undefined {
  const key = keys.find((candidate) => isActionKind(whole[candidate]));
  if (key === undefined) return undefined;
  const { [key]: kind, plan_update: _, ...fields } = whole;
  return { fields: unwrapped(fields, kind).fields, changed: true };
}

/** `{ "final_answer": { … } }` */
function tagged(whole: Fields): ActionFields | undefined {
  const kinds = Object.keys(whole).filter(isActionKind);
  const [kind] = kinds;
  const fields = kind === undefined || kinds.length > 1 ? undefined : fieldsOf(whole[kind]);
  return fields === undefined ? undefined : { fields: { ...fields, kind }, changed: true };
}

function unwrapped(fields: Fields, kind: unknown): ActionFields {
  const key = kind === 'call_tool' && 'tool' in fields ? undefined : wrappers.find((name) => fieldsOf(fields[name]));
  if (key === undefined) return { fields: { ...fields, kind }, changed: false };
  return { fields: { ...fields, ...fieldsOf(fields[key]), kind }, changed: true };
}

type Rewrite = Readonly<Record<string, readonly string[]>>;

// What models call a field, beside its name in the protocol; taken where the field itself is missing.
const otherNames: Readonly<Partial<Record<AgentActionKind, Rewrite>>> = {
  select_skills: { skills: ['skill'] },
  load_resource: { relative_path: ['path', 'file'], section_hint: ['section'] },
  run_script: { relative_path: ['path', 'script'] },
  call_tool: { tool: ['tool_name', 'name'], input: ['arguments', 'args', 'parameters', 'tool_input'] },
  ask_user: { question: ['content', 'text'] },
  final_answer: { content: ['answer', 'text'] },
};

const optionalFields = ['section_hint', 'from_line', 'reason'] as const;

function tidyAction(action: Fields): ActionFields {
  const kind = action['kind'] as AgentActionKind; // actionOf found it
  const fields: Record<string, unknown> = { ...action };
  let changed = false;
  for (const [name, others] of Object.entries(otherNames[kind] ?? {})) {
    const other = fields[name] === undefined ? others.find((key) => fields[key] !== undefined) : undefined;
    if (other === undefined) continue;
    fields[name] = fields[other];
    changed = true;
  }
  for (const name of optionalFields) if (fields[name] === null) Reflect.deleteProperty(fields, name);
  if (kind === 'run_script' && fields['args'] === undefined) [fields['args'], changed] = [[], true];
  if (kind === 'call_tool' && fields['input'] === undefined) [fields['input'], changed] = [{}, true];
  if ('skill' in fields) {
    const skill = tidySkill(fields['skill']);
    fields['skill'] = skill.value;
    changed ||= skill.changed;
  }
  if (kind === 'select_skills' && fields['skills'] !== undefined) {
    const listed = Array.isArray(fields['skills']) ? fields['skills'] : [fields['skills']];
    const skills = listed.map(tidySkill);
    changed ||= listed !== fields['skills'] || skills.some((skill) => skill.changed);
    fields['skills'] = skills.map(({ value }) => value);
  }
  return { fields, changed };
}

function tidySkill(skill: unknown): Changed<unknown> {
  if (typeof skill === 'string') return { value: { name: skill }, changed: true };
  const fields = fieldsOf(skill);
  if (fields?.['source'] !== null || fields === undefined) return { value: skill, changed: false };
  const { source: _, ...rest } = fields;
  return { value: rest, changed: false };
}

function planUpdateOf(whole: Fields, action: Fields = {}): Changed<unknown> {
  const written = whole['plan_update'] ?? action['plan_update'];
  const changed = (whole['plan_update'] ?? undefined) === undefined;
  if (written !== undefined && written !== null) {
    const update = tidyUpdate(written);
    return { value: update.value, changed: changed || update.changed };
  }
  const operations = action['operations'];
  if (Array.isArray(operations)) return { value: { kind: 'patch', operations }, changed: true };
  const plan = fieldsOf(whole['plan'] ?? action['plan']);
  if (plan !== undefined) return { value: { kind: 'replace', plan: tidyPlan(plan).value }, changed: true };
  return { value: undefined, changed: false };
}

function tidyUpdate(written: unknown): Changed<unknown> {
  if (Array.isArray(written)) return { value: { kind: 'patch', operations: written }, changed: true };
  const update = fieldsOf(written);
  if (update === undefined) return { value: written, changed: false };
  const { kind, operations } = update;
  const plan = fieldsOf(update['plan']);
  if (plan !== undefined && (kind === undefined || kind === 'replace')) {
    const tidy = tidyPlan(plan);
    return { value: { kind: 'replace', plan: tidy.value }, changed: tidy.changed || kind === undefined };
  }
  if (kind !== undefined) return { value: written, changed: false };
  if (Array.isArray(operations)) return { value: { kind: 'patch', operations }, changed: true };
  if (!('goal' in update && 'steps' in update)) return { value: written, changed: false };
  return { value: { kind: 'replace', plan: tidyPlan(update).value }, changed: true };
}

function tidyPlan(plan: Fields): Changed<Fields> {
  const missing = (plan['assumptions'] ?? undefined) === undefined || (plan['constraints'] ?? undefined) === undefined;
  if (!missing) return { value: plan, changed: false };
  return {
    value: { ...plan, assumptions: plan['assumptions'] ?? [], constraints: plan['constraints'] ?? {} },
    changed: true,
  };
}
