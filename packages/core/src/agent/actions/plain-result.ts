import { isErrorCode } from '../../errors/is-error-code.js';
import { quoted } from '../../errors/quoted.js';
import { SkillsError } from '../../errors/skills-error.js';
import type { JsonObject } from '../../json/json-value.js';
import type { ToolOutput, ToolResult } from '../../tool/tool-result.js';
import { plainBytes } from '../plain-bytes.js';

/** What came of a tool, without the times. */
export type PlainResult = Pick<ToolResult, 'ok' | 'content' | 'contentForUser' | 'output' | 'error'> & {
  readonly outputs: readonly ToolOutput[];
};

/**
 * What a tool answered, in the form that a record has: tools come from anywhere, and types do not hold there.
 *
 * @throws `INTERNAL` for an answer that has nothing for the model to read.
 */
export function plainResult(answer: unknown, tool: string): PlainResult {
  const { ok, content, contentForUser, output, error, outputs } = fieldsOf(answer);
  if (typeof content !== 'string')
    throw new SkillsError('INTERNAL', `The tool ${quoted(tool, 64)} answered without a content.`);
  return {
    ok: ok === true,
    content: plainText(content),
    contentForUser: typeof contentForUser === 'string' ? plainText(contentForUser) : undefined,
    // What an object holds is made fit for a record with the event.
    output: fieldsOf(output) as JsonObject,
    error: error === undefined ? undefined : plainError(error),
    outputs: Array.isArray(outputs) ? outputs.flatMap(plainOutput) : [],
  };
}

/** What reads back as it was written: half a surrogate pair would not, nor a mark of the byte order at the beginning. */
function plainText(text: string): string {
  return text.toWellFormed().replace(/^\uFEFF+/u, '');
}

function plainError(error: unknown): ToolResult['error'] {
  const { code, message } = fieldsOf(error);
  return {
    code: isErrorCode(code) ? code : 'INTERNAL',
    message: typeof message === 'string' ? message : 'It failed without a message.',
  };
}

function plainOutput(output: unknown): readonly ToolOutput[] {
  const { name, bytes: given } = fieldsOf(output);
  const bytes = plainBytes(given);
  return bytes === undefined ? [] : [{ name: typeof name === 'string' ? name.toWellFormed() : 'output', bytes }];
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
