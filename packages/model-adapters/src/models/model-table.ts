/** What tokens of a model cost, in US dollars per million. */
export interface TokenPrices {
  readonly input: number;
  /** Its reasoning counts as output. */
  readonly output: number;
  /** Input that the provider had kept. @default `input` */
  readonly cachedInput?: number | undefined;
  /** Input that the provider keeps from now on. @default `input` */
  readonly cacheWrite?: number | undefined;
}

/** What a model costs. */
export interface ModelPrices extends TokenPrices {
  /** Where a long request costs more: as a whole, not only what is beyond the limit. @default it does not */
  readonly long?: LongRequestPrices | undefined;
}

/** What long requests cost. */
export interface LongRequestPrices extends TokenPrices {
  /** A request with more input than that is long. */
  readonly over: number;
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
