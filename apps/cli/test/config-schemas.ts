import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { configFileSchema, personalFields, personalPermissions } from '../src/settings/config-schema.js';

interface JsonSchema {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
}

/** Whose a configuration file is. */
export type ConfigOwner = 'user' | 'project';

const descriptions: Readonly<Record<string, string>> = {
  $schema: 'Where this schema is, for editors.',
  formatVersion: 'The version of this format.',
  registry: 'The registry of every organisation that has none of its own: an http(s) URL, or a folder.',
  registries: 'Registries of single organisations, by their names.',
  cache: 'The folder of downloaded archives.',
  dirs: 'Further folders of skills, strongest first; a project’s start from its own folder, a person’s from ~/.agents.',
  offline: 'Whether the network is left alone: only what is in the cache is used.',
  model:
    'The model that decides for agents: openai:<model>, anthropic:<model>, openai-compatible:<url>#<model>, ai-sdk:<package>#<model>, recorded:<cassette>, scripted:<file>. Keys stand in the environment alone.',
  models: 'Windows and prices of models, by their names, or the file that has them.',
  limits: 'What one request to an agent may take.',
  'limits.turns': 'Calls of the model.',
  'limits.toolCalls': 'Actions, scripts included.',
  'limits.scripts': 'Scripts.',
  'limits.tokens': 'Tokens in and out of all model calls.',
  'limits.timeout': 'Seconds until a request is given up.',
  'limits.script': 'Seconds until a script is ended.',
  runsDir: 'The folder of the records of runs, instead of the one in each project.',
  permissions: 'What tools may be used for, by rules such as Edit(src/**).',
  'permissions.allow': 'What is done without a question.',
  'permissions.ask': 'What needs a yes.',
  'permissions.deny': 'What is never done.',
  'permissions.allowedTools': 'How allowed-tools of skills count: for all, or by skill, pack or organisation.',
  'permissions.env': 'Variables that scripts are handed, by name.',
  sandbox: 'Whether scripts run in a sandbox: only there, where one works, or not.',
};

const titles: Readonly<Record<ConfigOwner, string>> = {
  user: 'config.json in a person’s own ~/.agents',
  project:
    'config.json in .agents of a project: it says where skills and packs are and what is denied. Who decides, what that may cost, where files are written and what is allowed is each person’s own to say',
};

/** The published JSON Schema of each owner’s file: it accepts what is read without an error and without a warning. */
export function configSchemaOf(owner: ConfigOwner): object {
  // Cast: the schema of an object has these keywords.
  const { $schema, ...rest } = z.toJSONSchema(configFileSchema, { io: 'input', target: 'draft-2020-12' }) as JsonSchema;
  const { properties = {}, ...others } = described(rest, '');
  const permissions = properties['permissions'] ?? {};
  const ofProject = {
    ...without(properties, personalFields),
    permissions: { ...permissions, properties: without(permissions.properties ?? {}, personalPermissions) },
  };
  return {
    $schema,
    $id: `urn:skillpack:schema:${owner === 'user' ? 'config' : 'project-config'}:1`,
    title: titles[owner],
    ...others,
    properties: owner === 'user' ? { ...properties, models: modelsSchema(properties['models']) } : ofProject,
  };
}

/** With what is said of each field, and no others: an editor is to see what is mistyped. */
function described(schema: JsonSchema, path: string): JsonSchema {
  if (schema.properties === undefined) return schema;
  const properties = Object.entries(schema.properties).map(([name, field]) => {
    const place = path === '' ? name : `${path}.${name}`;
    const description = descriptions[place];
    if (description === undefined) throw new Error(`Nothing is said of ${place}.`);
    return [name, { description, ...described(field, place) }] as const;
  });
  return { ...schema, properties: Object.fromEntries(properties), additionalProperties: false };
}

function without<Value>(fields: Readonly<Record<string, Value>>, names: readonly string[]): Record<string, Value> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

/** What a table may say is that of `parseModelTable`. */
function modelsSchema(field: JsonSchema = {}): JsonSchema {
  const path = new URL('../../../packages/model-adapters/schemas/model-table.schema.json', import.meta.url);
  // Cast: it is the schema of an object.
  const { properties } = JSON.parse(readFileSync(path, 'utf8')) as JsonSchema;
  const [file] = field['anyOf'] as readonly JsonSchema[];
  return { description: field['description'], anyOf: [file, properties?.['models']] };
}
