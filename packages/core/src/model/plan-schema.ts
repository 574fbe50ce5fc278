import * as z from 'zod/mini';
import { jsonObjectSchema } from './json-object-schema.js';

/** How many steps a plan may have. */
export const maxPlanSteps = 50;

/** How many operations a patch may have. */
const maxOperations = 100;

const text = (max: number) => z.string().check(z.maxLength(max));
const name = (max: number) => z.string().check(z.minLength(1), z.maxLength(max));

const stepId = z.lazy(() => name(64));
const title = z.lazy(() => name(500));
const goal = z.lazy(() => text(4000));
const status = z.lazy(() => z.enum(['pending', 'in_progress', 'completed']));
const assumptions = z.lazy(() => z.array(text(1000)).check(z.maxLength(50)));
const constraints = z.lazy(() => jsonObjectSchema({ depth: 8, values: 200, length: 16_000 }));
const step = z.lazy(() => z.object({ id: stepId, title, status }));
const after = z.lazy(() => z.optional(z.nullable(name(64))));

/** A whole plan. Unknown fields are dropped, here and below. */
export const planSchema = z.lazy(() =>
  z.object({ goal, steps: z.array(step).check(z.maxLength(maxPlanSteps)), assumptions, constraints }),
);

const operationSchema = z.lazy(() =>
  z.discriminatedUnion('op', [
    z.object({ op: z.literal('add_step'), step, after }),
    z.object({ op: z.literal('remove_step'), id: stepId }),
    z.object({ op: z.literal('move_step'), id: stepId, after }),
    z.object({ op: z.literal('set_status'), id: stepId, status }),
    z.object({ op: z.literal('set_title'), id: stepId, title }),
    z.object({ op: z.literal('set_goal'), goal }),
    z.object({ op: z.literal('set_assumptions'), assumptions }),
    z.object({ op: z.literal('set_constraints'), constraints }),
  ]),
);

/** What a decision may do to the plan. */
export const planUpdateSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('replace'), plan: planSchema }),
    z.object({
      kind: z.literal('patch'),
      operations: z.array(operationSchema).check(z.minLength(1), z.maxLength(maxOperations)),
    }),
  ]),
);
