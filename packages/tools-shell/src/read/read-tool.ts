import { SkillsError, type Clock, type JsonObject, type Tool, type ToolResult } from '@skillpack/core';
import * as z from 'zod/mini';

/** What a read-only tool is. */
export interface ReadTool<Schema extends z.ZodMiniType> {
  readonly name: string;
  readonly description: string;
  readonly input: Schema;
  run(input: z.output<Schema>, signal: AbortSignal): ReadToolAnswer | Promise<ReadToolAnswer>;
}

/** What came of it. */
export type ReadToolAnswer = Required<Pick<ToolResult, 'content' | 'contentForUser' | 'output'>>;

/** A tool of it: what it was given is checked, and what goes wrong is a result. */
export function makeReadTool<Schema extends z.ZodMiniType>(
  { name, description, input: schema, run }: ReadTool<Schema>,
  clock: Clock,
): Tool {
  const work = async (
    input: unknown,
    signal: AbortSignal,
  ): Promise<Omit<ToolResult, 'started' | 'ended' | 'duration'>> => {
    try {
      checkAborted(signal);
      return { ok: true, ...(await run(parseInput(name, schema, input), signal)) };
    } catch (error) {
      checkAborted(signal);
      if (!SkillsError.is(error)) throw error;
      const { code, message, hint } = error;
      const content = hint === undefined ? message : `${message} ${hint}`;
      return { ok: false, content, output: {}, error: { code, message } };
    }
  };
  return {
    name,
    description,
    risk: 'low',
    // Cast: what a JSON Schema is written in is JSON.
    inputSchema: z.toJSONSchema(schema, { io: 'input' }) as unknown as JsonObject,
    async run(input, { signal }) {
      const started = clock.now();
      const result = await work(input, signal);
      const ended = clock.now();
      return { ...result, started, ended, duration: Math.max(0, ended - started) };
    },
  };
}

/** @throws `INTERRUPTED`. */
export function checkAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new SkillsError('INTERRUPTED', 'It was cancelled.', { cause: signal.reason });
}

function parseInput<Schema extends z.ZodMiniType>(name: string, schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.slice(0, 3).map((issue) => {
    const path = issue.path.map(String).join('.').slice(0, 100);
    return `${path === '' ? 'the input' : path}: ${problemOf(issue)}`;
  });
  throw new SkillsError('INVALID_INPUT', `The input of ${name} does not follow its schema: ${problems.join('; ')}.`, {
    data: { tool: name },
  });
}

function problemOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${issue.expected}`;
    case 'too_big':
      return `expected at most ${issue.maximum}`;
    case 'too_small':
      return `expected at least ${issue.minimum}`;
    case 'unrecognized_keys':
      return `unknown ${issue.keys.slice(0, 3).join(', ').slice(0, 100)}`;
    default:
      return 'expected another value';
  }
}
