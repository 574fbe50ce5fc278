import { errorCodes, type ErrorCode } from '@skillpack/core';
import * as z from 'zod/mini';
import { jobFields } from '../plan/job-schema.js';

const count = z.lazy(() => z.number().check(z.minimum(0)));
const texts = z.lazy(() => z.array(z.string()));
const cost = z.lazy(() => z.optional(count));

const check = z.lazy(() =>
  z.object({
    kind: z.enum(['skills', 'actions', 'output', 'disclosure', 'approvals', 'limits', 'rubric']),
    text: z.string(),
    verdict: z.enum(['passed', 'failed', 'not_judged']),
    evidence: z.string(),
    seq: z.optional(count),
  }),
);

const step = z.lazy(() =>
  z.object({
    seq: count,
    kind: z.enum(['request', 'model', 'action', 'approval', 'skill', 'answer', 'problem']),
    label: z.string(),
    start: z.number(),
    duration: count,
    ok: z.optional(z.boolean()),
    detail: z.optional(z.string()),
    tokens: z.optional(z.readonly(z.tuple([count, count]))),
    cost,
  }),
);

const judge = z.lazy(() => z.object({ calls: count, inputTokens: count, outputTokens: count, cost }));

const codes = new Set<string>([...Object.keys(errorCodes), 'INCONCLUSIVE']);

const reason = z.lazy(() =>
  z.object({
    code: z.pipe(
      z.string().check(z.refine((code) => codes.has(code), { error: 'expected a code of an error' })),
      // It was looked up in the line above.
      z.transform((code: string): ErrorCode | 'INCONCLUSIVE' => code as ErrorCode | 'INCONCLUSIVE'),
    ),
    message: z.string(),
  }),
);

/** A line of results. Fields that it does not know are left out. */
export const resultSchema = z.lazy(() =>
  z
    .object({
      formatVersion: z.literal(1),
      ...jobFields,
      kind: z.enum(['trigger', 'task']),
      tags: texts,
      input: z.string(),
      outcome: z.enum(['passed', 'failed', 'inconclusive', 'error', 'stopped']),
      fired: texts,
      wanted: z.optional(z.object({ skills: texts, all: z.boolean(), not: texts })),
      checks: z.array(check),
      answer: z.string(),
      steps: z.array(step),
      spent: z.object({
        turns: count,
        toolCalls: count,
        scripts: count,
        inputTokens: count,
        outputTokens: count,
        cost,
        judge: z.optional(judge),
        duration: count,
      }),
      reason: z.optional(reason),
      at: z.iso.datetime({ error: 'expected a time in UTC (2026-11-22T08:00:00.000Z)' }),
      attempts: z.int().check(z.minimum(1)),
      files: z.array(z.object({ path: z.string(), size: count })),
    })
    .check(
      // Whoever turns a failure into a pass by hand forgets what it failed.
      z.refine(({ outcome, checks }) => outcome !== 'passed' || checks.every(({ verdict }) => verdict !== 'failed'), {
        error: 'it passed, and one of its checks failed',
        path: ['outcome'],
      }),
    ),
);
