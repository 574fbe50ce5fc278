import * as z from 'zod/mini';
import { skillScopes } from '../registry/layer-skills.js';
import type { AgentActionKind } from './action.js';
import { jsonObjectSchema } from './json-object-schema.js';

const text = (max: number) => z.string().check(z.maxLength(max));
const name = (max: number) => z.string().check(z.minLength(1), z.maxLength(max));

function actionSchemasOf() {
  const skill = z.object({ name: name(256), source: z.optional(z.enum(skillScopes)) });
  const path = name(1024);
  const reason = text(2000);
  return {
    select_skills: z.object({
      kind: z.literal('select_skills'),
      skills: z.array(skill).check(z.minLength(1), z.maxLength(20)),
      reason,
    }),
    load_resource: z.object({
      kind: z.literal('load_resource'),
      skill,
      relative_path: path,
      section_hint: z.optional(name(500)),
      from_line: z.optional(z.int().check(z.minimum(1))),
    }),
    run_script: z.object({
      kind: z.literal('run_script'),
      skill,
      relative_path: path,
      args: z.array(text(32_768)).check(z.maxLength(256)),
    }),
    call_tool: z.object({
      kind: z.literal('call_tool'),
      tool: name(64),
      input: jsonObjectSchema({ depth: 20, values: 10_000, length: 512 * 1024 }),
    }),
    search_skills: z.object({ kind: z.literal('search_skills'), query: name(1000) }),
    disable_skill: z.object({ kind: z.literal('disable_skill'), skill, reason: z.optional(reason) }),
    enable_skill: z.object({ kind: z.literal('enable_skill'), skill }),
    update_plan: z.object({ kind: z.literal('update_plan') }),
    ask_user: z.object({ kind: z.literal('ask_user'), question: name(10_000) }),
    final_answer: z.object({ kind: z.literal('final_answer'), content: text(512 * 1024) }),
  } as const satisfies Record<AgentActionKind, z.ZodMiniType>;
}

let made: ReturnType<typeof actionSchemasOf> | undefined;

/** The schema of each action, by its kind. Unknown fields are dropped. Made when first asked for. */
export function actionSchemas(): ReturnType<typeof actionSchemasOf> {
  made ??= actionSchemasOf();
  return made;
}
