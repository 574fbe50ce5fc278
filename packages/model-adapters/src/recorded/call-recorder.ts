import { SkillsError, type ModelAnswer } from '@skillpack/core';
import { providerErrors } from './cassette-line-schema.js';
import type { CassetteLines, CallOutcome } from './cassette-lines.js';
import type { CassetteWriter } from './cassette.js';
import type { TextForm } from './normalise-text.js';
import type { RecordedRequest } from './recorded-request.js';

/** Writes what comes of calls into a cassette, one after the other. */
export class CallRecorder {
  readonly #writer: CassetteWriter;
  readonly #lines: CassetteLines;
  readonly #form: TextForm;
  #last: Promise<unknown> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;

  constructor(writer: CassetteWriter, { lines, form }: { readonly lines: CassetteLines; readonly form: TextForm }) {
    this.#writer = writer;
    this.#lines = lines;
    this.#form = form;
  }

  async answered(request: RecordedRequest, answer: ModelAnswer): Promise<void> {
    // One without a text is none, as whoever asked will find.
    if (typeof answer.text !== 'string') return;
    await this.#append(request, { kind: 'answer', answer: plainAnswer(answer, this.#form) });
  }

  /** Records the error of a provider; others say nothing of what a model would answer. */
  async failed(request: RecordedRequest, error: unknown): Promise<void> {
    const outcome = errorOutcome(error, this.#form);
    if (outcome !== undefined) await this.#append(request, outcome);
  }

  /** @throws what could not be written: then a cassette that is written anew is left as it was. */
  async close(): Promise<void> {
    await this.#last;
    if (this.#failure === undefined) return this.#writer.commit();
    await this.#writer.discard();
    throw this.#failure.error;
  }

  async discard(): Promise<void> {
    await this.#last;
    await this.#writer.discard();
  }

  async #append(request: RecordedRequest, outcome: CallOutcome): Promise<void> {
    const writing = this.#last.then(async () => {
      if (this.#failure !== undefined) throw this.#failure.error;
      await this.#writer.append(this.#lines.of(request, outcome));
      this.#lines.wrote(request);
    });
    this.#last = writing.catch((error: unknown) => {
      this.#failure = { error };
    });
    return writing;
  }
}

const finishes: readonly unknown[] = ['stop', 'length', 'refused', 'other'] satisfies readonly ModelAnswer['finish'][];

/** Adapters come from anywhere: what a cassette could not be read with is left out. */
function plainAnswer(
  { text, reasoning, finish, usage }: ModelAnswer,
  form: TextForm,
): Extract<CallOutcome, { kind: 'answer' }>['answer'] {
  const { cost, inputTokens, outputTokens, ...parts } = usage;
  const names = (['cachedInputTokens', 'cacheWriteTokens', 'reasoningTokens'] as const).filter(
    (name) => parts[name] !== undefined,
  );
  return {
    text: form.record(text),
    ...(reasoning === undefined ? {} : { reasoning: form.record(reasoning) }),
    finish: finishes.includes(finish) ? finish : 'other',
    usage: {
      inputTokens: tokens(inputTokens),
      outputTokens: tokens(outputTokens),
      ...Object.fromEntries(names.map((name) => [name, tokens(parts[name] ?? 0)])),
      ...(cost !== undefined && Number.isFinite(cost) && cost >= 0 ? { cost } : {}),
    },
  };
}

function tokens(count: number): number {
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}

function errorOutcome(error: unknown, form: TextForm): CallOutcome | undefined {
  if (!SkillsError.is(error)) return undefined;
  const code = providerErrors.find((known) => known === error.code);
  if (code === undefined) return undefined;
  const { retryAfter } = error.data;
  return {
    kind: 'error',
    error: {
      code,
      message: form.record(error.message),
      ...(error.hint === undefined ? {} : { hint: form.record(error.hint) }),
      ...(typeof retryAfter === 'number' && retryAfter >= 0 && retryAfter < Infinity ? { retryAfter } : {}),
    },
  };
}
