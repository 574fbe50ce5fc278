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
  run(input: Input, context: ToolContext): string | ToolOutcome | Promise<string | ToolOutcome>;
}

const toolName = /^[A-Za-z0-9_-]{1,64}$/u;
const mostIssues = 5;
const mostFields = 20;

/** @throws `USAGE` for a name that no model could call. */
export function checkToolName(name: unknown): asserts name is string {
  if (typeof name === 'string' && toolName.test(name)) return;
  const found = typeof name === 'string' ? quoted(name) : 'without a name';
  throw new SkillsError('USAGE', `A tool is called by 1 to 64 of letters, digits, _ and -, not ${found}.`);
}

const risks: readonly unknown[] = ['low', 'medium', 'high'] satisfies readonly RiskClass[];

/**
 * Whoever makes a tool may write in a language without types.
 *
 * @throws `USAGE` for a tool that cannot be described or run.
 */
export function checkToolParts(tool: Pick<ToolParts<never>, 'name' | 'description' | 'run'>): void {
  const { name, description, run }: Readonly<Record<string, unknown>> = { ...tool };
  const told = quoted(String(name), 64);
  if (typeof description !== 'string') throw new SkillsError('USAGE', `The tool ${told} has no description.`);
  if (typeof run !== 'function') throw new SkillsError('USAGE', `The tool ${told} has no function “run”.`);
}

/** Whether it is one of the three that there are. */
export function isRisk(risk: unknown): risk is RiskClass {
  return risks.includes(risk);
}

/** @throws `USAGE` for a risk that is none. */
export function checkRisk({ name, risk }: { readonly name: string; readonly risk: unknown }): void {
  if (isRisk(risk)) return;
  const told = quoted(name, 64);
  const found = typeof risk === 'string' ? `the risk ${quoted(risk, 64)}` : 'no risk';
  throw new SkillsError('USAGE', `The tool ${told} has ${found}; expected low, medium or high.`, {
    hint: 'Write low for what only reads, medium for what changes what can be had back, high for all else.',
  });
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
      return outcomeOf(await parts.run(taken(given), context), name);
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

/** @throws `INTERNAL` for what has nothing that a model could read. */
function outcomeOf(answer: string | ToolOutcome, name: string): ToolOutcome {
  const outcome = typeof answer === 'string' ? { content: answer } : answer;
  // It may be written in a language without types.
  const { content }: { readonly content?: unknown } = typeof outcome === 'object' && outcome !== null ? outcome : {};
  if (typeof content === 'string') return outcome;
  throw new TypeError(
    `The tool ${quoted(name, 64)} answered without a content: its run returns a text, or { content }.`,
  );
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
