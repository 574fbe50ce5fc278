import type { AgentActionKind } from './action.js';
import { agentActionKinds } from './decision-schema.js';
import { fieldsOf, isGiven, type Fields } from './fields.js';
import { planUpdateIn } from './plan-update-in.js';
import { tidyAction, unwrapAction } from './tidy-action.js';

/** An answer in the form of the protocol, as far as it could be brought into it. */
export interface NormalisedDecision {
  readonly action: Fields | undefined;
  /** `undefined` where there is none. */
  readonly planUpdate: unknown;
  /** Whether it was written in another form. */
  readonly changed: boolean;
  /** Why it has more than one meaning, as the rest of a sentence that a model can act on. */
  readonly unclear: string | undefined;
}

/** Whether a text is the kind of an action. */
export function isActionKind(value: unknown): value is AgentActionKind {
  return agentActionKinds.some((kind) => kind === value);
}

/** Whether an object is meant to be a decision or a part of one, a good one or not. */
export function claimsDecision(fields: Fields): boolean {
  const { plan, goal, steps, kind, type, name } = fields;
  return (
    ['action', 'actions', 'decision', 'decisions', 'plan_update', 'planUpdate'].some((key) => isGiven(fields[key])) ||
    [kind, type, name, ...Object.keys(fields)].some(isActionKind) ||
    fieldsOf(plan) !== undefined ||
    (isGiven(goal) && isGiven(steps))
  );
}

/**
 * Brings the forms in which models write decisions into that of the protocol, where there is only one meaning: an
 * action without `action` around it, its kind as `type` or in the place of the action, its fields in an object of their
 * own, a skill as its name alone, a plan in the place of its update. A field that may be left out and is null counts as
 * left out. What cannot be understood stays as it is, for the schema to judge; what can be understood in two ways is
 * said to be unclear.
 */
export function normaliseDecision(answer: Fields): NormalisedDecision {
  const { decision, ...around } = answer;
  const inner = fieldsOf(decision);
  const whole = inner ?? answer;
  const outer = inner === undefined ? [] : [around];
  const claims = claimsIn(whole);
  const named = [...claims.kinds, ...outer.flatMap((holder) => claimsIn(holder).kinds)];
  const unclear = tooMany(named) ?? severalIn([whole, ...outer]);
  const { found } = claims;
  if (found === undefined) {
    const action = fieldsOf(whole['action']);
    return { action, planUpdate: undefined, changed: whole !== answer, unclear };
  }
  const unwrapped = unwrapAction(found.fields, found.kind);
  const others = claimsOf(unwrapped.fields, ['kind', 'action', 'type']).kinds.filter((kind) => kind !== found.kind);
  const tidy = tidyAction(unwrapped.fields, found.kind);
  const plan = planUpdateIn([whole, unwrapped.fields, ...outer]);
  return {
    action: { ...tidy.fields, kind: found.kind },
    planUpdate: plan.value,
    changed: whole !== answer || found.changed || unwrapped.changed || tidy.changed || plan.changed,
    unclear: unclear ?? tooMany([found.kind, ...others]) ?? unwrapped.unclear ?? tidy.unclear ?? plan.unclear,
  };
}

interface FoundAction {
  readonly kind: AgentActionKind;
  readonly fields: Fields;
  readonly changed: boolean;
}

interface Claims {
  /** Every action that is named, in whatever way. */
  readonly kinds: readonly AgentActionKind[];
  readonly found: FoundAction | undefined;
}

function claimsIn(whole: Fields): Claims {
  const action = fieldsOf(whole['action']);
  if (action === undefined) {
    const { kinds, found } = claimsOf(whole, ['kind', 'action', 'type', 'name']);
    return { kinds, found: found === undefined ? undefined : { ...found, changed: true } };
  }
  const { kinds, found } = claimsOf(action, ['kind', 'type', 'name']);
  return { kinds: [...kinds, ...claimsOf(whole, ['kind', 'type', 'name']).kinds], found };
}

function claimsOf(holder: Fields, keys: readonly string[]): Claims {
  const tagged = Object.keys(holder)
    .filter(isActionKind)
    .filter((kind) => isGiven(holder[kind]));
  const naming = keys.filter((key) => isActionKind(holder[key]));
  // The name of a tool may be that of an action.
  const tool = naming.length > 1 && naming.some((key) => key !== 'name' && holder[key] === 'call_tool');
  const telling = tool ? naming.filter((key) => key !== 'name') : naming;
  const kinds = new Set(telling.map((key) => holder[key]).filter(isActionKind));
  return { kinds: [...kinds, ...tagged], found: namedIn(holder, telling) ?? taggedIn(holder, tagged) };
}

function namedIn(holder: Fields, [key]: readonly string[]): FoundAction | undefined {
  if (key === undefined) return undefined;
  const { [key]: kind, ...fields } = holder;
  // Another word as the kind itself is not overruled.
  if (!isActionKind(kind) || isGiven(fields['kind'])) return undefined;
  return { kind, fields, changed: key !== 'kind' };
}

/** `{ "final_answer": { … } }` */
function taggedIn(holder: Fields, [kind]: readonly AgentActionKind[]): FoundAction | undefined {
  const fields = kind === undefined || isGiven(holder['kind']) ? undefined : fieldsOf(holder[kind]);
  return kind === undefined || fields === undefined ? undefined : { kind, fields, changed: true };
}

function tooMany(kinds: readonly AgentActionKind[]): string | undefined {
  return kinds.length > 1 ? `it names ${kinds.length} actions, ${kinds.join(' and ')}; one action a turn` : undefined;
}

function severalIn(holders: readonly Fields[]): string | undefined {
  const key = ['actions', 'decisions'].find((name) => holders.some((holder) => isGiven(holder[name])));
  return key === undefined ? undefined : `it has the field “${key}”; one action a turn, in the field “action”`;
}
