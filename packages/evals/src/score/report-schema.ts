import * as z from 'zod/mini';
import { digestSchema } from '../plan/job-schema.js';
import { countSchema, intervalSchema, rateSchema, shareSchema } from './rate-schema.js';

const text = z.lazy(() => z.string());
const texts = z.lazy(() => z.array(text));
const amount = z.lazy(() => z.number().check(z.minimum(0)));
const difference = z.lazy(() => z.number().check(z.minimum(-1), z.maximum(1)));
const arm = z.lazy(() => z.enum(['with_skill', 'without_skill', 'old_skill']));
const outcome = z.lazy(() => z.enum(['passed', 'failed', 'inconclusive', 'error', 'stopped']));
const gateVerdict = z.lazy(() => z.enum(['better', 'worse', 'no_change', 'underpowered']));

const counts = z.lazy(() =>
  z.object({
    passed: countSchema,
    failed: countSchema,
    inconclusive: countSchema,
    error: countSchema,
    stopped: countSchema,
    planned: countSchema,
    reused: countSchema,
  }),
);

const trigger = z.lazy(() =>
  z.object({
    model: text,
    arm,
    truePositives: countSchema,
    falseNegatives: countSchema,
    falsePositives: countSchema,
    trueNegatives: countSchema,
    inconclusive: countSchema,
    errors: countSchema,
    precision: rateSchema,
    recall: rateSchema,
    specificity: rateSchema,
    f1: z.optional(z.object({ value: shareSchema, interval: z.optional(intervalSchema) })),
    skills: z.array(z.object({ skill: text, precision: rateSchema, recall: rateSchema })),
    confusion: z.array(
      z.object({
        wanted: z.nullable(text),
        fired: z.nullable(text),
        count: countSchema,
        allowed: z.optional(countSchema),
      }),
    ),
  }),
);

const estimate = z.lazy(() => z.object({ k: countSchema, value: shareSchema, cases: countSchema }));

const task = z.lazy(() =>
  z.object({
    model: text,
    arm,
    passRate: rateSchema,
    checkRate: rateSchema,
    passAtK: z.array(estimate),
    passHatK: z.array(estimate),
  }),
);

const lift = z.lazy(() =>
  z.object({
    model: text,
    arm,
    against: arm,
    pairs: countSchema,
    value: z.optional(difference),
    interval: z.optional(intervalSchema),
  }),
);

const cell = z.lazy(() =>
  z.object({
    model: text,
    arm,
    outcomes: z.array(outcome),
    keys: z.array(digestSchema),
    passRate: rateSchema,
    failures: z.array(z.object({ text, count: countSchema })),
  }),
);

const scoredCase = z.lazy(() =>
  z.object({
    suite: text,
    case: text,
    kind: z.enum(['trigger', 'task']),
    title: z.optional(text),
    tags: texts,
    cells: z.array(cell),
  }),
);

const spent = z.lazy(() => {
  const tokens = { inputTokens: amount, outputTokens: amount, cost: z.optional(amount) };
  return z.object({
    turns: amount,
    ...tokens,
    duration: amount,
    judge: z.optional(z.object({ calls: amount, ...tokens })),
  });
});

const measure = z.lazy(() =>
  z.object({
    name: z.enum(['pass_rate', 'recall', 'specificity']),
    model: text,
    arm,
    verdict: gateVerdict,
    pairs: countSchema,
    before: shareSchema,
    after: shareSchema,
    difference,
    interval: z.optional(intervalSchema),
    lost: countSchema,
    won: countSchema,
    pValue: shareSchema,
    adjustedPValue: z.optional(shareSchema),
    regressions: z.optional(texts),
    unchanged: z.optional(z.literal(true)),
    needed: z.optional(countSchema),
    neededFor: z.optional(shareSchema),
    neededSeen: z.optional(countSchema),
  }),
);

const change = z.lazy(() =>
  z.object({
    suite: text,
    case: text,
    model: text,
    arm,
    before: shareSchema,
    after: shareSchema,
    why: z.optional(text),
  }),
);

const comparison = z.lazy(() =>
  z.object({
    verdict: gateVerdict,
    reasons: texts,
    measures: z.array(measure),
    compared: z.optional(countSchema),
    changes: z.array(change),
    onlyInBaseline: texts,
    onlyHere: texts,
  }),
);

/** A report, in a document. Fields that it does not know are left out. */
export const reportSchema = z.lazy(() =>
  z.object({
    formatVersion: z.literal(1),
    title: text,
    at: z.optional(z.iso.datetime()),
    plan: z.optional(digestSchema),
    verdict: z.object({
      kind: z.enum(['passed', 'failed', 'invalid', 'incomplete']),
      reasons: texts,
    }),
    counts,
    suites: texts,
    models: texts,
    arms: z.array(arm),
    triggers: z.array(trigger),
    tasks: z.array(task),
    lifts: z.array(lift),
    cases: z.array(scoredCase),
    spent,
    comparison: z.optional(comparison),
  }),
);
