import * as z from 'zod/mini';

/** A whole number from 0. */
export const countSchema = z.lazy(() => z.int().check(z.minimum(0)));

/** 0 to 1. */
export const shareSchema = z.lazy(() => z.number().check(z.minimum(0), z.maximum(1)));

/** An interval, in a document. */
export const intervalSchema = z.lazy(() =>
  z
    .object({ low: z.number(), high: z.number() })
    .check(z.refine(({ low, high }) => low <= high, { error: 'expected an interval' })),
);

/** A rate, in a document: of nothing counted, value and interval are not there. */
export const rateSchema = z.lazy(() =>
  z
    .object({
      successes: countSchema,
      total: countSchema,
      value: z.optional(shareSchema),
      interval: z.optional(intervalSchema),
    })
    .check(z.refine(({ successes, total }) => successes <= total, { error: 'expected a share' })),
);
