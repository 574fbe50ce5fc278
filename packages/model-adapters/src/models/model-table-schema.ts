import * as z from 'zod/mini';

const tokens = z.lazy(() => z.int().check(z.minimum(1), z.maximum(1_000_000_000)));
const dollars = z.lazy(() => z.number().check(z.minimum(0), z.maximum(1_000_000)));

const unknown = (fields: z.core.$ZodIssue | z.core.$ZodRawIssue): string | undefined =>
  fields.code === 'unrecognized_keys' ? `expected no field ${fields.keys.map(String).join(', ')}` : undefined;

function tokenPrices() {
  return {
    input: dollars,
    output: dollars,
    cachedInput: z.optional(dollars),
    cacheWrite: z.optional(dollars),
  };
}

const long = z.lazy(() => z.strictObject({ over: tokens, ...tokenPrices() }, { error: unknown }));
const prices = z.lazy(() => z.strictObject({ ...tokenPrices(), long: z.optional(long) }, { error: unknown }));

const facts = z.lazy(() =>
  z.strictObject(
    { contextTokens: z.optional(tokens), maxOutputTokens: z.optional(tokens), prices: z.optional(prices) },
    { error: unknown },
  ),
);

const key = z.lazy(() =>
  z
    .string()
    .check(
      z.maxLength(256),
      z.regex(/^[^\s*]+\*?$|^\*$/u, { error: 'expected the name of a model, or the beginning of one and *' }),
    ),
);

/** A table of models in a file. Unknown fields are refused: a price with a slip would be none. */
export const modelTableSchema = z.lazy(() =>
  z.strictObject(
    {
      formatVersion: z._default(z.literal(1), 1),
      checked: z.optional(
        z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/u, { error: 'expected a day such as 2026-11-22' })),
      ),
      models: z.record(key, facts),
    },
    { error: unknown },
  ),
);
