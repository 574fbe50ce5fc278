import * as z from 'zod/mini';

/**
 * The schema of a record whose keys come from outside. What it returns has no prototype, so that looking up
 * `constructor` finds nothing that the document does not hold.
 */
export function recordSchema<Key extends string, Value extends z.ZodMiniType>(
  key: z.ZodMiniType<Key, string>,
  value: Value,
) {
  return z.pipe(
    z.record(key, value),
    z.transform((record): Record<Key, z.output<Value>> => Object.assign(emptyRecord(), record)),
  );
}

/** A record with nothing in it, not even what every object has. */
export function emptyRecord(): Record<string, never> {
  // The declaration of `create` promises nothing.
  return Object.create(null) as Record<string, never>;
}
