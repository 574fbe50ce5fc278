import { safeParse, toJSONSchema, type $ZodType } from 'zod/v4/core';
import { SkillsError } from '../errors/skills-error.js';
import { checkAborted } from '../errors/until-aborted.js';
import { messageOf } from '../errors/message-of.js';
import { quoted } from '../errors/quoted.js';
import type { JsonObject } from '../json/json-value.js';
import { describeIssue, forDescription, issuePath } from '../json/schema-issue.js';
import type { RiskClass } from '../policy/risk-class.js';
import type { Tool, ToolContext } from './tool.js';
import type { ToolResult } from './tool-result.js';

/** What tools take from their surroundings. */
export interface DefineToolPorts {
  readonly clock: {
    /** Milliseconds since 1970. */
    now(): number;
  };
}

/** What came of a tool, but for the times. */
export interface ToolOutcome extends Partial<
  Pick<ToolResult, 'ok' | 'contentForUser' | 'error' | 'output' | 'outputs'>
> {
  /** What the model reads. */
  readonly content: string;
}

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
   * @throws `SkillsError` for what goes wrong: it becomes the result.
   */
  run(input: Schema['_zod']['output'], context: ToolContext): ToolOutcome | Promise<ToolOutcome>;
}

const toolName = /^[A-Za-z0-9_-]{1,64}$/u;
const mostIssues = 5;
const mostFields = 20;

/**
 * Makes a tool. What a model gives it is checked before anybody is asked, and before it runs; input that does not fit, and every `SkillsError` of the
 * run, is a result that tells the model what is wrong. An aborted signal is `INTERRUPTED`, thrown.
 *
 * @throws `USAGE` for a name that no model could call, or an input that is no object or has no JSON Schema.
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
  { clock }: DefineToolPorts,
): Tool {
  const { name, description, input: schema, risk, runsCode, confined, run } = definition;
  if (!toolName.test(name))
    throw new SkillsError('USAGE', `A tool is called by 1 to 64 of letters, digits, _ and -, not ${quoted(name)}.`);
  const inputSchema = inputSchemaOf(name, schema);
  const taken = (given: unknown): Schema['_zod']['output'] => {
    const input = parseInput({ name, inputSchema }, schema, given);
    definition.check?.(input);
    return input;
  };
  const work = async (given: unknown, context: ToolContext): Promise<ToolOutcome> => {
    try {
      return await run(taken(given), context);
    } catch (error) {
      checkAborted(context.signal, 'The tool');
      if (!SkillsError.is(error)) throw error;
      return failedOutcome(error);
    }
  };
  return {
    name,
    description,
    risk,
    inputSchema,
    ...(runsCode === undefined ? {} : { runsCode }),
    ...(confined === undefined ? {} : { confined }),
    check: (given) => void taken(given),
    async run(given, context) {
      checkAborted(context.signal, 'The tool');
      const started = clock.now();
      const outcome = await work(given, context);
      checkAborted(context.signal, 'The tool');
      const ended = clock.now();
      return { ok: true, output: {}, ...outcome, started, ended, duration: Math.max(0, ended - started) };
    },
  };
}

/** What a failure is for a model: message and hint. */
function failedOutcome({ code, message, hint }: SkillsError): ToolOutcome {
  const content = hint === undefined ? message : `${message} ${hint}`;
  return { ok: false, content, output: { success: false }, error: { code, message } };
}

function parseInput<Schema extends ToolInputSchema>(
  { name, inputSchema }: Pick<Tool, 'name' | 'inputSchema'>,
  schema: Schema,
  given: unknown,
): Schema['_zod']['output'] {
  const parsed = safeParse(zodOf(schema), given, forDescription);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, mostIssues).map((issue) => {
    const path = issuePath(issue);
    return path === '' ? describeIssue(issue) : `${path}: ${describeIssue(issue)}`;
  });
  throw new SkillsError('INVALID_INPUT', `The input of ${name} does not fit: ${issues.join('; ')}.`, {
    hint: `Call it again with input that follows its schema: ${fieldsOf(inputSchema)}.`,
    data: { tool: name },
  });
}

function fieldsOf({ properties }: JsonObject): string {
  const names = Object.keys(typeof properties === 'object' && properties !== null ? properties : {});
  return names.length === 0 ? 'an empty object' : names.slice(0, mostFields).join(', ');
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
