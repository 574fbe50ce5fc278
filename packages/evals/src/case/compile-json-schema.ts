import type { JsonObject, JsonValue } from '@skillpack/core';
import { Ajv2020, type AnySchemaObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { compilePattern } from './compile-pattern.js';

/** UTF-16 code units of a schema as JSON. */
const maxJsonSchemaLength = 32 * 1024;

/** Whether a value follows a schema, and where it first does not: `/pages must be integer`. */
export type JsonSchemaCheck = (value: JsonValue) => { readonly valid: boolean; readonly problem: string | undefined };

/**
 * A schema of JSON Schema 2020-12, ready to be used. It refers to nothing outside of it; `pattern` is matched by RE2, in
 * linear time; `format` says nothing. A value that it never comes to an end with does not follow it.
 *
 * @throws an `Error` that says what is wrong with it.
 */
export function compileJsonSchema(schema: JsonObject): JsonSchemaCheck {
  const json = JSON.stringify(schema);
  if (json.length > maxJsonSchemaLength)
    throw new Error(`it has ${json.length} characters, at most ${maxJsonSchemaLength} are allowed`);
  // It would answer with a promise.
  if ('$async' in schema) throw new Error('there is no “$async” in JSON Schema');
  const validate = compiled(json);
  return (value) => {
    try {
      if (validate(value)) return { valid: true, problem: undefined };
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return { valid: false, problem: 'the schema refers to itself without an end' };
    }
    const [first] = validate.errors ?? [];
    return { valid: false, problem: `${first?.instancePath ?? ''} ${first?.message ?? 'does not follow it'}`.trim() };
  };
}

const mostKept = 256;
/** By their JSON: cases of a suite often have the same one, and each trial asks for it again. */
const kept = new Map<string, ValidateFunction>();
let shared: Ajv2020 | undefined;

function compiled(json: string): ValidateFunction {
  const known = kept.get(json);
  if (known !== undefined) return known;
  if (kept.size >= mostKept) {
    kept.clear();
    // It keeps everything that it compiled.
    shared = undefined;
  }
  const validate = compileAnew(json);
  kept.set(json, validate);
  return validate;
}

function compileAnew(json: string): ValidateFunction {
  // A name that a schema gives itself, or a part of it, would stay for the next one. Making a compiler takes ten times
  // what a schema takes.
  const named = /"\$(?:id|anchor|dynamicAnchor)"|\\u/u.test(json);
  const schema = JSON.parse(json) as AnySchemaObject;
  // ajv finds `#` only in a schema that it keeps, and keeps none that calls itself as one that it has.
  const taken = String(schema.$id).startsWith('https://json-schema.org/');
  const compiler = named ? newCompiler({ addUsedSchema: !taken }) : (shared ??= newCompiler());
  try {
    return compiler.compile(schema);
  } catch (cause) {
    if (cause instanceof RangeError) throw new Error('it is too large, or refers to itself without an end', { cause });
    throw cause;
  }
}

function newCompiler({ addUsedSchema = true }: { readonly addUsedSchema?: boolean } = {}): Ajv2020 {
  return new Ajv2020({
    addUsedSchema,
    strict: false,
    logger: false,
    validateFormats: false,
    // `constructor` is a field that every object has, and none of its own.
    ownProperties: true,
    code: { regExp: linearRegExp },
  });
}

/** As ajv asks for it; `code` is for code that is written to a file, which none is here. */
const linearRegExp = Object.assign(
  (pattern: string) => {
    const matcher = compilePattern(pattern, '');
    // ajv tells patterns apart by that: two that say the same count as one.
    return { test: (text: string) => matcher.matcher(text).find(), toString: () => `re2 ${pattern}` };
  },
  { code: 'linearRegExp' },
);
