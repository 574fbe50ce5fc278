import { type ModelMessage, SkillsError, visibleText } from '@skillpack/core';
import { isSameMessage } from './cassette-lines.js';
import { messagesOf, type RecordedCall, type Recording } from './parse-cassette.js';
import type { RecordedRequest } from './recorded-request.js';

/** What is known where an answer is missing. */
export interface Miss {
  readonly request: RecordedRequest;
  readonly recording: Pick<Recording, 'calls' | 'cutOff'>;
  /** What messages call the cassette. */
  readonly name: string;
  /** How many answers there are to this request, all of which were given. */
  readonly given: number;
}

const hint =
  'Record the run again, or only what is missing. A text that differs from one machine to another, such as a path or a time, is to be replaced in both.';

/** What is thrown for a request that was not recorded: with the request that is nearest to it, and how that differs. */
export function describeMiss({ request, recording, name, given }: Miss): SkillsError {
  const { calls, cutOff } = recording;
  const end = cutOff === undefined ? '' : ` Its last line, ${cutOff}, is cut off.`;
  const whose = `${request.model} with ${count(request.messages.length, 'message')}`;
  const data = { cassette: name, key: request.key, calls: calls.length };
  if (given > 0) {
    const told = `The cassette ${name} holds ${count(given, 'answer')} to this request of ${whose}, and it is made once more.${end}`;
    return new SkillsError('RECORDING_NOT_FOUND', told, { hint, data });
  }
  const nearest = nearestCall(request, calls);
  if (nearest === undefined) {
    return new SkillsError(
      'RECORDING_NOT_FOUND',
      `The cassette ${name} holds no calls, such as this request of ${whose}.${end}`,
      {
        hint,
        data,
      },
    );
  }
  const diff = differences(nearest, request).join('\n');
  return new SkillsError(
    'RECORDING_NOT_FOUND',
    `The cassette ${name} holds no answer to this request of ${whose}.${end} The nearest of its ${count(calls.length, 'call')}, on line ${nearest.line}, differs:\n${diff}`,
    { hint, data: { ...data, nearest: nearest.line, diff } },
  );
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Messages, and calls before: a hostile cassette may have as many calls, and each as many messages, as there may be. */
const mostCompared = 1_000_000;

/** As many messages, the longest common beginning, then the most similar next message. */
function nearestCall(request: RecordedRequest, calls: readonly RecordedCall[]): RecordedCall | undefined {
  const distance = ({ length }: RecordedCall): number => Math.abs(length - request.messages.length);
  const comparison = new Comparison(request);
  let compared = 0;
  let best: { readonly call: RecordedCall; readonly rank: readonly number[] } | undefined;
  for (const call of calls.toSorted((left, right) => distance(left) - distance(right))) {
    compared += call.length + call.depth;
    if (compared > mostCompared) break;
    const rank = [-distance(call), ...comparison.rankOf(call)];
    if (best === undefined || isHigher(rank, best.rank)) best = { call, rank };
  }
  return best?.call;
}

interface Compared {
  readonly same: boolean;
  /** Code units at the beginning of both. */
  readonly common: number;
}

/** Compares a request with calls. Many calls of a hostile cassette may share one long message: it is looked at once. */
class Comparison {
  readonly #request: RecordedRequest;
  readonly #compared = new Map<ModelMessage, Compared>();

  constructor(request: RecordedRequest) {
    this.#request = request;
  }

  rankOf(call: RecordedCall): readonly number[] {
    const { messages, system, model } = this.#request;
    const recorded = messagesOf(call);
    const differs = messages.findIndex((_, index) => !this.#compare(recorded[index], index).same);
    const common = differs === -1 ? messages.length : differs;
    const similar = this.#compare(recorded[common], common).common;
    const same = [call.system === system, call.call.request.model === model].filter(Boolean).length;
    return [common, same, similar];
  }

  /** A message of a cassette has the same index in each call that it belongs to. */
  #compare(recorded: ModelMessage | undefined, index: number): Compared {
    const asked = this.#request.messages[index];
    if (recorded === undefined || asked === undefined) return { same: false, common: 0 };
    const known = this.#compared.get(recorded);
    if (known !== undefined) return known;
    const same = isSameMessage(asked, recorded);
    const compared = { same, common: same ? 0 : commonLength(recorded.content, asked.content) };
    this.#compared.set(recorded, compared);
    return compared;
  }
}

function isHigher(left: readonly number[], right: readonly number[]): boolean {
  const at = left.findIndex((value, index) => value !== right[index]);
  return at !== -1 && (left[at] ?? 0) > (right[at] ?? 0);
}

function commonLength(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left.charAt(length) === right.charAt(length)) length += 1;
  return length;
}

const mostParts = 3;

function differences(nearest: RecordedCall, request: RecordedRequest): readonly string[] {
  const recorded = partsOf({
    model: nearest.call.request.model,
    system: nearest.system,
    tools: nearest.tools,
    actions: nearest.call.request.actions,
    messages: messagesOf(nearest),
  });
  const asked = partsOf(request);
  const names = [...new Set([...recorded.keys(), ...asked.keys()])];
  const different = names.filter((name) => recorded.get(name) !== asked.get(name));
  if (different.length === 0) return ['the schema of the answer, which comes with the version of skillpack'];
  const told = different.slice(0, mostParts).flatMap((name) => differenceIn(name, recorded.get(name), asked.get(name)));
  return different.length > mostParts ? [...told, `and ${different.length - mostParts} more parts`] : told;
}

/** The parts of a request by what they are called, each as lines. */
function partsOf({
  model,
  system,
  tools,
  actions,
  messages,
}: Pick<RecordedRequest, 'model' | 'system' | 'tools' | 'actions' | 'messages'>): ReadonlyMap<string, string> {
  return new Map([
    ['model', model],
    ...messages.map((message, index): [string, string] => {
      const role = message.role === 'observation' && !message.ok ? 'failed observation' : message.role;
      return [`message ${index + 1} (${role})`, message.content];
    }),
    ['tools', tools.map((tool) => JSON.stringify(tool)).join('\n')],
    ['actions', actions.join('\n')],
    ['system text', system],
  ]);
}

const mostLines = 4;

/** What was recorded with `-`, what is asked with `+`: the lines from the first that differs to the last that does. */
function differenceIn(name: string, recorded: string | undefined, asked: string | undefined): readonly string[] {
  const old = linesOf(recorded);
  const now = linesOf(asked);
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const at = Math.max(0, commonLength(old[start] ?? '', now[start] ?? '') - before);
  const shown = (lines: readonly string[], sign: string): readonly string[] => {
    const changed = lines.slice(start, lines.length - end);
    const more = changed.length > mostLines ? [`${sign} … ${count(changed.length - mostLines, 'more line')}`] : [];
    return [...changed.slice(0, mostLines).map((line) => `${sign} ${shortened(line, at)}`), ...more];
  };
  const where =
    recorded === undefined ? 'was not there' : asked === undefined ? 'is not there now' : `line ${start + 1}`;
  return [`${name}, ${where}:`, ...shown(old, '-'), ...shown(now, '+')];
}

function linesOf(text: string | undefined): readonly string[] {
  return text === undefined || text === '' ? [] : text.split('\n');
}

const before = 30;
const width = 120;

function shortened(line: string, at: number): string {
  const from = line.length <= width ? 0 : Math.min(at, line.length - width);
  const cut = line.slice(from, from + width).toWellFormed();
  return `${from > 0 ? '…' : ''}${visibleText(cut)}${from + width < line.length ? '…' : ''}`;
}
