import type * as z from 'zod/mini';
import type { RunEvent } from '../run-event.js';
import type { runSummarySchema } from './parse-run-summary.js';
import type { runEventSchema } from './run-event-schema.js';
import type { RunSummary } from './summarise-run.js';

// A field that JSON leaves out and one that is `undefined` are the same to whoever reads it.
type Full<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly Full<Item>[]
    : Value extends object
      ? { readonly [Key in keyof Value]-?: Full<Exclude<Value[Key], undefined>> }
      : Value;

type Mutual<Left, Right> = [Left] extends [Right] ? ([Right] extends [Left] ? true : false) : false;

// Compiled with everything else: what the schemas accept and what the types say are one.
export const proofs: readonly [
  Mutual<Full<z.output<typeof runEventSchema>>, Full<RunEvent>>,
  Mutual<Full<z.output<typeof runSummarySchema>>, Full<RunSummary>>,
] = [true, true];
