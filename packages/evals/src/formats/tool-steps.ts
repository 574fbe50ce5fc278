import { agentActionKinds, type AgentActionKind, type JsonObject, type JsonValue } from '@skillpack/core';
import type { ActionRule, StepPattern } from '../case/expectations.js';
import { isObject } from './foreign-value.js';

/** A step that calls a tool by its name elsewhere, which may hold `*`; what an agent does here without a tool is that. */
export function toolStep(name: string): StepPattern {
  const action = agentActionKinds.find((kind: AgentActionKind) => kind === name && kind !== 'call_tool');
  return action === undefined ? { action: 'call_tool', tool: name } : { action };
}

/** That these calls are made in this order, and no others: other actions, as choosing a skill, may stand between them. */
export function exactCalls(steps: readonly StepPattern[]): readonly ActionRule[] {
  if (steps.length === 0) return [{ kind: 'forbidden', step: { action: 'call_tool' } }];
  const kinds = Map.groupBy(steps, ({ action }) => action);
  const most = [...kinds].map(([action, same]): ActionRule => ({
    kind: 'at_most',
    step: { action },
    most: same.length,
  }));
  return [{ kind: 'sequence', mode: 'in_order', steps }, ...most];
}

/** The texts of an input as patterns that mean themselves, and whether each of them does no more than that. */
export function literalInput(input: JsonObject): { readonly input: JsonObject; readonly exact: boolean } {
  let exact = true;
  const literal = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') {
      const variable = /^\$[A-Za-z_]\w*$/u.test(value);
      if (variable || value.includes('*')) exact = false;
      return variable ? `${value}*` : value;
    }
    if (Array.isArray(value)) return value.map((item: JsonValue) => literal(item));
    return isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, literal(inner)]))
      : value;
  };
  const made = literal(input);
  return { input: isObject(made) ? made : {}, exact };
}
