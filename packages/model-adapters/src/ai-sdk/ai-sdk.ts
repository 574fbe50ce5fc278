import type { LanguageModelV3, LanguageModelV4 } from '@ai-sdk/provider';
import {
  type Clock,
  type DecideOptions,
  type ModelAdapter,
  type ModelAnswer,
  type ModelRequest,
  SkillsError,
} from '@skillpack/core';
import { readProviderError } from '../http/read-provider-error.js';
import { secretHeaderValues } from '../http/secret-header-values.js';
import { defaultModels } from '../models/default-models.js';
import { costOf } from '../models/cost-of.js';
import { findModel } from '../models/find-model.js';
import type { AiSdkOptions } from './ai-sdk-options.js';
import { type AskProviderOptions, askProvider, type ProviderModel } from './ask-provider.js';
import type { ToldPart } from './answer-parts.js';
import { CallWatch } from './call-watch.js';
import { checkAiSdkOptions } from './check-ai-sdk-options.js';
import { FormLadder } from './form-ladder.js';
import { makeCall } from './make-call.js';
import { platformClock } from './platform-clock.js';
import { refusedPart, warnsOfForm } from './refused-part.js';

/**
 * Any model of the AI SDK: an object of the specification `v4` or `v3`, as each provider package makes it. The package
 * `ai` is not needed.
 *
 * @example
 * ```ts
 * import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
 *
 * const model = aiSdk(createOpenAICompatible({ name: 'local', baseURL: 'http://localhost:8080/v1' })('qwen3'));
 * ```
 *
 * @throws `USAGE` for a model of another specification, or its name alone, and for options that cannot be.
 */
export function aiSdk(model: LanguageModelV4 | LanguageModelV3, options: AiSdkOptions = {}): ModelAdapter {
  const name = checkAiSdkOptions(model, options);
  const { clock = platformClock, models = defaultModels, nativeTools = false, stream = true } = options;
  const facts = findModel(models, name);
  const secrets = secretHeaderValues(options.headers ?? {});
  const asking: Asking = {
    model,
    ladder: new FormLadder(options),
    clock,
    options,
    provider: { name, stream, prices: facts?.prices },
    readError: options.readError ?? ((error) => readProviderError(error, { model: name, now: clock.now(), secrets })),
  };
  return {
    name,
    contextTokens: options.contextTokens ?? facts?.contextTokens ?? 128_000,
    nativeTools,
    costOf: (usage) => costOf(usage, facts?.prices),
    decide: async (request, how) => decide(request, how, asking),
  };
}

interface Asking {
  readonly model: ProviderModel;
  readonly ladder: FormLadder;
  readonly clock: Clock;
  readonly options: AiSdkOptions;
  readonly provider: AskProviderOptions;
  readonly readError: (error: unknown) => SkillsError;
}

async function decide(request: ModelRequest, how: DecideOptions, asking: Asking): Promise<ModelAnswer> {
  const { model, ladder, clock, options, provider, readError } = asking;
  const watch = new CallWatch({ cancelled: how.signal, clock, timeout: options.timeout ?? {}, model: provider.name });
  const listener = new Listener(how);
  let asked = ladder.current;
  try {
    for (;;) {
      try {
        const ports = { model, watch, tell: listener.tell };
        const { answer, warnings } = await askProvider(makeCall(request, asked, options), ports, provider);
        ladder.settle(warnsOfForm(warnings, asked) ? ladder.after(asked, 'form') : asked);
        return answer;
      } catch (error) {
        if (listener.threw) throw error;
        const means = SkillsError.is(error) ? error : readError(error);
        // What was told cannot be taken back.
        const refused = listener.told ? undefined : refusedPart(error, asked, means);
        const next = refused && ladder.after(asked, refused);
        if (next === undefined) throw means;
        asked = next;
      }
    }
  } finally {
    watch.end();
  }
}

/** Whoever hears an answer. */
class Listener {
  readonly #how: DecideOptions;
  /** Whether anything was told. */
  told = false;
  /** Whether the listener threw. */
  threw = false;

  constructor(how: DecideOptions) {
    this.#how = how;
  }

  readonly tell = ({ text, reasoning }: ToldPart): void => {
    const { onText, onReasoning, signal } = this.#how;
    this.told = true;
    this.threw = true;
    if (reasoning !== '') onReasoning?.(reasoning);
    if (text !== '' && !signal.aborted) onText?.(text);
    this.threw = false;
  };
}
