import * as z from 'zod/mini';
import { digestSchema } from '../../digest/digest-schema.js';
import { formatVersion } from '../../json/json-document.js';
import { skillScopes } from '../../registry/layer-skills.js';
import { anyObjectSchema, recordedActionSchema, recordedPlanSchema } from './recorded-action-schema.js';
import {
  activationSchema,
  approvalDecisionSchema,
  approvalRequestSchema,
  budgetSchema,
  countSchema,
  errorSchema,
  indexSchema,
  keptSchema,
  lostSchema,
  stopSchema,
  usageSchema,
} from './recorded-part-schema.js';

/** `2026-11-22T08:00:00.000Z`, as JavaScript writes a time. */
const timePattern = /^(?:\d{4}|\+\d{6})-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u;

const place = () => ({
  seq: z.int().check(z.minimum(1)),
  run: z.string().check(z.minLength(1), z.maxLength(300)),
  at: z.string().check(z.regex(timePattern, { error: 'expected a time in UTC (2026-11-22T08:00:00.000Z)' })),
  prev: digestSchema,
  hash: digestSchema,
});

/** One line of `events.jsonl`. Unknown fields are dropped; the hash counts them. */
export const runEventSchema = z.lazy(() =>
  z.discriminatedUnion('type', [
    ...runEvents(place()),
    ...turnEvents(place()),
    ...skillEvents(place()),
    ...actionEvents(place()),
  ]),
);

type Place = ReturnType<typeof place>;

const terms = () => ({
  model: z.string(),
  contextTokens: countSchema,
  tools: z.array(z.string()),
  limits: budgetSchema,
  system: keptSchema,
  options: z.object({
    setup: z.optional(keptSchema),
    redacted: z.optional(z.union([z.boolean(), z.literal('by-shape')])),
    project: z.optional(z.string()),
  }),
});

function runEvents(at: Place) {
  return [
    z.object({
      type: z.literal('run_started'),
      ...at,
      formatVersion: z.literal(formatVersion),
      index: indexSchema,
      ...terms(),
      parent: z.optional(z.object({ run: z.string(), action: z.string() })),
    }),
    z.object({
      type: z.literal('run_resumed'),
      ...at,
      after: countSchema,
      uncertain: z.optional(z.object({ id: z.string(), action: recordedActionSchema })),
      lost: z.optional(lostSchema),
      with: z.optional(z.object(terms())),
    }),
    z.object({ type: z.literal('index_changed'), ...at, index: indexSchema }),
    z.object({ type: z.literal('run_finished'), ...at }),
  ] as const;
}

function turnEvents(at: Place) {
  return [
    z.object({
      type: z.literal('request_received'),
      ...at,
      request: z.object({
        text: z.string(),
        skill: z.optional(z.string()),
        source: z.optional(z.enum(skillScopes)),
      }),
    }),
    z.object({ type: z.literal('turn_started'), ...at, turn: countSchema }),
    z.object({
      type: z.literal('model_requested'),
      ...at,
      digest: digestSchema,
      tokens: z.number(),
      tools: z.array(z.string()),
      catalogue: z.object({ full: countSchema, short: countSchema, named: countSchema, hidden: countSchema }),
    }),
    z.object({
      type: z.literal('model_answered'),
      ...at,
      text: z.string(),
      reasoning: z.optional(z.string()),
      usage: usageSchema,
      finish: z.enum(['stop', 'length', 'refused', 'other']),
    }),
    z.object({ type: z.literal('model_failed'), ...at, error: errorSchema }),
    z.object({ type: z.literal('decision_rejected'), ...at, error: errorSchema }),
    z.object({
      type: z.literal('plan_updated'),
      ...at,
      plan: recordedPlanSchema,
      how: z.enum(['replace', 'patch']),
    }),
    z.object({
      type: z.literal('context_compacted'),
      ...at,
      through: countSchema,
      before: z.number(),
      after: z.number(),
    }),
    z.object({ type: z.literal('turn_finished'), ...at, turn: countSchema, spent: budgetSchema }),
    z.object({
      type: z.literal('request_answered'),
      ...at,
      stop: stopSchema,
      degraded: z.boolean(),
      answer: z.string(),
    }),
  ] as const;
}

function skillEvents(at: Place) {
  return [
    z
      .object({
        type: z.literal('skill_read'),
        ...at,
        location: z.string(),
        path: z.string(),
        kept: z.optional(keptSchema),
        error: z.optional(errorSchema),
      })
      .check(
        z.refine(({ kept, error }) => (kept === undefined) !== (error === undefined), {
          error: 'expected either what was kept or an error',
        }),
      ),
    z
      .object({
        type: z.literal('skill_measured'),
        ...at,
        location: z.string(),
        digest: z.optional(digestSchema),
        kept: z.optional(keptSchema),
        error: z.optional(errorSchema),
      })
      .check(
        z.refine(
          ({ digest, kept, error }) =>
            (digest === undefined) === (kept === undefined) && (kept === undefined) !== (error === undefined),
          { error: 'expected either a digest and what was kept, or an error' },
        ),
      ),
    z.object({ type: z.literal('skill_activated'), ...at, activation: activationSchema }),
    z.object({
      type: z.literal('skill_disabled'),
      ...at,
      name: z.string(),
      reason: z.optional(z.string()),
      by: z.optional(z.enum(['model', 'user'])),
    }),
    z.object({
      type: z.literal('skill_enabled'),
      ...at,
      name: z.string(),
      by: z.optional(z.enum(['model', 'user'])),
    }),
  ] as const;
}

function actionEvents(at: Place) {
  return [
    z.object({ type: z.literal('action_started'), ...at, id: z.string(), action: recordedActionSchema }),
    z
      .object({
        type: z.literal('tool_judged'),
        ...at,
        id: z.string(),
        verdict: z.enum(['allow', 'refuse']),
        by: z.enum(['configuration', 'run', 'skill', 'grant']),
        rule: z.optional(z.string()),
        skill: z.optional(z.object({ name: z.string(), location: z.string() })),
      })
      .check(
        z.refine(({ verdict, by }) => by !== (verdict === 'allow' ? 'run' : 'grant'), {
          error: 'expected nothing that a run allows, and nothing that a grant refuses',
        }),
      ),
    z.object({ type: z.literal('approval_requested'), ...at, request: approvalRequestSchema }),
    z.object({ type: z.literal('approval_decided'), ...at, id: z.string(), decision: approvalDecisionSchema }),
    z.object({
      type: z.literal('subagent_started'),
      ...at,
      action: z.string(),
      child: z.string(),
      skill: z.string(),
    }),
    z.object({
      type: z.literal('subagent_finished'),
      ...at,
      action: z.string(),
      child: z.string(),
      stop: stopSchema,
      spent: budgetSchema,
    }),
    z.object({
      type: z.literal('observation_recorded'),
      ...at,
      id: z.string(),
      ok: z.boolean(),
      content: z.string(),
      contentForUser: z.optional(z.string()),
      output: anyObjectSchema,
      error: z.optional(errorSchema),
      kept: z.array(z.object({ digest: digestSchema, size: countSchema, name: z.string() })),
      duration: z.number().check(z.minimum(0)),
    }),
  ] as const;
}
