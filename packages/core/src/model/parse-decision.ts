import type * as z from 'zod/mini';
import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';
import { readJson } from '../json/json-document.js';
import { describeIssue, forDescription, issuePath } from '../json/schema-issue.js';
import type { AgentActionKind, Decision } from './action.js';
import { actionForm } from './action-form.js';
import { actionSchemas } from './action-schema.js';
import { agentActionKinds } from './decision-schema.js';
import { findDuplicateKey } from './duplicate-key.js';
import { fieldsOf } from './fields.js';
import { findJsonValues } from './find-json-values.js';
import { mendJson } from './mend-json.js';
import { claimsDecision, isActionKind, normaliseDecision, type NormalisedDecision } from './normalise-decision.js';
import { planUpdateSchema } from './plan-schema.js';
import { withoutThoughts } from './skip-thoughts.js';
import { wellFormed } from './well-formed.js';

/** What the answer of a model comes to. */
export type DecisionReading =
  | {
      readonly kind: 'decision';
      readonly decision: Decision;
      /** Whether it had to be found in other text, mended, or brought into the form of the protocol. */
      readonly repaired: boolean;
    }
  | {
      readonly kind: 'rejected';
      /** What was expected and what came, for the model to act on. Cleaned, and at most 2,000 characters. */
      readonly message: string;
    };

/** UTF-16 code units of an answer; what is longer is not looked at. */
export const maxAnswerLength: number = 1024 * 1024;

/**
 * Reads the answer of a model as a decision with one of these actions. An answer that is JSON is held to the schema;
 * else the one decision that stands in it is taken, in a fenced block or among prose, when there is only one and nothing
 * beside it may be another. What stands within something else never counts, so that an answer which was cut off is no
 * decision unless the whole of one stands before the cut. It runs nothing, drops fields that it does not know, and never
 * throws.
 */
export function parseDecision(text: string, actions: readonly AgentActionKind[]): DecisionReading {
  if (text.length > maxAnswerLength) {
    return rejected(`The answer has ${text.length} characters; at most ${maxAnswerLength} are read.`);
  }
  const whole = readAnswer(text);
  if (whole.kind === 'refused') return rejected(whole.message);
  if (whole.kind === 'value') {
    const unpacked = unpack(whole.value);
    return judge(unpacked.value, actions, text.startsWith('\uFEFF') || unpacked.changed);
  }
  return extract(text, actions, whole.message);
}

type Answer =
  | { readonly kind: 'value'; readonly value: unknown }
  /** It is JSON that means two things. */
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'no-json'; readonly message: string };

function readAnswer(text: string): Answer {
  try {
    const value = readJson(text, { what: 'The answer', code: 'INVALID_ACTION', maxLength: maxAnswerLength });
    const twice = findDuplicateKey(text);
    if (twice === undefined) return { kind: 'value', value: wellFormed(value) };
    return {
      kind: 'refused',
      message: `The answer has the field ${quoted(twice, 60)} twice in one object. Write it once.`,
    };
  } catch (error) {
    if (!SkillsError.is(error, 'INVALID_ACTION')) throw error;
    return { kind: 'no-json', message: error.message };
  }
}

/** A list of one, or JSON that was written into a text, once. */
function unpack(value: unknown): { readonly value: unknown; readonly changed: boolean } {
  if (Array.isArray(value) && value.length === 1) return { value: value[0], changed: true };
  if (typeof value !== 'string' || !value.trimStart().startsWith('{')) return { value, changed: false };
  const inner = readAnswer(value);
  return inner.kind === 'value' ? { value: inner.value, changed: true } : { value, changed: false };
}

function extract(text: string, actions: readonly AgentActionKind[], problem: string): DecisionReading {
  const answer = withoutThoughts(text);
  if (answer === undefined) return rejected(`${problem} Its thoughts do not end; ${cutOff}`);
  const found = findJsonValues(answer);
  if (found.end === 'open') return rejected(`${problem} It ends before a bracket in it is closed; ${cutOff}`);
  if (found.end === 'too-many') {
    return rejected(`The answer holds more than ${found.texts.length} objects. Answer with one and nothing else.`);
  }
  const decisions = new Map<string, DecisionReading>();
  let other: DecisionReading | undefined;
  let unreadable: string | undefined;
  for (const piece of found.texts) {
    const held = readMended(piece);
    if (held.kind === 'refused') return rejected(held.message);
    if (held.kind === 'no-json') {
      if (mentionsDecision(piece)) unreadable ??= held.message;
      continue;
    }
    const { value } = unpack(held.value);
    const reading = judge(value, actions, true);
    if (claims(value)) decisions.set(JSON.stringify(reading.kind === 'decision' ? reading.decision : value), reading);
    else other ??= reading;
  }
  if (decisions.size + (unreadable === undefined ? 0 : 1) > 1) return rejected(severalDecisions(unreadable));
  const only = `Answer with one JSON object and nothing else: ${form(actions)}`;
  if (unreadable !== undefined) return rejected(`${unreadable} ${only}`);
  const [decision] = decisions.values();
  return decision ?? other ?? rejected(`${problem} ${only}`);
}

