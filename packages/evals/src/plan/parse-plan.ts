import { readDocument } from '@skillpack/core';
import * as z from 'zod/mini';
import type { EvalPlan } from './eval-job.js';
import { formatPart } from './format-part.js';
import { digestSchema, jobsSchema, planLength } from './job-schema.js';

const schema = z.lazy(() =>
  z.object({ formatVersion: z.literal(1), digest: digestSchema, variant: z.optional(z.string()), jobs: jobsSchema }),
);

/** Reads a plan. @throws `INVALID_RESULTS`, or `UNSUPPORTED_FORMAT` for a plan of another version. */
export function parsePlan(text: string): EvalPlan {
  return readDocument(text, schema, { what: 'The plan', code: 'INVALID_RESULTS', maxLength: planLength });
}

/** The plan as JSON with a final newline. The same plan gives the same text. */
export function formatPlan({ digest, variant, jobs }: EvalPlan): string {
  return formatPart({ formatVersion: 1, digest, ...(variant !== undefined && { variant }) }, { jobs });
}
