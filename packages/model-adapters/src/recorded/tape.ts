import {
  checkAborted,
  untilAborted,
  type DecideOptions,
  type ModelAdapter,
  type ModelAnswer,
  type ModelRequest,
} from '@skillpack/core';
import type { CallRecorder } from './call-recorder.js';
import { describeMiss } from './describe-miss.js';
import type { TextForm } from './normalise-text.js';
import type { Recording } from './parse-cassette.js';
import { RecordedCalls, type TakenCall } from './recorded-calls.js';
import type { RecordedModel, RecordedOptions } from './recorded-options.js';
import { recordedRequest, type RecordedRequest } from './recorded-request.js';
import { replayCall } from './replay-call.js';

/** What a tape is made of. */
export interface TapeParts {
  /** What is told of the model. */
  readonly about: Pick<ModelAdapter, 'name' | 'contextTokens' | 'nativeTools'>;
  /** The name by which calls are looked up. */
  readonly recordedName: string;
  /** What messages call the cassette. */
  readonly cassette: string;
  readonly form: TextForm;
  /** What is replayed. */
  readonly recording: Pick<Recording, 'calls' | 'cutOff'>;
  /** Who is asked for what was not recorded, and who writes it down. @default nobody: it fails */
  readonly live: { readonly model: ModelAdapter; readonly recorder: CallRecorder } | undefined;
  readonly chunks: RecordedOptions['chunks'];
}

interface Found {
  readonly asked: RecordedRequest;
  readonly taken: TakenCall | undefined;
}

/** Calls of a model that are replayed, recorded, or both. */
export class Tape {
  readonly #parts: TapeParts;
  readonly #calls: RecordedCalls;
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: TapeParts) {
    this.#parts = parts;
    this.#calls = new RecordedCalls(parts.recording.calls);
  }

  /** The model that it is. Its functions can be taken from it. */
  asModel(): RecordedModel {
    const { name, contextTokens, nativeTools } = this.#parts.about;
    return {
      name,
      contextTokens,
      ...(nativeTools === undefined ? {} : { nativeTools }),
      decide: async (request, options) => this.decide(request, options),
      close: async () => this.close(),
      discard: async () => this.discard(),
    };
  }

  async decide(request: ModelRequest, options: DecideOptions): Promise<ModelAnswer> {
    const { asked, taken } = await this.#findUntilAborted(request, options.signal);
    if (taken !== undefined) return this.#replay(taken, options);
    const { live, recording, cassette: name } = this.#parts;
    if (live === undefined)
      throw describeMiss({ request: asked, recording, name, given: this.#calls.countOf(asked.key) });
    let answer: ModelAnswer;
    try {
      answer = await live.model.decide(request, options);
    } catch (error) {
      await live.recorder.failed(asked, error);
      throw error;
    }
    await live.recorder.answered(asked, answer);
    return answer;
  }

  async close(): Promise<void> {
    await this.#parts.live?.recorder.close();
  }

  async discard(): Promise<void> {
    await this.#parts.live?.recorder.discard();
  }

  async #findUntilAborted(request: ModelRequest, signal: AbortSignal): Promise<Found> {
    checkAborted(signal, 'The call of the model');
    const finding = this.#find(request);
    try {
      return await untilAborted(() => finding, signal, 'The call of the model');
    } catch (error) {
      // Nobody takes what is found.
      void finding.then(
        ({ taken }) => taken?.giveBack(),
        () => undefined,
      );
      throw error;
    }
  }

  /** One after the other, so that of calls at the same time the first gets the first answer. */
  async #find(request: ModelRequest): Promise<Found> {
    const { form, recordedName: model } = this.#parts;
    const finding = this.#last.then(async () => {
      const asked = await recordedRequest(request, { form, model });
      return { asked, taken: this.#calls.take(asked.key) };
    });
    this.#last = finding.catch(() => undefined);
    return finding;
  }

  #replay({ call, giveBack }: TakenCall, options: DecideOptions): ModelAnswer {
    const { form, chunks } = this.#parts;
    try {
      return replayCall(call.call, options, { form, chunks });
    } catch (error) {
      if (options.signal.aborted) giveBack();
      throw error;
    }
  }
}
