import type { JsonObject } from '../json/json-value.js';
import type { ToolDescription } from '../tool/tool.js';
import type { AgentActionKind } from './action.js';

/** One message of a conversation with a model. */
export type ModelMessage =
  | { readonly role: 'user'; readonly content: string }
  /** An earlier decision, as JSON. */
  | { readonly role: 'assistant'; readonly content: string }
  /** What came of it. */
  | { readonly role: 'observation'; readonly ok: boolean; readonly content: string };

/** What a model is asked to decide on. System text and messages are complete: all else repeats what they say. */
export interface ModelRequest {
  /** How to answer, the tools that are offered now, and the skills that there are. */
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  /**
   * What `call_tool` may name; `system` lists them too, unless the adapter has `nativeTools`. Tools of a skill are among
   * them only after it was activated.
   */
  readonly tools: readonly ToolDescription[];
  /** The actions that an answer may have. */
  readonly actions: readonly AgentActionKind[];
  /** JSON Schema of the answer: a decision with one of the actions. */
  readonly answerSchema: JsonObject;
}

/** What a model call took. */
export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of `inputTokens`, those that the provider had kept. @default 0 */
  readonly cachedInputTokens?: number | undefined;
  /** Of `inputTokens`, those that the provider keeps from now on. @default 0 */
  readonly cacheWriteTokens?: number | undefined;
  /** Of `outputTokens`, those of its reasoning. @default 0 */
  readonly reasoningTokens?: number | undefined;
  /** US dollars; `undefined` where no price is known. */
  readonly cost?: number | undefined;
}

/** What a model said. */
export interface ModelAnswer {
  /** Meant to be a decision as JSON; whatever it is, it is judged before anything is done. */
  readonly text: string;
  readonly usage: ModelUsage;
  /** `length`: it was cut off at the limit of its output. `refused`: the model, or a filter of its provider, would not. */
  readonly finish: 'stop' | 'length' | 'refused' | 'other';
  /** What the model thought on the way, where it tells that apart from its text. Nobody acts on it. @default nothing */
  readonly reasoning?: string | undefined;
}

/** How a model is asked. */
export interface DecideOptions {
  readonly signal: AbortSignal;
  /** Pieces of the text as they arrive, which together are the text of the answer. */
  readonly onText?: ((delta: string) => void) | undefined;
  /** Pieces of the reasoning as they arrive, which together are that of the answer. */
  readonly onReasoning?: ((delta: string) => void) | undefined;
}

/** A model, reached by whatever way. It decides; it does nothing itself. */
export interface ModelAdapter {
  /** `provider:model`. */
  readonly name: string;
  /** Tokens that a request and its answer may have together. */
  readonly contextTokens: number;
  /**
   * Whether it hands `tools` to its provider itself, in the provider's own form; then `system` does not list them. A call
   * of one has to come back as a decision all the same. @default false
   */
  readonly nativeTools?: boolean | undefined;
  /** US dollars that a call with such a usage costs; `undefined` where that is not known. @default nobody knows */
  readonly costOf?: ((usage: ModelUsage) => number | undefined) | undefined;
  /**
   * @throws `INTERRUPTED` for an aborted signal. `NETWORK_ERROR`, `TIMEOUT`, `RATE_LIMITED`, `OVERLOADED`, `MODEL_ERROR`:
   * it may be asked again, with `data.retryAfter`, in milliseconds, when. `UNAUTHORIZED`, `MODEL_NOT_FOUND`,
   * `CONTEXT_TOO_LONG`, `MODEL_REFUSED`, `REQUEST_REFUSED`: it would say the same again.
   */
  decide(request: ModelRequest, options: DecideOptions): Promise<ModelAnswer>;
}
