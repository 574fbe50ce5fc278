/** What a model costs, in US dollars per million tokens. */
export interface ModelPrices {
  readonly input: number;
  /** Its reasoning counts as output. */
  readonly output: number;
  /** Input that the provider had kept. @default `input` */
  readonly cachedInput?: number | undefined;
  /** Input that the provider keeps from now on. @default `input` */
  readonly cacheWrite?: number | undefined;
}

/** What is known of a model. */
export interface ModelFacts {
  /** Tokens that a request and its answer may have together. */
  readonly contextTokens?: number | undefined;
  /** Tokens that an answer may have, its reasoning included. */
  readonly maxOutputTokens?: number | undefined;
  readonly prices?: ModelPrices | undefined;
}

/**
 * Facts by the name of a model, `provider:model` or `model` for whatever provider. With `*` at its end, a key stands for
 * all names that begin so.
 */
export type ModelTable = Readonly<Record<string, ModelFacts>>;
