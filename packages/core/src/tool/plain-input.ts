import type { JsonObject } from '../json/json-value.js';
import { describeFound } from '../json/schema-issue.js';
import type { InputReading } from './make-tool.js';

/** A field of the input of a tool that reads skills. */
export type PlainField =
  | {
      readonly kind: 'text';
      /** UTF-16 code units. @default 1 */
      readonly least?: number | undefined;
      readonly most: number;
      /** What a model is told to choose from; any other text is read all the same. */
      readonly names?: readonly string[] | undefined;
      readonly optional?: boolean | undefined;
    }
  /** A whole number from 1. */
  | { readonly kind: 'count'; readonly optional?: boolean | undefined };

type Fields = Readonly<Record<string, PlainField>>;
type Value<Field extends PlainField> = Field['kind'] extends 'count' ? number : string;
type OptionalKey<Of extends Fields> = {
  [Key in keyof Of]: Of[Key] extends { readonly optional: true } ? Key : never;
}[keyof Of];

/** What was read of these fields. */
export type PlainInput<Of extends Fields> = {
  readonly [Key in Exclude<keyof Of, OptionalKey<Of>>]: Value<Of[Key]>;
} & { readonly [Key in OptionalKey<Of>]?: Value<Of[Key]> | undefined };

/** How the input of a tool is described to a model, and read. */
export interface PlainInputReader<Input> {
  readonly inputSchema: JsonObject;
  readInput(given: unknown): InputReading<Input>;
}

/**
 * The input of a tool of few plain fields, as a schema of zod would describe and read it, in the same words. By hand, since
 * a page whose agent reads skills would load the schema library for them.
 */
export function plainInput<const Of extends Fields>(fields: Of): PlainInputReader<PlainInput<Of>> {
  const rows = Object.entries(fields);
  const required = rows.filter(([, { optional }]) => optional !== true).map(([name]) => name);
  return {
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(rows.map(([name, field]) => [name, schemaOf(field)])),
      ...(required.length === 0 ? {} : { required }),
    },
    readInput(given) {
      if (typeof given !== 'object' || given === null || Array.isArray(given)) {
        return { kind: 'problems', problems: [`expected an object${describeFound(given)}`] };
      }
      const values = rows.map(([name, field]) => {
        const value: unknown = Reflect.get(given, name);
        const missing = value === undefined && field.optional === true;
        return { name, value, problem: missing ? undefined : problemOf(field, value) };
      });
      const problems = values.flatMap(({ name, value, problem }) =>
        problem === undefined ? [] : [`${name}: expected ${problem}${describeFound(value)}`],
      );
      if (problems.length > 0) return { kind: 'problems', problems };
      const input = Object.fromEntries(
        values.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])),
      );
      // Cast: each field was judged.
      return { kind: 'input', input: input as PlainInput<Of> };
    },
  };
}

function schemaOf(field: PlainField): JsonObject {
  if (field.kind === 'count') return { type: 'integer', exclusiveMinimum: 0, maximum: Number.MAX_SAFE_INTEGER };
  const { least = 1, most, names } = field;
  return {
    type: 'string',
    ...(least === 0 ? {} : { minLength: least }),
    maxLength: most,
    ...(names === undefined ? {} : { enum: names }),
  };
}

function problemOf(field: PlainField, value: unknown): string | undefined {
  if (field.kind === 'count') {
    if (typeof value !== 'number' || !Number.isFinite(value)) return 'a number';
    if (!Number.isInteger(value)) return 'a whole number';
    if (value > Number.MAX_SAFE_INTEGER) return `at most ${Number.MAX_SAFE_INTEGER}`;
    return value > 0 ? undefined : 'more than 0';
  }
  if (typeof value !== 'string') return 'a text';
  const { least = 1, most } = field;
  if (value.length < least) return `at least ${least} characters`;
  return value.length > most ? `at most ${most} characters` : undefined;
}
