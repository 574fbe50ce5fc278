import * as z from 'zod/mini';
import { digestSchema } from '../../digest/digest-schema.js';
import { formatVersion, readDocument } from '../../json/json-document.js';
import { skillScopes } from '../../registry/layer-skills.js';
import { recordedPlanSchema } from './recorded-action-schema.js';
import {
  approvalDecisionSchema,
  totalsSchema,
  countSchema,
  errorCodeSchema,
  errorSchema,
  limitsSchema,
  stopSchema,
} from './recorded-part-schema.js';
import { recordLimits } from './record-limits.js';
import type { RunSummary } from './summarise-run.js';

/** `run.json`. */
export const runSummarySchema = z.lazy(() =>
  z.object({
    formatVersion: z.literal(formatVersion),
    id: z.string(),
    status: z.enum(['open', 'working', 'finished']),
    model: z.string(),
    project: z.optional(z.string()),
    started: z.string(),
    ended: z.string(),
    events: countSchema,
    hash: digestSchema,
    indexHash: z.optional(digestSchema),
    requests: z.array(
      z.object({
        text: z.string(),
        skill: z.optional(z.string()),
        answer: z.optional(
          z.object({ text: z.string(), stop: stopSchema, degraded: z.boolean(), error: z.optional(errorSchema) }),
        ),
      }),
    ),
    ...listSchemas(),
    plan: z.optional(recordedPlanSchema),
    limits: limitsSchema,
    spent: totalsSchema,
    usage: z.object({
      answers: countSchema,
      failures: countSchema,
      rejected: countSchema,
      inputTokens: z.number(),
      outputTokens: z.number(),
      cachedInputTokens: z.number(),
      cacheWriteTokens: z.optional(z.number()),
      reasoningTokens: z.optional(z.number()),
      cost: z.optional(z.number()),
    }),
    errors: z.array(z.object({ code: errorCodeSchema, count: countSchema })),
    resumed: countSchema,
  }),
);

function listSchemas() {
  const run = z.string();
  const name = z.string();
  return {
    skills: z.array(
      z.object({
        run,
        name,
        scope: z.enum(skillScopes),
        location: z.string(),
        pack: z.optional(z.string()),
        digest: digestSchema,
        by: z.enum(['model', 'user', 'preload']),
        reason: z.string(),
      }),
    ),
    resources: z.array(
      z.object({
        location: z.string(),
        path: z.string(),
        digest: z.optional(digestSchema),
        size: z.optional(countSchema),
        error: z.optional(errorSchema),
      }),
    ),
    tools: z.array(z.object({ name, calls: countSchema, failed: countSchema })),
    scripts: z.array(
      z.object({
        run,
        id: z.string(),
        skill: z.string(),
        path: z.string(),
        args: z.array(z.string()),
        exitCode: z.optional(z.number()),
        error: z.optional(errorSchema),
        duration: z.optional(z.number()),
        kept: z.array(z.object({ digest: digestSchema, size: countSchema, name })),
      }),
    ),
    approvals: z.array(
      z.object({
        run,
        id: z.string(),
        tool: z.string(),
        risk: z.enum(['low', 'medium', 'high']),
        summary: z.string(),
        decision: z.optional(approvalDecisionSchema),
      }),
    ),
  };
}

/** Reads a run.json. What it says was made from events, and only they can prove it. @throws `INVALID_RECORD`, `UNSUPPORTED_FORMAT`. */
export function parseRunSummary(text: string, what: string): RunSummary {
  const options = { what, code: 'INVALID_RECORD', maxLength: recordLimits.summary } as const;
  // The type that is read has fields that may be missing where the other one has them as `undefined`.
  return readDocument(text, runSummarySchema, options) as RunSummary;
}
