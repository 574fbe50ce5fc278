import type {
  LanguageModelV3CallOptions,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamResult,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamResult,
} from '@ai-sdk/provider';
import { type ModelAnswer, SkillsError } from '@skillpack/core';
import type { ModelPrices } from '../models/model-table.js';
import { AnswerParts, type AnswerPart, type ToldPart } from './answer-parts.js';
import type { CallWatch } from './call-watch.js';
import type { ProviderCall } from './make-call.js';
import { readUsage } from './read-usage.js';
import type { CallWarning } from './refused-part.js';

/** A model of the AI SDK, as far as both specifications are the same: what is asked of it is the same in both. */
export interface ProviderModel {
  doStream(
    options: LanguageModelV4CallOptions & LanguageModelV3CallOptions,
  ): PromiseLike<LanguageModelV4StreamResult | LanguageModelV3StreamResult>;
  doGenerate(
    options: LanguageModelV4CallOptions & LanguageModelV3CallOptions,
  ): PromiseLike<LanguageModelV4GenerateResult | LanguageModelV3GenerateResult>;
}

/** Of whom is asked, and who hears it. */
export interface AskProviderPorts {
  readonly model: ProviderModel;
  readonly watch: CallWatch;
  /** Told of each piece that is not empty; not any more once nobody waits. */
  readonly tell: (piece: ToldPart) => void;
}

/** How a provider is asked. */
export interface AskProviderOptions {
  readonly name: string;
  readonly stream: boolean;
  readonly prices: ModelPrices | undefined;
}

/** What a provider answered, and what it warned of. */
export interface ProviderAnswer {
  readonly answer: ModelAnswer;
  readonly warnings: readonly CallWarning[];
}

/**
 * Asks a provider once, in one form.
 *
 * @throws what the provider throws or sends as an error, as it is; `INTERRUPTED`, `TIMEOUT`; `MODEL_ERROR` and
 * `NETWORK_ERROR` for an answer that is no whole one; `REQUEST_REFUSED` for a tool that the provider runs itself.
 */
export async function askProvider(
  { call, decide, asked: { form } }: ProviderCall,
  ports: AskProviderPorts,
  options: AskProviderOptions,
): Promise<ProviderAnswer> {
  const { watch, model } = ports;
  const parts = new AnswerParts({ model: options.name, decide, calls: form === 'tools' });
  const reading = new Reading(parts, ports, options);
  // Cast: both specifications have these fields.
  const given = { ...call, abortSignal: watch.signal } as LanguageModelV4CallOptions & LanguageModelV3CallOptions;
  if (options.stream) {
    const { stream } = await watch.until(
      () => model.doStream(given),
      (late) => closeQuietly(() => late.stream.cancel()),
    );
    await readStream(stream, reading, watch);
  } else {
    const generated = await watch.until(() => model.doGenerate(given));
    for (const part of partsOf(generated, form === 'schema')) if (!reading.take(part)) break;
  }
  return reading.end();
}

async function readStream(stream: ReadableStream<AnswerPart>, reading: Reading, watch: CallWatch): Promise<void> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await watch.until(() => reader.read());
      if (done || !reading.take(value)) return;
    }
  } finally {
    // Closes the connection, whoever keeps it.
    closeQuietly(() => reader.cancel());
  }
}

/** Nobody waits for that, nor hears what comes of it: what a provider calls a stream may be none. */
function closeQuietly(close: () => PromiseLike<void>): void {
  (async () => close())().catch(() => {});
}

type Generated = LanguageModelV4GenerateResult | LanguageModelV3GenerateResult;

/** An answer that came whole, as the parts of a stream. */
function* partsOf(generated: Generated, structured: boolean): Generator<AnswerPart> {
  const { content, finishReason, usage, warnings } = generated;
  yield { type: 'stream-start', warnings };
  const selected = structured && 'structuredOutputText' in generated ? generated.structuredOutputText : undefined;
  for (const [index, part] of content.entries()) {
    const id = String(index);
    if (part.type === 'reasoning') yield { type: 'reasoning-delta', id, delta: part.text };
    else if (part.type !== 'text') yield part;
    else if (selected === undefined) yield { type: 'text-delta', id, delta: part.text };
  }
  if (selected !== undefined) yield { type: 'text-delta', id: 'selected', delta: selected };
  yield { type: 'finish', finishReason, usage };
}

type Finish = AnswerPart & { readonly type: 'finish' };

/** Reads parts, and tells what they add. */
class Reading {
  readonly #parts: AnswerParts;
  readonly #ports: AskProviderPorts;
  readonly #options: AskProviderOptions;
  #finish: Finish | undefined;
  #warnings: readonly CallWarning[] = [];

  constructor(parts: AnswerParts, ports: AskProviderPorts, options: AskProviderOptions) {
    this.#parts = parts;
    this.#ports = ports;
    this.#options = options;
  }

  /** Takes the next part. Whether more are wanted. */
  take(part: AnswerPart): boolean {
    if (part.type === 'error') throw part.error;
    if (part.type === 'stream-start') this.#warnings = part.warnings ?? [];
    if (part.type === 'finish') {
      this.#finish = part;
      return false;
    }
    this.#tell(this.#parts.take(part));
    return !this.#parts.full;
  }

  end(): ProviderAnswer {
    const { prices } = this.#options;
    const finish = this.#finishOf();
    this.#tell(this.#parts.end({ cutOff: finish === 'length' || finish === 'refused' }));
    const { text, reasoning } = this.#parts;
    return {
      answer: {
        text,
        finish: finish === 'stop' && (text === '' || this.#parts.cut) ? 'other' : finish,
        usage: readUsage(this.#finish?.usage, prices),
        ...(reasoning === '' ? {} : { reasoning }),
      },
      warnings: this.#warnings,
    };
  }

  #tell(piece: ToldPart): void {
    if (piece.text === '' && piece.reasoning === '') return;
    this.#ports.watch.heard();
    this.#ports.tell(piece);
    // Whoever heard it may have given up.
    this.#ports.watch.check();
  }

  #finishOf(): ModelAnswer['finish'] {
    const { name } = this.#options;
    if (this.#parts.full) return 'length';
    if (this.#finish === undefined) {
      throw new SkillsError('NETWORK_ERROR', `The answer of the model ${name} broke off before its end.`);
    }
    // An early form of the third specification has the reason alone.
    const reason = this.#finish.finishReason as Finish['finishReason'] | string | undefined;
    switch (typeof reason === 'string' ? reason : reason?.unified) {
      case 'stop':
      case 'tool-calls':
        return 'stop';
      case 'length':
        return 'length';
      case 'content-filter':
        return 'refused';
      case 'interrupted':
        throw new SkillsError('NETWORK_ERROR', `The answer of the model ${name} broke off before its end.`);
      case 'error':
        throw new SkillsError('MODEL_ERROR', `The model ${name} ended its answer with an error.`, {
          hint: 'Ask again.',
        });
      default:
        return 'other';
    }
  }
}
