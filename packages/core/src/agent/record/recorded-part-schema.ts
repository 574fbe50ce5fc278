import * as z from 'zod/mini';
import { digestSchema } from '../../digest/digest-schema.js';
import { errorCodes, type ErrorCode } from '../../errors/codes.js';
import { skillScopes } from '../../registry/layer-skills.js';

/** How many of something there are. */
export const countSchema = z.lazy(() => z.int().check(z.minimum(0)));

const amount = z.lazy(() => z.number().check(z.minimum(0)));

/** Something that is kept beside the events. */
export const keptSchema = z.lazy(() => z.object({ digest: digestSchema, size: countSchema }));

/** An index of skills at one moment. */
export const indexSchema = z.lazy(() => z.object({ hash: digestSchema, skills: countSchema, kept: keptSchema }));

// The keys of the table are its codes.
export const errorCodeSchema = z.lazy(() => z.enum(Object.keys(errorCodes) as ErrorCode[]));

/** An error. */
export const errorSchema = z.lazy(() =>
  z.object({
    code: errorCodeSchema,
    message: z.string(),
    hint: z.optional(z.string()),
    retryAfter: z.optional(countSchema),
  }),
);

/** What a request may take, or has taken. */
export const budgetSchema = z.lazy(() => z.object(budgetFields()));

/** What all requests of a run have taken. */
export const totalsSchema = z.lazy(() => z.object({ ...budgetFields(), cost: z.optional(amount) }));

/** What a request had taken when it was cut off. */
export const lostSchema = z.lazy(() =>
  z.pick(z.object(budgetFields()), { turns: true, toolCalls: true, scripts: true, tokens: true, cost: true }),
);

/** What a request may take, where a limit that is none is absent. */
export const limitsSchema = z.lazy(() => z.partial(z.object(budgetFields())));

const budgetFields = () => ({
  turns: amount,
  toolCalls: amount,
  scripts: amount,
  tokens: amount,
  cost: amount,
  wallTime: amount,
  consecutiveFailures: amount,
});

/** What a model call took. */
export const usageSchema = z.lazy(() =>
  z.object({
    inputTokens: amount,
    outputTokens: amount,
    cachedInputTokens: z.optional(amount),
    cacheWriteTokens: z.optional(amount),
    reasoningTokens: z.optional(amount),
    cost: z.optional(amount),
  }),
);

/** Why a request ended. */
export const stopSchema = z.lazy(() =>
  z.enum([
    'final_answer',
    'question',
    'max_turns',
    'max_tool_calls',
    'max_scripts',
    'max_tokens',
    'max_cost',
    'max_wall_time',
    'max_consecutive_failures',
    'approval_required',
    'model_failed',
    'cancelled',
  ]),
);

/** A line of the ledger. */
export const activationSchema = z.lazy(() =>
  z.object({
    name: z.string(),
    scope: z.enum(skillScopes),
    location: z.string(),
    pack: z.optional(z.string()),
    digest: digestSchema,
    by: z.enum(['model', 'user', 'preload']),
    reason: z.string(),
    turn: countSchema,
    tools: z.array(z.string()),
    unknownTools: z.array(z.string()),
    allowedTools: z.optional(z.array(z.string())),
    lines: z.object({ total: countSchema, shown: countSchema }),
    runMode: z.enum(['inline', 'subagent']),
  }),
);

/** What a person was asked. */
export const approvalRequestSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    tool: z.string(),
    risk: z.enum(['low', 'medium', 'high']),
    skill: z.optional(z.object({ name: z.string(), location: z.string() })),
    summary: z.string(),
    input: z.unknown(),
    digest: z.optional(digestSchema),
    changes: z.optional(
      z.object({
        added: z.array(z.string()),
        removed: z.array(z.string()),
        changed: z.array(z.string()),
        more: z.optional(countSchema),
      }),
    ),
    confinement: z.optional(z.string()),
    covers: z.optional(z.enum(['tool', 'input'])),
  }),
);

/** What they answered. */
export const approvalDecisionSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('approved'), scope: z.enum(['once', 'run', 'session']), by: z.string() }),
    z.object({ kind: z.literal('denied'), reason: z.string(), by: z.string() }),
    z.object({
      kind: z.literal('unavailable'),
      reason: z.string(),
      code: z.optional(z.enum(['INTERRUPTED', 'TIMEOUT'])),
      failed: z.optional(z.boolean()),
    }),
  ]),
);
