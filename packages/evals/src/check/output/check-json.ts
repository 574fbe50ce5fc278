import type { JsonValue } from '@skillpack/core';
import { compileJsonSchema, type JsonSchemaCheck } from '../../case/compile-json-schema.js';
import { SchemaTooCostly } from '../../case/counting-ajv.js';
import type { OutputCheck } from '../../case/expectations.js';
import { beginning } from './check-text.js';
import { jsonInText, readJson } from './json-in-text.js';
import { unknown, type OutputVerdict } from './output-verdict.js';

/** UTF-16 code units of what is read as JSON. */
const longest = 1_048_576;
/** Far more than any honest document has. */
const mostLevels = 256;

/** It is JSON, or has some in it, that follows the schema if there is one. */
export function checkJson({ schema, within }: OutputCheck & { readonly kind: 'json' }, text: string): OutputVerdict {
  if (text.length > longest) return unknown(`It has ${text.length} characters; at most ${longest} are read as JSON.`);
  let check: JsonSchemaCheck = () => ({ valid: true, problem: undefined });
  try {
    if (schema !== undefined) check = compileJsonSchema(schema);
  } catch (error) {
    return unknown(`The schema cannot be used: ${error instanceof Error ? error.message : String(error)}.`);
  }
  const whole = readJson(text.trim());
  const values = whole !== undefined ? [whole] : within ? jsonInText(text) : [];
  if (values.length === 0) {
    return { holds: false, evidence: `${within ? 'There is no JSON in it' : 'It is no JSON'}. ${beginning(text)}` };
  }
  if (values.some((value) => isDeeper(value, mostLevels)))
    return unknown(`Its JSON is nested deeper than ${mostLevels} levels.`);
  let problem: string | undefined;
  try {
    for (const value of values) {
      const { valid, problem: why } = check(value);
      if (valid) return { holds: true, evidence: beginning(JSON.stringify(value)) };
      problem ??= why;
    }
  } catch (error) {
    if (!(error instanceof SchemaTooCostly)) throw error;
    return unknown(`It cannot be held to the schema: ${error.message}.`);
  }
  return { holds: false, evidence: `It does not follow the schema: ${problem ?? ''}.\n${beginning(text)}` };
}

/** In time and memory that a value of any depth allows. */
function isDeeper(value: JsonValue, levels: number): boolean {
  let level: readonly JsonValue[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > levels) return true;
    level = level.flatMap((part) => (typeof part === 'object' && part !== null ? Object.values(part) : []));
  }
  return false;
}
