import * as z from 'zod/mini';
import type { JsonObject } from '../../json/json-value.js';
import { skillScopes } from '../../registry/layer-skills.js';

/** Any object of JSON: what a document holds was parsed from JSON. */
export const anyObjectSchema = z.lazy(() => z.looseObject({}) as unknown as z.ZodMiniType<JsonObject, JsonObject>);

const skill = z.lazy(() => z.object({ name: z.string(), source: z.optional(z.enum(skillScopes)) }));

// Not the schema that answers of models are held to: what is recorded was judged by that one, and then redacted, which
// may have made a text longer than it allows. The limits here are those of the line.
/** An action, as a record holds it. */
export const recordedActionSchema = z.lazy(() => {
  const relative_path = z.string();
  return z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('select_skills'), skills: z.array(skill), reason: z.string() }),
    z.object({
      kind: z.literal('load_resource'),
      skill,
      relative_path,
      section_hint: z.optional(z.string()),
      from_line: z.optional(z.number()),
    }),
    z.object({ kind: z.literal('run_script'), skill, relative_path, args: z.array(z.string()) }),
    z.object({ kind: z.literal('call_tool'), tool: z.string(), input: anyObjectSchema }),
    z.object({ kind: z.literal('search_skills'), query: z.string() }),
    z.object({ kind: z.literal('disable_skill'), skill, reason: z.optional(z.string()) }),
    z.object({ kind: z.literal('enable_skill'), skill }),
    z.object({ kind: z.literal('update_plan') }),
    z.object({ kind: z.literal('ask_user'), question: z.string() }),
    z.object({ kind: z.literal('final_answer'), content: z.string() }),
  ]);
});

/** A plan, as a record holds it. */
export const recordedPlanSchema = z.lazy(() =>
  z.object({
    goal: z.string(),
    steps: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        status: z.enum(['pending', 'in_progress', 'completed']),
      }),
    ),
    assumptions: z.array(z.string()),
    constraints: anyObjectSchema,
  }),
);
