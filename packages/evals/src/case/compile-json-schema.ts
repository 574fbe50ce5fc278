import type { JsonObject, JsonValue } from '@skillpack/core';
import type { AnySchemaObject, ValidateFunction } from 'ajv/dist/2020.js';
import { CountingAjv, SchemaTooCostly } from './counting-ajv.js';

/** UTF-16 code units of a schema as JSON. */
const maxJsonSchemaLength = 32 * 1024;

/**
 * Whether a value follows a schema, and where it first does not: `/pages must be integer`.
 *
 * @throws `SchemaTooCostly`.
 */
export type JsonSchemaCheck = (value: JsonValue) => { readonly valid: boolean; readonly problem: string | undefined };

/**
 * A schema of JSON Schema 2020-12, ready to be used. It refers to nothing outside of it; `pattern` is matched by RE2, in
 * linear time; `format` says nothing.
 *
 * @throws an `Error` that says what is wrong with it.
 */
export function compileJsonSchema(schema: JsonObject): JsonSchemaCheck {
  const json = JSON.stringify(schema);
  if (json.length > maxJsonSchemaLength)
    throw new Error(`it has ${json.length} characters, at most ${maxJsonSchemaLength} are allowed`);
  // It would answer with a promise.
  if ('$async' in schema) throw new Error('there is no “$async” in JSON Schema');
  const { compiler, validate } = compiled(json);
  return (value) => {
    try {
      if (compiler.holds(validate, value)) return { valid: true, problem: undefined };
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new SchemaTooCostly('it, or the schema, goes too deep', error);
    }
    const [first] = validate.errors ?? [];
    return { valid: false, problem: `${first?.instancePath ?? ''} ${first?.message ?? 'does not follow it'}`.trim() };
  };
}

const mostKept = 256;
/** By their JSON: cases of a suite often have the same one, and each trial asks for it again. */
const kept = new Map<string, Compiled>();
let shared: CountingAjv | undefined;

interface Compiled {
  readonly compiler: CountingAjv;
  readonly validate: ValidateFunction;
}

function compiled(json: string): Compiled {
  const known = kept.get(json);
  if (known !== undefined) return known;
  if (kept.size >= mostKept) {
    kept.clear();
    // It keeps everything that it compiled.
    shared = undefined;
  }
  const made = compileAnew(json);
  kept.set(json, made);
  return made;
}

function compileAnew(json: string): Compiled {
  // A name that a schema gives itself, or a part of it, would stay for the next one. Making a compiler takes ten times
  // what a schema takes.
  const named = /"\$(?:id|anchor|dynamicAnchor)"|\\u/u.test(json);
  const schema = JSON.parse(json) as AnySchemaObject;
  // ajv finds `#` only in a schema that it keeps, and keeps none that calls itself as one that it has.
  const taken = String(schema.$id).startsWith('https://json-schema.org/');
  const compiler = named ? newCompiler({ addUsedSchema: !taken }) : (shared ??= newCompiler());
  try {
    return { compiler, validate: compiler.compile(schema) };
  } catch (cause) {
    if (cause instanceof RangeError) throw new Error('it is too large, or refers to itself without an end', { cause });
    throw cause;
  }
}

function newCompiler({ addUsedSchema = true }: { readonly addUsedSchema?: boolean } = {}): CountingAjv {
  return new CountingAjv({
    addUsedSchema,
    strict: false,
    logger: false,
    validateFormats: false,
    // `constructor` is a field that every object has, and none of its own.
    ownProperties: true,
  });
}
