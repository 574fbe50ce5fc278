import { readDocument, SkillsError, type ModelMessage, type ToolDescription } from '@skillpack/core';
import {
  cassetteLineSchema,
  type CassetteCall,
  type CassetteHeader,
  type CassetteLine,
} from './cassette-line-schema.js';

/** What a cassette holds. */
export interface Recording {
  readonly header: CassetteHeader;
  readonly calls: readonly RecordedCall[];
  /** The number of a last line that was cut off, which is left out. */
  readonly cutOff: number | undefined;
}

/** A call on a line of a cassette. */
export interface RecordedCall {
  /** The number of its line, from 1. */
  readonly line: number;
  readonly call: CassetteCall;
  readonly system: string;
  readonly tools: readonly ToolDescription[];
  /** The call whose messages come before its own. */
  readonly after: RecordedCall | undefined;
  /** How many messages it has with those. */
  readonly length: number;
  /** How many calls come before it in that way. */
  readonly depth: number;
}

const limits = { line: 16 * 1024 * 1024, lines: 50_000, calls: 10_000, messages: 10_000 } as const;

/**
 * Reads a cassette that nobody vouches for.
 *
 * @param name what messages call it.
 * @throws `INVALID_CASSETTE`, with the number of the line; `UNSUPPORTED_FORMAT`.
 */
export function parseCassette(text: string, name: string): Recording {
  const lines = text.split('\n', limits.lines + 1);
  if (lines.length > limits.lines) throw invalid(name, limits.lines, `it has more than ${limits.lines} lines`);
  const reading = new Reading(name);
  let cutOff: number | undefined;
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const number = index + 1;
    if (number === lines.length && number > 1 && !isWhole(line)) cutOff = number;
    else reading.add(readLine(line, name, number), number);
  }
  return { ...reading.end(), cutOff };
}

/** What was written in one go, and not to its end, is no JSON. */
function isWhole(line: string): boolean {
  return line.trimEnd().endsWith('}') && line.length <= limits.line && isJson(line);
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

function readLine(line: string, name: string, number: number): CassetteLine {
  return readDocument(line, cassetteLineSchema, {
    what: `The cassette ${name}, line ${number},`,
    code: 'INVALID_CASSETTE',
    maxLength: limits.line,
    hint,
  });
}

const hint = 'Record it anew, or take back what was changed in it.';

function invalid(name: string, line: number, problem: string): SkillsError {
  return new SkillsError('INVALID_CASSETTE', `The cassette ${name}, line ${line}, is not valid: ${problem}.`, {
    hint,
    data: { cassette: name, line },
  });
}

class Reading {
  readonly #name: string;
  #header: CassetteHeader | undefined;
  readonly #texts = new Map<string, string>();
  readonly #tools = new Map<string, readonly ToolDescription[]>();
  readonly #byKey = new Map<string, RecordedCall>();
  readonly #calls: RecordedCall[] = [];

  constructor(name: string) {
    this.#name = name;
  }

  add(line: CassetteLine, number: number): void {
    if ((line.kind === 'cassette') !== (this.#header === undefined)) {
      const problem =
        line.kind === 'cassette'
          ? 'there is a second line of the kind cassette'
          : 'the first line of a cassette is of the kind cassette';
      throw invalid(this.#name, number, problem);
    }
    if (line.kind === 'cassette') this.#header = line;
    else if (line.kind === 'text') this.#texts.set(line.digest, line.text);
    // Cast: a schema in JSON is an object of JSON values.
    else if (line.kind === 'tools') this.#tools.set(line.digest, line.tools as readonly ToolDescription[]);
    else this.#addCall(line, number);
  }

  end(): Omit<Recording, 'cutOff'> {
    if (this.#header === undefined) throw invalid(this.#name, 1, 'it is empty');
    return { header: this.#header, calls: this.#calls };
  }

  #addCall(call: CassetteCall, line: number): void {
    const { system: systemDigest, tools: toolsDigest, after: afterKey, messages } = call.request;
    const system = this.#texts.get(systemDigest);
    const tools = this.#tools.get(toolsDigest);
    const after = afterKey === undefined ? undefined : this.#byKey.get(afterKey);
    const missing = [
      ...(system === undefined ? [systemDigest] : []),
      ...(tools === undefined ? [toolsDigest] : []),
      ...(afterKey !== undefined && after === undefined ? [afterKey] : []),
    ];
    if (system === undefined || tools === undefined || missing[0] !== undefined) {
      throw invalid(this.#name, line, `no line before it has ${missing[0] ?? 'what it names'}`);
    }
    const length = (after?.length ?? 0) + messages.length;
    if (length > limits.messages) throw invalid(this.#name, line, `it has more than ${limits.messages} messages`);
    if (this.#calls.length >= limits.calls)
      throw invalid(this.#name, line, `there are more than ${limits.calls} calls`);
    const recorded: RecordedCall = {
      line,
      call,
      system,
      tools,
      after,
      length,
      depth: after === undefined ? 0 : after.depth + 1,
    };
    this.#calls.push(recorded);
    this.#byKey.set(call.key, recorded);
  }
}

/** All messages of a call, those that stand on lines before included. */
export function messagesOf(call: RecordedCall): readonly ModelMessage[] {
  const parts: (readonly ModelMessage[])[] = [];
  for (let at: RecordedCall | undefined = call; at !== undefined; at = at.after) parts.push(at.call.request.messages);
  return parts.toReversed().flat();
}
