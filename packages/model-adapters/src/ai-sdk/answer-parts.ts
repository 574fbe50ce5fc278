import type { LanguageModelV3StreamPart, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { maxAnswerLength, quoted, SkillsError } from '@skillpack/core';
import { hasTexts } from './has-texts.js';
import { isJson, isSameJson } from './same-json.js';

/** A part of an answer, as the AI SDK has it. */
export type AnswerPart = LanguageModelV4StreamPart | LanguageModelV3StreamPart;

/** What a part adds to an answer. */
export interface ToldPart {
  readonly text: string;
  readonly reasoning: string;
}

/** How parts are read. */
export interface AnswerPartsOptions {
  readonly model: string;
  /** The tool whose input is a decision. */
  readonly decide: string;
  /** Whether the answer is to be a call. */
  readonly calls: boolean;
}

interface Call {
  readonly kind: 'call';
  readonly id: string;
  readonly name: string;
  /** The arguments so far. */
  input: string;
  /** How much of them was told. */
  told: number;
  begun: boolean;
  /** Whether its deltas are the JSON of its input. */
  readonly streamed: boolean;
  state: 'open' | 'written' | 'whole';
}

interface Text {
  readonly kind: 'text';
  held: string;
}

/** Of one answer: of more, no decision would be read anyway. */
const maxCalls = 64;

const nothing: ToldPart = { text: '', reasoning: '' };

/**
 * Makes one text of the parts of an answer, whatever the order and the form they come in. What each part adds, joined, is
 * the text.
 *
 * - The call of the tool that takes a decision is its arguments, as they are written. The call of another tool is a
 *   decision to call that tool. Several calls stand on lines of their own, where whoever reads the text finds several
 *   decisions.
 * - Where a call is wanted, prose beside it goes to the reasoning; JSON beside it stays, as it may be another decision.
 * - A call that is not whole is never closed; nor is one without arguments at the end of an answer that was cut off, since
 *   they may have been to come.
 */
export class AnswerParts {
  readonly #options: AnswerPartsOptions;
  /** In the order in which they began; the first one is told as it grows, the others wait. */
  readonly #open: (Call | Text)[] = [];
  readonly #calls = new Map<string, Call>();
  #text = '';
  #reasoning = '';
  #thought: string | undefined;
  /** Text of which nobody knows yet whether a call follows. */
  #prose = '';
  /** What the text that is being written is. */
  #writing: 'unknown' | 'prose' | 'answer';
  #last: 'none' | 'text' | 'call' = 'none';
  #told: { text: string; reasoning: string } = { ...nothing };

  constructor(options: AnswerPartsOptions) {
    this.#options = options;
    this.#writing = options.calls ? 'unknown' : 'answer';
  }

  get text(): string {
    return this.#text;
  }

  get reasoning(): string {
    return this.#reasoning;
  }

  /** Whether more was written than anybody reads. */
  get full(): boolean {
    return this.#text.length + this.#waiting() > maxAnswerLength;
  }

  /** Whether a call began that is not whole. */
  get cut(): boolean {
    return [...this.#calls.values()].some(({ state }) => state !== 'whole');
  }

  /**
   * Takes the next part.
   *
   * @throws `REQUEST_REFUSED` for a call that the provider makes itself; `MODEL_ERROR` for parts that contradict each other,
   * and for one that is none.
   */
  take(part: AnswerPart): ToldPart {
    if (!hasTexts(part)) throw this.#noPart(part);
    switch (part.type) {
      case 'text-delta':
        this.#takeText(part.delta);
        break;
      case 'reasoning-delta':
        this.#think(part.delta, part.id);
        break;
      case 'tool-input-start':
        if (part.providerExecuted === true) throw this.#ownCall(part.toolName);
        this.#startCall(part.id, part.toolName, !('inputEncoding' in part) || part.inputEncoding !== 'text');
        break;
      case 'tool-input-delta':
        this.#growCall(part);
        break;
      case 'tool-input-end':
        this.#endInput(part.id);
        break;
      case 'tool-call':
        if (part.providerExecuted === true) throw this.#ownCall(part.toolName);
        this.#endCall(part);
        break;
      case 'tool-result':
        throw this.#ownCall(part.toolName);
      case 'tool-approval-request':
        throw this.#ownCall(part.toolCallId);
      default:
    }
    return this.#tellOpen();
  }

  /** Takes the end: what was held back is told. */
  end({ cutOff }: { readonly cutOff: boolean }): ToldPart {
    this.#keepProse();
    for (const call of this.#calls.values()) if (call.state === 'written' && isJson(call.input)) call.state = 'whole';
    while (this.#open.length > 0) {
      this.#tellFirst({ ended: !cutOff || this.#open.length > 1 });
      this.#open.shift();
    }
    return this.#take();
  }

  #takeText(delta: string): void {
    if (this.#writing === 'answer') {
      const last = this.#open.at(-1);
      if (last?.kind === 'text') last.held += delta;
      else this.#open.push({ kind: 'text', held: delta });
      return;
    }
    this.#prose += delta;
    if (this.#writing === 'unknown') {
      // What came before of it is blank. As JSON, or a fenced block of it, begins.
      const start = delta.trimStart();
      if (start === '') return;
      this.#writing = /^[{[`]/u.test(start) ? 'answer' : 'prose';
    }
    if (this.#writing === 'answer') this.#keepProse();
    else if (this.#calls.size > 0) this.#dropProse();
  }

  #keepProse(): void {
    if (this.#prose.trim() !== '') this.#open.push({ kind: 'text', held: this.#prose });
    this.#prose = '';
  }

  #dropProse(): void {
    if (this.#prose.trim() !== '') this.#think(this.#prose, `prose after ${this.#calls.size} calls`);
    this.#prose = '';
  }

  #think(delta: string, id: string): void {
    if (delta === '' || this.#reasoning.length > maxAnswerLength) return;
    const piece = this.#thought === undefined || this.#thought === id ? delta : `\n\n${delta}`;
    this.#thought = id;
    this.#reasoning += piece;
    this.#told.reasoning += piece;
  }

  #startCall(id: string, name: string, streamed: boolean): Call {
    const known = this.#calls.get(id);
    if (known !== undefined) {
      if (known.name !== name) throw this.#contradiction(known);
      return known;
    }
    const call: Call = { kind: 'call', id, name, input: '', told: 0, begun: false, streamed, state: 'open' };
    if (this.#calls.size === maxCalls) throw this.#tooManyCalls();
    if (this.#options.calls) {
      this.#dropProse();
      this.#writing = 'unknown';
    }
    this.#calls.set(id, call);
    this.#open.push(call);
    return call;
  }

  #growCall({ id, delta }: { readonly id: string; readonly delta: string }): void {
    const call = this.#calls.get(id);
    if (call === undefined || !call.streamed) return;
    if (call.state !== 'open') throw this.#contradiction(call);
    call.input += delta;
  }

  #endInput(id: string): void {
    const call = this.#calls.get(id);
    if (call?.state === 'open') call.state = 'written';
  }

  /** The input that comes with the whole call counts: what was told of it before has to be the same, or its beginning. */
  #endCall({ toolCallId, toolName, input }: { toolCallId: string; toolName: string; input: string }): void {
    const call = this.#startCall(toolCallId, toolName, true);
    if (call.state === 'whole' || !input.startsWith(call.input)) {
      if (!isSameJson(call.input, input)) throw this.#contradiction(call);
    } else call.input = input;
    call.state = 'whole';
  }

  #tellOpen(): ToldPart {
    while (this.#open.length > 0) {
      const followed = this.#open.length > 1;
      this.#tellFirst({ ended: followed });
      const [first] = this.#open;
      const done = first?.kind === 'call' ? first.state === 'whole' && (followed || !this.#mayGoOn(first)) : followed;
      if (!done) break;
      this.#open.shift();
    }
    return this.#take();
  }

  /** @param ended whether more of it cannot come. */
  #tellFirst({ ended }: { readonly ended: boolean }): void {
    const [first] = this.#open;
    if (first?.kind === 'text') {
      if (first.held === '') return;
      this.#write(this.#last === 'call' ? `\n${first.held}` : first.held);
      first.held = '';
      this.#last = 'text';
    } else if (first?.kind === 'call') this.#tellCall(first, { ended });
  }

  /** Whether its arguments may only be to come: packages of providers write none as an empty object, too. */
  #mayGoOn({ name, input }: Call): boolean {
    return name !== this.#options.decide && /^\s*(?:\{\s*\}\s*)?$/u.test(input);
  }

  #tellCall(call: Call, { ended }: { readonly ended: boolean }): void {
    const isDecision = call.name === this.#options.decide;
    if (!call.begun) {
      const before = this.#last === 'none' ? '' : '\n';
      this.#write(
        isDecision ? before : `${before}{"action":{"kind":"call_tool","tool":${JSON.stringify(call.name)},"input":`,
      );
      call.begun = true;
      this.#last = 'call';
    }
    this.#write(call.input.slice(call.told));
    call.told = call.input.length;
    if (call.state !== 'whole' || (!ended && this.#mayGoOn(call))) return;
    // Servers send no arguments for a tool that takes none.
    if (call.input.trim() === '') this.#write('{}');
    if (!isDecision && (call.input.trim() === '' || isJson(call.input))) this.#write('}}');
  }

  #write(text: string): void {
    this.#text += text;
    this.#told.text += text;
  }

  #take(): ToldPart {
    const told = this.#told;
    this.#told = { ...nothing };
    return told;
  }

  #waiting(): number {
    const held = this.#open.map((one) => (one.kind === 'text' ? one.held.length : one.input.length - one.told));
    return held.reduce((sum, length) => sum + length, this.#prose.length);
  }

  #ownCall(name: string): SkillsError {
    return new SkillsError(
      'REQUEST_REFUSED',
      `The provider of ${this.#options.model} runs the tool ${quoted(name)} itself; in an agent, a model only decides.`,
      { hint: 'Take tools of the provider out of its options.' },
    );
  }

  #noPart({ type }: AnswerPart): SkillsError {
    return new SkillsError(
      'MODEL_ERROR',
      `The provider of ${this.#options.model} sent a ${quoted(type)} without its text.`,
      {
        hint: 'Ask again.',
      },
    );
  }

  #tooManyCalls(): SkillsError {
    return new SkillsError('MODEL_ERROR', `The model ${this.#options.model} made more than ${maxCalls} calls at once.`);
  }

  #contradiction({ name }: Call): SkillsError {
    return new SkillsError(
      'MODEL_ERROR',
      `The provider of ${this.#options.model} sent two different calls of the tool ${quoted(name)} under one id.`,
      { hint: 'Ask again.' },
    );
  }
}
