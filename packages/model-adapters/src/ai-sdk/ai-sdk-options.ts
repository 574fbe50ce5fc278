import type { SharedV4ProviderOptions } from '@ai-sdk/provider';
import type { Clock, SkillsError } from '@skillpack/core';
import type { ModelTable } from '../models/model-table.js';

/** How a decision is asked for: as the answer to a schema, as the call of a tool, or as text. */
export type StructuredForm = 'schema' | 'tools' | 'text';

/** How long a provider may take, in milliseconds. Longer is `TIMEOUT`, and its connection is closed. */
export interface AiSdkTimeout {
  /** Until the first piece of an answer, of its text or its reasoning; without a stream, until all of it. @default no limit */
  readonly firstPiece?: number | undefined;
  /** From one piece to the next, and from the last to the end. @default no limit */
  readonly betweenPieces?: number | undefined;
  /** For the whole call. @default no limit: the time of the request, which the agent loop watches */
  readonly total?: number | undefined;
}

/** How a model of the AI SDK is asked. */
export interface AiSdkOptions {
  /** `provider:model`. @default as the AI SDK names them, the provider up to its first dot: `openai:gpt-5` */
  readonly name?: string | undefined;
  /** Tokens that a request and its answer may have together. @default what `models` says, else 128000 */
  readonly contextTokens?: number | undefined;
  /** Tokens that an answer may have. @default what the provider has */
  readonly maxOutputTokens?: number | undefined;
  /** @default what the provider has */
  readonly temperature?: number | undefined;
  /** For providers that can repeat themselves. @default none */
  readonly seed?: number | undefined;
  /** HTTP headers that each call has besides those of the provider. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** What only this provider knows, by its key: `{ anthropic: { … } }`. @default none */
  readonly providerOptions?: SharedV4ProviderOptions | undefined;
  /**
   * How a decision is asked for. `auto` begins with `schema`; where the provider refuses this form, or warns that it does
   * not have it, the adapter asks for `tools`, then for `text`, and stays with that.
   *
   * @default 'auto'
   */
  readonly structured?: StructuredForm | 'auto' | undefined;
  /**
   * Whether the tools of a request are handed to the provider in its own form, beside one called `decide` for every other
   * action. The form is `tools` then. @default false
   */
  readonly nativeTools?: boolean | undefined;
  /** Whether answers are asked for in pieces. @default true */
  readonly stream?: boolean | undefined;
  /** @default no limits */
  readonly timeout?: AiSdkTimeout | undefined;
  /** Windows and prices of models, by their names. @default `defaultModels` */
  readonly models?: ModelTable | undefined;
  /** What an error of the provider is told as. @default `readProviderError` */
  readonly readError?: ((error: unknown) => SkillsError) | undefined;
  /** The clock of `timeout`. @default the platform's timers */
  readonly clock?: Clock | undefined;
}
