import { SkillsError, type ModelAdapter } from '@skillpack/core';
import type { ModelPrices } from '../models/model-table.js';

/** What calls of a model may take; at least one of the limits has to be given. */
export interface BudgetOptions {
  /** @default as many as there are */
  readonly calls?: number | undefined;
  /** Of requests and answers. @default as many as there are */
  readonly tokens?: number | undefined;
  /** US dollars. Needs a price. @default as much as it costs */
  readonly cost?: number | undefined;
  /** @default what `defaultModels` says of the model */
  readonly prices?: ModelPrices | undefined;
  /** Tokens that are set aside for the answer of a call before it is made. @default 1000 */
  readonly answerTokens?: number | undefined;
  /** Tokens of a text, for what a call will take. @default `estimateTokens` */
  readonly countTokens?: ((text: string) => number) | undefined;
}

/** What calls of a model took so far. */
export interface BudgetSpending {
  readonly calls: number;
  readonly tokens: number;
  /** US dollars; `undefined` where no price is known. */
  readonly cost: number | undefined;
}

/** A model with a budget. */
export interface BudgetedModel extends ModelAdapter {
  readonly spent: BudgetSpending;
}

/**
 * A model that is not asked any more once a budget is spent. Its calls throw `BUDGET_EXHAUSTED` then, before they are made.
 *
 * @throws `USAGE` for a budget in dollars of a model without a price.
 */
export function withBudget(model: ModelAdapter, _options: BudgetOptions): BudgetedModel {
  throw new SkillsError('INTERNAL', `${model.name} cannot have a budget yet.`);
}
