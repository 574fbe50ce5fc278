import * as z from 'zod/mini';
import { toJSONSchema } from 'zod/v4/core';
import type { JsonObject } from '../json/json-value.js';
import type { AgentActionKind } from './action.js';
import { actionSchemas } from './action-schema.js';
import { planUpdateSchema } from './plan-schema.js';

/** Every kind of action, in the order in which they are told to a model. */
export const agentActionKinds = [
  'select_skills',
  'load_resource',
  'run_script',
  'call_tool',
  'search_skills',
  'disable_skill',
  'enable_skill',
  'update_plan',
  'ask_user',
  'final_answer',
] as const satisfies readonly AgentActionKind[];

/** The schema of a decision with any action. */
export const anyDecisionSchema = z.lazy(() => {
  const of = actionSchemas();
  return z.object({
    action: z.discriminatedUnion('kind', [
      of.select_skills,
      of.load_resource,
      of.run_script,
      of.call_tool,
      of.search_skills,
      of.disable_skill,
      of.enable_skill,
      of.update_plan,
      of.ask_user,
      of.final_answer,
    ]),
    plan_update: z.optional(planUpdateSchema),
  });
});

const made = new Map<string, JsonObject>();

/**
 * JSON Schema (draft 2020-12) of a decision with one of these actions, as a model is given it: no references, `anyOf`
 * objects whose `kind` is constant, each with all that it requires and nothing else. Limits of length are not in it:
 * few providers take them, and `parseDecision` holds to them anyway. The same actions give the same object.
 */
export function decisionSchema(actions: readonly AgentActionKind[]): JsonObject {
  const kinds = agentActionKinds.filter((kind) => actions.includes(kind));
  const key = kinds.join(' ');
  let schema = made.get(key);
  if (schema === undefined) {
    schema = schemaOf(kinds);
    made.set(key, schema);
  }
  return schema;
}

function schemaOf(kinds: readonly AgentActionKind[]): JsonObject {
  const schemas = actionSchemas();
  const decision = z.object({
    action: z.union(kinds.map((kind) => schemas[kind])),
    plan_update: z.optional(planUpdateSchema),
  });
  const { $schema: _, ...schema } = toJSONSchema(decision, {
    reused: 'inline',
    override: ({ jsonSchema }) => {
      for (const limit of limits) Reflect.deleteProperty(jsonSchema, limit);
      if (jsonSchema.oneOf === undefined) return;
      jsonSchema.anyOf = jsonSchema.oneOf;
      Reflect.deleteProperty(jsonSchema, 'oneOf');
    },
  });
  // Cast: a JSON Schema is JSON.
  return schema as unknown as JsonObject;
}

const limits = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum'] as const;