const cutOff = 'it may have been cut off. Answer again, shorter, with one JSON object and nothing else.';

function severalDecisions(unreadable: string | undefined): string {
  const which = unreadable === undefined ? '' : `, and of one that cannot be read it is said: ${unreadable}`;
  return `The answer holds several decisions that differ${which}; one action a turn. Answer with one of them.`;
}

function readMended(piece: string): Answer {
  const plain = readAnswer(piece);
  if (plain.kind !== 'no-json') return plain;
  const mended = readAnswer(mendJson(piece));
  return mended.kind === 'no-json' ? plain : mended;
}

/** Whether a value is meant to be a decision, or a list in which something is. */
function claims(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(claims);
  const fields = fieldsOf(value);
  return fields !== undefined && claimsDecision(fields);
}

/** Whether what is no JSON may have been meant as a decision. */
function mentionsDecision(text: string): boolean {
  return (
    /\b(?:action|decision|plan_?update)s?["']?\s*:/iu.test(text) || agentActionKinds.some((kind) => text.includes(kind))
  );
}

function judge(value: unknown, actions: readonly AgentActionKind[], extracted: boolean): DecisionReading {
  const fields = fieldsOf(value);
  if (fields === undefined) {
    const what = Array.isArray(value) ? `a list of ${value.length} items; one action a turn` : 'no object';
    return rejected(`The answer is ${what}. Answer with one JSON object: ${form(actions)}`);
  }
  const normalised = normaliseDecision(fields);
  if (normalised.unclear !== undefined) {
    return rejected(`The decision is not clear: ${normalised.unclear}. Its form is ${form(actions)}`);
  }
  const kind = normalised.action?.['kind'];
  if (!isActionKind(kind)) return rejected(noKind(kind, actions));
  if (!actions.includes(kind))
    return rejected(`action.kind is “${kind}”, which is not offered now. ${offered(actions)}`);
  return check(normalised, kind, extracted);
}

function check(
  { action, planUpdate, changed }: NormalisedDecision,
  kind: AgentActionKind,
  extracted: boolean,
): DecisionReading {
  const issues: string[] = [];
  const acted = read(actionSchemas()[kind], action, { at: 'action', issues });
  const update =
    planUpdate === undefined ? undefined : read(planUpdateSchema, planUpdate, { at: 'plan_update', issues });
  if (kind === 'update_plan' && planUpdate === undefined)
    issues.push('plan_update: expected an object, which is missing');
  if (acted === undefined || issues.length > 0) {
    return rejected(`The decision is not valid. ${issues.slice(0, 5).join('; ')}. Its form is ${actionForm(kind)}`);
  }
  const decision: Decision = { action: acted, ...(update === undefined ? {} : { plan_update: update }) };
  return { kind: 'decision', decision, repaired: extracted || changed };
}

function read<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
  { at, issues }: { readonly at: string; readonly issues: string[] },
): z.output<Schema> | undefined {
  const result = schema.safeParse(value, forDescription);
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    const path = issuePath(issue);
    issues.push(`${path === '' ? at : `${at}.${path}`}: ${describeIssue(issue)}`);
  }
  return undefined;
}

function noKind(kind: unknown, actions: readonly AgentActionKind[]): string {
  if (typeof kind !== 'string')
    return `The answer has no action.kind. ${offered(actions)} For example: ${form(actions)}`;
  const tool = actions.includes('call_tool') ? ` A tool is called so: ${actionForm('call_tool')}` : '';
  return `action.kind is ${quoted(kind, 60)}, which is no action. ${offered(actions)}${tool}`;
}

function offered(actions: readonly AgentActionKind[]): string {
  return `Choose one of ${agentActionKinds.filter((kind) => actions.includes(kind)).join(', ')}.`;
}

function form(actions: readonly AgentActionKind[]): string {
  return actionForm(actions.includes('final_answer') ? 'final_answer' : (actions[0] ?? 'final_answer'));
}

function rejected(message: string): DecisionReading {
  // The error cleans what it is made of.
  return { kind: 'rejected', message: new SkillsError('INVALID_ACTION', message.slice(0, 2000)).message };
}
