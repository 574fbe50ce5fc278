import type { AgentActionKind } from './action.js';
import { fieldsOf, isGiven, sameJson, type Fields } from './fields.js';

/** The fields of an action. */
export interface TidyAction {
  /** In the form of the protocol as far as they could be brought into it, without `kind`. */
  readonly fields: Fields;
  readonly changed: boolean;
  /** Why they have more than one meaning. */
  readonly unclear?: string | undefined;
}

const wrappers = ['action_input', 'parameters', 'params', 'arguments'] as const;
const toolNames = ['tool', 'tool_name', 'name'] as const;

/** The fields of an action that stand in an object of their own, beside those that do not. */
export function unwrapAction(fields: Fields, kind: AgentActionKind): TidyAction {
  // What stands beside the name of a tool is its input.
  if (kind === 'call_tool' && toolNames.some((name) => isGiven(fields[name]))) return { fields, changed: false };
  const [wrapper, other] = wrappers.filter((name) => fieldsOf(fields[name]) !== undefined);
  if (wrapper === undefined) return { fields, changed: false };
  const { [wrapper]: wrapped, ...outer } = fields;
  const inner = fieldsOf(wrapped) ?? {};
  const twice = Object.keys(inner).find((name) => isGiven(outer[name]) && !sameJson(outer[name], inner[name]));
  const unclear =
    (other === undefined ? undefined : `its fields are in “${wrapper}” and in “${other}”; write them once`) ??
    (twice === undefined ? undefined : `“${wrapper}” has another value of a field that stands beside it`);
  return { fields: { ...outer, ...inner }, changed: true, unclear };
}

type OtherNames = Readonly<Record<string, readonly string[]>>;

// What models call a field, beside its name in the protocol; taken where the field itself is missing.
const otherNames: Readonly<Partial<Record<AgentActionKind, OtherNames>>> = {
  select_skills: { skills: ['skill'] },
  load_resource: { relative_path: ['path', 'file'], section_hint: ['section'] },
  run_script: { relative_path: ['path', 'script'], args: [...wrappers, 'argv'] },
  call_tool: { tool: ['tool_name', 'name'], input: ['arguments', 'args', 'parameters', 'params', 'tool_input'] },
  ask_user: { question: ['content', 'text'] },
  final_answer: { content: ['answer', 'text'] },
};

const optionalFields = ['section_hint', 'from_line', 'reason'] as const;

/** Gives the fields of an action the names and forms of the protocol, where there is only one meaning. */
export function tidyAction(action: Fields, kind: AgentActionKind): TidyAction {
  const fields: Record<string, unknown> = { ...action };
  let changed = false;
  let unclear: string | undefined;
  for (const [name, others] of Object.entries(otherNames[kind] ?? {})) {
    const [first, ...rest] = isGiven(fields[name]) ? [] : others.filter((other) => isGiven(fields[other]));
    if (first === undefined) continue;
    const differs = rest.find((other) => !sameJson(fields[other], fields[first]));
    if (differs !== undefined) unclear ??= `its ${name} is given as “${first}” and as “${differs}”; write ${name}`;
    fields[name] = fields[first];
    changed = true;
  }
  for (const name of optionalFields) if (fields[name] === null) Reflect.deleteProperty(fields, name);
  const missing = withoutInput(fields, kind);
  if (missing !== undefined) {
    Object.assign(fields, missing);
    changed = true;
  }
  if (tidySkills(fields, kind)) changed = true;
  return { fields, changed, unclear };
}

const empty: Readonly<Partial<Record<AgentActionKind, Fields>>> = {
  run_script: { args: [] },
  call_tool: { input: {} },
};

// What may stand in an action without being meant for what it starts.
const beside: ReadonlySet<string> = new Set(
  (
    'kind type action skill relative_path path script tool tool_name name ' +
    'plan_update planUpdate plan operations goal steps assumptions constraints ' +
    'thought thoughts thinking reasoning reason rationale explanation comment'
  ).split(' '),
);

/** Nothing as what a script or a tool gets, unless there is something that may be meant for it. */
function withoutInput(fields: Fields, kind: AgentActionKind): Fields | undefined {
  const input = empty[kind];
  if (input === undefined || Object.keys(input).some((name) => fields[name] !== undefined)) return undefined;
  return Object.keys(fields).every((name) => beside.has(name) || !isGiven(fields[name])) ? input : undefined;
}

function tidySkills(fields: Record<string, unknown>, kind: AgentActionKind): boolean {
  let changed = false;
  if ('skill' in fields) {
    const skill = tidySkill(fields['skill']);
    fields['skill'] = skill.value;
    changed = skill.changed;
  }
  const { skills } = fields;
  if (kind !== 'select_skills' || skills === undefined) return changed;
  const listed = (Array.isArray(skills) ? skills : [skills]).map(tidySkill);
  fields['skills'] = listed.map(({ value }) => value);
  return changed || !Array.isArray(skills) || listed.some((skill) => skill.changed);
}

function tidySkill(skill: unknown): { readonly value: unknown; readonly changed: boolean } {
  if (typeof skill === 'string') return { value: { name: skill }, changed: true };
  const fields = fieldsOf(skill);
  if (fields?.['source'] !== null || fields === undefined) return { value: skill, changed: false };
  const { source: _, ...rest } = fields;
  return { value: rest, changed: false };
}
