import { readDocument } from '@skillpack/core';
import * as z from 'zod/mini';
import type { EvalShard } from './eval-job.js';
import { formatPart } from './format-part.js';
import { digestSchema, jobsSchema, mostJobs, planLength } from './job-schema.js';

const number = z.lazy(() => z.int().check(z.minimum(1), z.maximum(mostJobs)));

const schema = z.lazy(() =>
  z.object({
    formatVersion: z.literal(1),
    plan: digestSchema,
    index: number,
    count: number,
    jobs: jobsSchema,
    keys: z.array(digestSchema).check(z.maxLength(mostJobs)),
  }),
);

/** Reads a shard. @throws `INVALID_RESULTS`, or `UNSUPPORTED_FORMAT` for a shard of another version. */
export function parseShard(text: string): EvalShard {
  return readDocument(text, schema, { what: 'The shard', code: 'INVALID_RESULTS', maxLength: planLength });
}

/** The shard as JSON with a final newline. The same shard gives the same text. */
export function formatShard({ plan, index, count, jobs, keys }: EvalShard): string {
  return formatPart({ formatVersion: 1, plan, index, count }, { jobs, keys });
}
