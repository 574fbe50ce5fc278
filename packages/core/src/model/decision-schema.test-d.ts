import type * as z from 'zod/mini';
import type { AgentAction, AgentActionKind, Decision } from './action.js';
import type { actionSchemas } from './action-schema.js';
import type { agentActionKinds, anyDecisionSchema } from './decision-schema.js';
import type { Plan, PlanUpdate } from './plan.js';
import type { planSchema, planUpdateSchema } from './plan-schema.js';

type Frozen<Value> = Value extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
    : Value;

// With every field required, so that one that may be left out cannot be missing on one side.
type Full<Value> = Value extends readonly (infer Item)[]
  ? readonly Full<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]-?: Full<Value[Key]> }
    : Value;

type Mutual<Left, Right> = [Left] extends [Right] ? ([Right] extends [Left] ? true : false) : false;
type Same<Left, Right> = Mutual<Frozen<Left>, Right> & Mutual<Full<Left>, Full<Right>>;

type Schemas = ReturnType<typeof actionSchemas>;

// Compiled with everything else: what a schema accepts and what the protocol's types say are one.
export const proofs: readonly [
  Same<z.output<typeof anyDecisionSchema>, Decision>,
  Same<z.output<typeof planSchema>, Plan>,
  Same<z.output<typeof planUpdateSchema>, PlanUpdate>,
  Mutual<(typeof agentActionKinds)[number], AgentActionKind>,
  Same<z.output<Schemas[AgentActionKind]>, AgentAction>,
] = [true, true, true, true, true];
