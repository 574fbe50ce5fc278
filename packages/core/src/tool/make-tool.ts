import { checkAborted } from '../errors/until-aborted.js';
import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';
import type { JsonObject } from '../json/json-value.js';
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

/** What a model gave, or what does not fit. */
export type InputReading<Input> =
  | { readonly kind: 'input'; readonly input: Input }
  | { readonly kind: 'problems'; readonly problems: readonly string[] };

/** A tool, whatever its input is described by. As the fields of `ToolDefinition` of the same names. */
export interface ToolParts<Input> {
  readonly name: string;
  readonly description: string;
  readonly risk: RiskClass;
  readonly runsCode?: boolean | undefined;
  readonly confined?: boolean | undefined;
  readonly inputSchema: JsonObject;
  readInput(given: unknown): InputReading<Input>;
  check?(input: Input): void;
  run(input: Input, context: ToolContext): ToolOutcome | Promise<ToolOutcome>;
}

const toolName = /^[A-Za-z0-9_-]{1,64}$/u;
const mostIssues = 5;
const mostFields = 20;

/** @throws `USAGE` for a name that no model could call. */
export function checkToolName(name: string): void {
  if (toolName.test(name)) return;
  throw new SkillsError('USAGE', `A tool is called by 1 to 64 of letters, digits, _ and -, not ${quoted(name)}.`);
}

/** Makes a tool, as `defineTool` describes it. */
export function makeTool<Input>(parts: ToolParts<Input>, { clock }: DefineToolPorts): Tool {
  const { name, description, risk, runsCode, confined, inputSchema } = parts;
  const taken = (given: unknown): Input => {
    const input = takeInput(parts, given);
    parts.check?.(input);
    return input;
  };
  const work = async (given: unknown, context: ToolContext): Promise<ToolOutcome> => {
    try {
      return await parts.run(taken(given), context);
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

function takeInput<Input>(parts: ToolParts<Input>, given: unknown): Input {
  const reading = parts.readInput(given);
  if (reading.kind === 'input') return reading.input;
  const { name, inputSchema } = parts;
  const problems = reading.problems.slice(0, mostIssues).join('; ');
  throw new SkillsError('INVALID_INPUT', `The input of ${name} does not fit: ${problems}.`, {
    hint: `Call it again with input that follows its schema: ${fieldsOf(inputSchema)}.`,
    data: { tool: name },
  });
}

function fieldsOf({ properties }: JsonObject): string {
  const names = Object.keys(typeof properties === 'object' && properties !== null ? properties : {});
  return names.length === 0 ? 'an empty object' : names.slice(0, mostFields).join(', ');
}
