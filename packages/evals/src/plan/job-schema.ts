import type { Digest } from '@skillpack/core';
import * as z from 'zod/mini';
import { repeatedJob } from './repeated-job.js';

/** A plan of more could not be read back: a document holds at most 200,000 values. */
export const mostJobs = 20_000;

/** UTF-16 code units of the document of a plan, or of a shard of one. */
export const planLength = 64 * 1024 * 1024;

/** A digest, in a document. */
export const digestSchema = z.lazy(() =>
  z.pipe(
    z
      .string()
      .check(z.regex(/^sha256:[0-9a-f]{64}$/u, { error: 'expected a digest (sha256: and 64 hexadecimal digits)' })),
    // The pattern is that of a digest.
    z.transform((text: string): Digest => text as Digest),
  ),
);

const name = z.lazy(() => z.string().check(z.minLength(1), z.maxLength(512)));

/** What a job is, in a document. */
export const jobFields = {
  key: digestSchema,
  suite: name,
  case: name,
  arm: z.enum(['with_skill', 'without_skill', 'old_skill']),
  model: name,
  trial: z.int().check(z.minimum(1)),
};

/** The jobs of a plan. */
export const jobsSchema = z.lazy(() =>
  z.array(z.object(jobFields)).check(
    z.maxLength(mostJobs),
    z.refine((jobs) => repeatedJob(jobs) === undefined, { error: 'expected each trial once' }),
  ),
);
