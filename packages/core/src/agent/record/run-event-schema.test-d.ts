import type * as z from 'zod/mini';
import type { RunEvent } from '../run-event.js';
import type { runEventSchema } from './run-event-schema.js';

// A field that JSON leaves out and one that is `undefined` are the same to whoever reads it.
type Full<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly Full<Item>[]
    : Value extends object
      ? { readonly [Key in keyof Value]-?: Full<Exclude<Value[Key], undefined>> }
      : Value;

type Mutual<Left, Right> = [Left] extends [Right] ? ([Right] extends [Left] ? true : false) : false;

// Compiled with everything else: what the schema accepts and what the type of an event says are one.
export const proof: Mutual<Full<z.output<typeof runEventSchema>>, Full<RunEvent>> = true;
