import * as z from 'zod/mini';
import { digestPattern, type Digest } from './is-digest.js';

// The brand is a claim that the pattern proves; a schema of its own type would leave no pattern in the JSON Schema.
export const digestSchema = z
  .string()
  .check(
    z.regex(digestPattern, { error: 'expected a digest (sha256: and 64 hexadecimal digits)' }),
  ) as unknown as z.ZodMiniType<Digest, string>;
