import { agentActionKinds, errorCodes, type ErrorCode } from '@skillpack/core';
import * as z from 'zod/mini';

const name = z.lazy(() => z.string().check(z.minLength(1), z.maxLength(256)));

const known = (fields: z.core.$ZodIssue | z.core.$ZodRawIssue): string | undefined =>
  fields.code === 'unrecognized_keys' ? `expected no field ${fields.keys.map(String).join(', ')}` : undefined;

const pattern = z.lazy(() =>
  z.union(
    [
      z.string().check(z.minLength(1), z.maxLength(1000)),
      z.strictObject(
        {
          regex: z.string().check(z.minLength(1), z.maxLength(1000)),
          flags: z.optional(z.string().check(z.regex(/^[imsu]*$/u, { error: 'expected flags of i, m, s and u' }))),
        },
        { error: known },
      ),
    ],
    { error: 'expected words, or an object with regex and flags' },
  ),
);

const actionKind = z.lazy(() => z.enum(agentActionKinds));

const condition = z.lazy(() =>
  z.strictObject(
    {
      request: z.optional(pattern),
      observation: z.optional(pattern),
      saw: z.optional(pattern),
      system: z.optional(pattern),
      ok: z.optional(z.boolean()),
      turn: z.optional(z.int().check(z.minimum(1))),
      after: z.optional(actionKind),
      skillActive: z.optional(name),
      skillInactive: z.optional(name),
      toolOffered: z.optional(name),
      toolNotOffered: z.optional(name),
      actionOffered: z.optional(actionKind),
    },
    { error: known },
  ),
);

const codes = Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]; // it has entries, and its keys are the codes
const finishes = ['stop', 'length', 'refused', 'other'] as const;

const count = z.lazy(() => z.int().check(z.minimum(0)));

const usage = z.lazy(() =>
  z.strictObject(
    {
      inputTokens: z.optional(count),
      outputTokens: z.optional(count),
      cachedInputTokens: z.optional(count),
      cacheWriteTokens: z.optional(count),
      reasoningTokens: z.optional(count),
      cost: z.optional(z.number().check(z.minimum(0))),
    },
    { error: known },
  ),
);

function replyFields() {
  return {
    /** A decision, or the action alone. */
    decide: z.optional(z.looseObject({})),
    say: z.optional(z.string().check(z.maxLength(1024 * 1024))),
    finish: z.optional(z.enum(finishes)),
    fail: z.optional(z.enum(codes, { error: 'expected a code of an error, such as TIMEOUT' })),
    message: z.optional(z.string().check(z.maxLength(1000))),
    /** What is thought; beside decide and say. */
    reasoning: z.optional(z.string().check(z.maxLength(1024 * 1024))),
    /** What the call took, as far as it is not counted; beside decide and say. */
    usage: z.optional(usage),
  };
}

const reply = z.lazy(() => z.strictObject(replyFields(), { error: known }));

const rule = z.lazy(() =>
  z.strictObject(
    {
      name: z.optional(name),
      when: z.optional(condition),
      times: z.optional(z.int().check(z.minimum(1))),
      ...replyFields(),
    },
    { error: known },
  ),
);

/** A script in a file. Unlike in other documents unknown fields are refused: a condition with a slip would always hold. */
export const scriptSchema = z.lazy(() =>
  z.strictObject(
    {
      formatVersion: z._default(z.literal(1), 1),
      replies: z.optional(z.array(reply).check(z.minLength(1), z.maxLength(1000))),
      rules: z.optional(z.array(rule).check(z.minLength(1), z.maxLength(1000))),
    },
    { error: known },
  ),
);

/** One entry of a script in a file. */
export type WrittenReply = z.output<typeof reply>;

/** A rule of a script in a file. */
export type WrittenRule = z.output<typeof rule>;

/** A pattern of a script in a file. */
export type WrittenPattern = z.output<typeof pattern>;
