import { escapedJson, type ModelMessage } from '@skillpack/core';
import type { CassetteCall, CassetteHeader, CassetteLine } from './cassette-line-schema.js';
import type { RecordedRequest } from './recorded-request.js';

/** What came of a call, as a line of a cassette tells it. */
export type CallOutcome =
  | { readonly kind: 'answer'; readonly answer: Extract<CassetteCall, { kind: 'answer' }>['answer'] }
  | { readonly kind: 'error'; readonly error: Extract<CassetteCall, { kind: 'error' }>['error'] };

/** The first line of a cassette. */
export function headerLine(header: Omit<CassetteHeader, 'kind' | 'formatVersion'>): string {
  const { skills, ...rest } = header;
  const sorted = Object.entries(skills ?? {}).toSorted(([left], [right]) => (left < right ? -1 : 1));
  const written = skills === undefined ? {} : { skills: Object.fromEntries(sorted) };
  return lineOf({ kind: 'cassette', formatVersion: 1, ...rest, ...written });
}

function lineOf(line: CassetteLine): string {
  return `${escapedJson(line)}\n`;
}

interface Written {
  readonly key: string;
  readonly messages: readonly ModelMessage[];
}

/** How many of the newest calls are looked at for the beginning of a conversation. */
const lookedAt = 32;

/** Makes the lines of one call after the other: no long text, and no message that an earlier line holds, stands twice. */
export class CassetteLines {
  readonly #digests: Set<string>;
  readonly #written: Written[] = [];

  /** @param digests of texts and tools that the cassette holds already. */
  constructor(digests: Iterable<string> = []) {
    this.#digests = new Set(digests);
  }

  of(request: RecordedRequest, outcome: CallOutcome): string {
    const { key, model, system, systemDigest, tools, toolsDigest, actions, answerSchema, messages } = request;
    const lines: CassetteLine[] = [];
    if (!this.#digests.has(systemDigest)) lines.push({ kind: 'text', digest: systemDigest, text: system });
    if (!this.#digests.has(toolsDigest)) lines.push({ kind: 'tools', digest: toolsDigest, tools: [...tools] });
    const after = this.#beginningOf(messages);
    const written = {
      model,
      system: systemDigest,
      tools: toolsDigest,
      actions: [...actions],
      answerSchema,
      ...(after === undefined ? {} : { after: after.key }),
      messages: messages.slice(after?.messages.length ?? 0),
    };
    const { kind, ...rest } = outcome;
    // Cast: the kind and what belongs to it came together.
    lines.push({ kind, key, request: written, ...rest } as CassetteLine);
    return lines.map(lineOf).join('');
  }

  /** To be called once the lines of a call are written: those that follow may point at them. */
  wrote({ key, systemDigest, toolsDigest, messages }: RecordedRequest): void {
    this.#digests.add(systemDigest).add(toolsDigest);
    this.#written.push({ key, messages });
    if (this.#written.length > lookedAt) this.#written.shift();
  }

  #beginningOf(messages: readonly ModelMessage[]): Written | undefined {
    const fitting = this.#written.filter((written) => beginsWith(messages, written.messages));
    return fitting.toSorted((left, right) => right.messages.length - left.messages.length)[0];
  }
}

function beginsWith(messages: readonly ModelMessage[], beginning: readonly ModelMessage[]): boolean {
  return (
    beginning.length > 0 &&
    beginning.length <= messages.length &&
    beginning.every((message, index) => isSameMessage(message, messages[index]))
  );
}

/** Whether two messages say the same. */
export function isSameMessage(left: ModelMessage, right: ModelMessage | undefined): boolean {
  if (right === undefined || left.role !== right.role || left.content !== right.content) return false;
  return left.role !== 'observation' || right.role !== 'observation' || left.ok === right.ok;
}
