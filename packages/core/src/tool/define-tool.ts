import { safeParse, toJSONSchema, type $ZodType } from 'zod/v4/core';
import { expectOptions } from '../errors/expect-options.js';
import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';
import { messageOf } from '../errors/message-of.js';
import type { JsonObject } from '../json/json-value.js';
import { describeIssue, forDescription, issuePath } from '../json/schema-issue.js';
import type { RiskClass } from '../policy/risk-class.js';
import {
  checkRisk,
  checkToolName,
  checkToolParts,
  makeTool,
  type DefineToolPorts,
  type InputReading,
  type ToolOutcome,
} from './make-tool.js';
import type { Tool, ToolContext } from './tool.js';

/** An object schema of zod 4: of `zod` or of `zod/mini`, and of any of its versions, for this type has no version in it. */
export interface ToolInputSchema {
  readonly _zod: { readonly output: Readonly<Record<string, unknown>> };
}

/** A tool, as it is written down. */
export interface ToolDefinition<Schema extends ToolInputSchema> {
  /** 1 to 64 of letters, digits, `_` and `-`. */
  readonly name: string;
  /** For the model: what it does, and when to call it. */
  readonly description: string;
  /** An object that JSON Schema can express. */
  readonly input: Schema;
  readonly risk: RiskClass;
  /** Whether it starts programs of somebody else's choosing, as a shell does. @default false */
  readonly runsCode?: boolean | undefined;
  /** Whether what it starts is confined. @default false */
  readonly confined?: boolean | undefined;
  /**
   * Judges an input that fits the schema, without doing anything, before anybody is asked.
   *
   * @throws `INVALID_INPUT`.
   * @default what fits the schema is taken
   */
  check?(input: Schema['_zod']['output']): void;
  /**
   * Does it.
   *
   * @param input what the model gave, checked.
   * @returns what the model reads, alone or with all else that came of it.
   * @throws `SkillsError` for what goes wrong: it becomes the result.
   */
  run(input: Schema['_zod']['output'], context: ToolContext): string | ToolOutcome | Promise<string | ToolOutcome>;
}

/**
 * Makes a tool. What a model gives it is checked before anybody is asked, and before it runs; input that does not fit, and every `SkillsError` of the
 * run, is a result that tells the model what is wrong. An aborted signal is `INTERRUPTED`, thrown.
 *
 * @throws `USAGE` for a name that no model could call, a field that no definition has, a risk that is none, and an input
 * that is no object or has no JSON Schema.
 * @example
 * ```ts
 * const shout = defineTool(
 *   {
 *     name: 'shout',
 *     description: 'Writes a text in capital letters.',
 *     input: z.object({ text: z.string() }),
 *     risk: 'low',
 *     run: ({ text }) => ({ content: text.toUpperCase() }),
 *   },
 *   { clock },
 * );
 * ```
 */
export function defineTool<Schema extends ToolInputSchema>(
  definition: ToolDefinition<Schema>,
  ports: DefineToolPorts,
): Tool {
  checkDefinition(definition);
  const { name, description, input: schema, risk, runsCode, confined } = definition;
  return makeTool(
    {
      name,
      description,
      risk,
      runsCode,
      confined,
      inputSchema: inputSchemaOf(name, schema),
      readInput: (given) => readBySchema(schema, given),
      check: (input) => definition.check?.(input),
      run: async (input, context) => definition.run(input, context),
    },
    ports,
  );
}

const names: Readonly<Record<keyof ToolDefinition<ToolInputSchema>, true>> = {
  name: true,
  description: true,
  input: true,
  risk: true,
  runsCode: true,
  confined: true,
  check: true,
  run: true,
};

/** What other libraries call it. */
const calledOtherwise: Readonly<Record<string, keyof ToolDefinition<ToolInputSchema>>> = {
  parameters: 'input',
  inputSchema: 'input',
  schema: 'input',
  execute: 'run',
};

/** Whoever defines a tool may write in a language without types. */
function checkDefinition<Schema extends ToolInputSchema>(definition: ToolDefinition<Schema>): void {
  for (const [other, field] of Object.entries(calledOtherwise)) {
    if (typeof definition !== 'object' || definition === null || !(other in definition)) continue;
    throw new SkillsError('USAGE', `The definition of a tool has no ${quoted(other)}: here, it is ${quoted(field)}.`);
  }
  expectOptions<object>(definition, { of: 'The definition of a tool', names });
  checkToolName(definition.name);
  checkToolParts(definition);
  checkRisk(definition);
  if (definition.input !== undefined) return;
  throw new SkillsError('USAGE', `The tool ${definition.name} does not say what its input is.`, {
    hint: 'Write input: z.object({ … }), with zod 4; z.object({}) for none.',
  });
}

function readBySchema<Schema extends ToolInputSchema>(
  schema: Schema,
  given: unknown,
): InputReading<Schema['_zod']['output']> {
  const parsed = safeParse(zodOf(schema), given, forDescription);
  if (parsed.success) return { kind: 'input', input: parsed.data };
  const problems = parsed.error.issues.map((issue) => {
    const path = issuePath(issue);
    return path === '' ? describeIssue(issue) : `${path}: ${describeIssue(issue)}`;
  });
  return { kind: 'problems', problems };
}

function inputSchemaOf(name: string, schema: ToolInputSchema): JsonObject {
  try {
    const { $schema: _, ...inputSchema } = toJSONSchema(zodOf(schema), { io: 'input', target: 'draft-2020-12' });
    // Cast: what a JSON Schema is written in is JSON.
    if (inputSchema.type === 'object') return inputSchema as unknown as JsonObject;
  } catch (cause) {
    throw new SkillsError('USAGE', `The input of the tool ${name} has no JSON Schema: ${messageOf(cause)}`, {
      hint: 'A model writes JSON: a date, for one, is a text in it, z.iso.datetime().',
      cause,
    });
  }
  throw new SkillsError('USAGE', `The input of the tool ${name} is no object.`);
}

function zodOf<Schema extends ToolInputSchema>(schema: Schema): $ZodType<Schema['_zod']['output']> {
  // Cast: the type of a schema names its version, and what is read of it here is the same in all of zod 4.
  return schema as unknown as $ZodType<Schema['_zod']['output']>;
}
