import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { jsonSchemas } from './json-schemas.js';

const compiled = new Map<string, ValidateFunction>();

/** Whether a value is what the published JSON Schema of this name allows, by a validator that is not ours. */
export function schemaAccepts(name: string, value: unknown): boolean {
  let validate = compiled.get(name);
  if (validate === undefined) {
    const schema = jsonSchemas.get(name);
    if (schema === undefined) throw new Error(`There is no schema “${name}”.`);
    validate = new Ajv2020({ strict: true }).compile(schema);
    compiled.set(name, validate);
  }
  return validate(value);
}
