import type { JsonObject } from '@skillpack/core';
import { compileJsonSchema, type JsonSchemaCheck } from '../../case/compile-json-schema.js';
import type { OutputCheck } from '../../case/expectations.js';
import { beginning } from './check-text.js';
import { jsonInText, readJson } from './json-in-text.js';
import { unknown, type OutputVerdict } from './output-verdict.js';
import { schemaProblem, valueProblem } from './schema-cost.js';

/** UTF-16 code units of what is read as JSON. */
const longest = 1_048_576;

/** It is JSON, or has some in it, that follows the schema if there is one. */
export function checkJson({ schema, within }: OutputCheck & { readonly kind: 'json' }, text: string): OutputVerdict {
  if (text.length > longest) return unknown(`It has ${text.length} characters; at most ${longest} are read as JSON.`);
  let check: JsonSchemaCheck = () => ({ valid: true, problem: undefined });
  try {
    if (schema !== undefined) check = usableSchema(schema);
  } catch (error) {
    return unknown(`The schema cannot be used: ${error instanceof Error ? error.message : String(error)}.`);
  }
  const whole = readJson(text.trim());
  const values = whole !== undefined ? [whole] : within ? jsonInText(text) : [];
  if (values.length === 0) {
    return { holds: false, evidence: `${within ? 'There is no JSON in it' : 'It is no JSON'}. ${beginning(text)}` };
  }
  let problem: string | undefined;
  for (const value of values) {
    const tooMuch = schema && valueProblem(value, schema);
    if (tooMuch !== undefined) return unknown(`It cannot be held to the schema: ${tooMuch}.`);
    const { valid, problem: why } = check(value);
    if (valid) return { holds: true, evidence: beginning(JSON.stringify(value)) };
    problem ??= why;
  }
  return { holds: false, evidence: `It does not follow the schema: ${problem ?? ''}.\n${beginning(text)}` };
}

/** @throws an `Error` that says why it is none, or takes too long. */
function usableSchema(schema: JsonObject): JsonSchemaCheck {
  const check = compileJsonSchema(schema);
  const problem = schemaProblem(schema);
  if (problem !== undefined) throw new Error(problem);
  return check;
}
