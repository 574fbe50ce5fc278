import {
  checkAborted,
  estimateTokens,
  expectOptions,
  SkillsError,
  type DecideOptions,
  type ModelAdapter,
  type ModelAnswer,
  type ModelRequest,
  type ModelUsage,
} from '@skillpack/core';
import { costOf } from '../models/cost-of.js';
import { defaultModels } from '../models/default-models.js';
import { findModel } from '../models/find-model.js';
import type { ModelPrices } from '../models/model-table.js';
import { checkNumbers } from './check-numbers.js';
import { countedTokens, estimateRequest } from './estimate-request.js';

/** What calls of a model may take; at least one of the limits has to be given. */
export interface BudgetOptions {
  /** @default as many as there are */
  readonly calls?: number | undefined;
  /** Of requests and answers. @default as many as there are */
  readonly tokens?: number | undefined;
  /** US dollars. Needs a price. @default as much as it costs */
  readonly cost?: number | undefined;
  /** @default what the model says that it costs, else what `defaultModels` says */
  readonly prices?: ModelPrices | undefined;
  /** Tokens that are set aside for the answer of each call before it is made. @default 1000 */
  readonly answerTokens?: number | undefined;
  /** Tokens of a text. @default `estimateTokens` */
  readonly countTokens?: ((text: string) => number) | undefined;
}

const optionNames: Readonly<Record<keyof BudgetOptions, true>> = {
  calls: true,
  tokens: true,
  cost: true,
  prices: true,
  answerTokens: true,
  countTokens: true,
};

/** What calls of a model took. */
export interface BudgetSpending {
  readonly calls: number;
  readonly tokens: number;
  /** US dollars; `undefined` where a call was made whose price is not known. */
  readonly cost: number | undefined;
}

/** A model with a budget. */
export interface BudgetedModel extends ModelAdapter {
  /** So far, without the calls that are under way. */
  readonly spent: BudgetSpending;
}

/**
 * A model that is not asked any more once a budget is spent. Before each call as much is set aside as its request has, by an
 * estimate, and `answerTokens` for the answer; where that and what is under way do not fit, the call is not made. What is
 * spent can exceed the budget only by as much as calls take more than was set aside for them.
 *
 * A call that fails counts as a call. What was set aside for it is spent, too, where it broke off: it was cancelled, its
 * time was over, or the connection broke. A provider that refused it takes nothing.
 *
 * @throws `USAGE` for no limit, for numbers and prices that cannot be, and for a budget in dollars of a model without a
 * price. Its calls throw `BUDGET_EXHAUSTED`, and what the model throws.
 */
export function withBudget(model: ModelAdapter, options: BudgetOptions): BudgetedModel {
  expectOptions(options, { of: 'withBudget', names: optionNames });
  const { calls, tokens, cost, answerTokens = 1000 } = options;
  checkNumbers({ calls, tokens, cost, answerTokens }, 0);
  if ([calls, tokens, cost].every((limit) => limit === undefined)) {
    throw new SkillsError('USAGE', `There is no limit in the budget of ${model.name}.`, {
      hint: 'Give calls, tokens or cost.',
    });
  }
  if (options.prices !== undefined) checkPrices(model.name, options.prices);
  const priceOf = pricing(model, options.prices);
  if (cost !== undefined && priceOf({ inputTokens: 1, outputTokens: 1 }) === undefined) {
    throw new SkillsError('USAGE', `Nobody knows what ${model.name} costs: it cannot have a budget in dollars.`, {
      hint: 'Give its prices, or a budget of calls or tokens.',
    });
  }
  const ledger = new Ledger(model.name, { calls, tokens, cost });
  const { name, contextTokens, nativeTools } = model;
  return {
    name,
    contextTokens,
    ...(nativeTools === undefined ? {} : { nativeTools }),
    costOf: priceOf,
    get spent() {
      return ledger.spent;
    },
    decide: async (request, decideOptions) =>
      decideWithin(model, { ...options, request, decideOptions, ledger, priceOf, answerTokens }),
  };
}

/** A price that is no number would count as none: the budget would never be spent. */
function checkPrices(name: string, prices: ModelPrices): void {
  const requests = [1, (prices.long?.over ?? 0) + 1];
  if (requests.every((inputTokens) => costOf({ inputTokens, outputTokens: 1 }, prices) !== undefined)) return;
  throw new SkillsError('USAGE', `The prices of ${name} are none to count with.`, {
    hint: 'Each price is a number of dollars per million tokens, 0 or more.',
  });
}

type PriceOf = (usage: ModelUsage) => number | undefined;

function pricing(model: ModelAdapter, prices: ModelPrices | undefined): PriceOf {
  if (prices !== undefined) return (usage) => costOf(usage, prices);
  const listed = findModel(defaultModels, model.name)?.prices;
  return (usage) => model.costOf?.(usage) ?? costOf(usage, listed);
}

interface Call extends BudgetOptions {
  readonly request: ModelRequest;
  readonly decideOptions: DecideOptions;
  readonly ledger: Ledger;
  readonly priceOf: PriceOf;
  readonly answerTokens: number;
}

async function decideWithin(model: ModelAdapter, call: Call): Promise<ModelAnswer> {
  const { request, decideOptions, ledger, priceOf, answerTokens, countTokens = estimateTokens } = call;
  checkAborted(decideOptions.signal, 'The call of the model');
  const expected = { inputTokens: estimateRequest(request, countTokens), outputTokens: answerTokens };
  const aside = { tokens: expected.inputTokens + answerTokens, cost: priceOf(expected) };
  ledger.setAside(aside);
  let taken: Taking = { tokens: 0, cost: 0 };
  try {
    const answer = await model.decide(request, decideOptions);
    const outputTokens = countedTokens(answer.text, countTokens);
    taken = takingOf(answer.usage, { estimate: { ...expected, outputTokens }, priceOf });
    return answer;
  } catch (error) {
    if (brokeOff(error)) taken = aside;
    throw error;
  } finally {
    ledger.spend(aside, taken);
  }
}

const brokenOff: readonly string[] = ['INTERRUPTED', 'TIMEOUT', 'NETWORK_ERROR', 'MODEL_ERROR'];

/** Whether a provider may have worked on it all the same. */
function brokeOff(error: unknown): boolean {
  return !SkillsError.is(error) || brokenOff.includes(error.code);
}

interface Taking {
  readonly tokens: number;
  readonly cost: number | undefined;
}

interface Known {
  readonly estimate: ModelUsage;
  readonly priceOf: PriceOf;
}

/** What an answer says of itself; the estimate for a server that says nothing, or what is no number to count with. */
function takingOf(usage: ModelUsage, { estimate, priceOf }: Known): Taking {
  const { inputTokens, outputTokens, cost } = usage;
  const told = inputTokens >= 0 && outputTokens >= 0 && inputTokens + outputTokens > 0;
  const counted = told && Number.isFinite(inputTokens + outputTokens) ? usage : estimate;
  const known = cost !== undefined && cost >= 0 && Number.isFinite(cost) ? cost : priceOf(counted);
  return { tokens: counted.inputTokens + counted.outputTokens, cost: known ?? priceOf(estimate) };
}

/** Sums of fractions of a cent differ in their last digits. */
const roundingRoom = 1 + 1e-9;

class Ledger {
  readonly #name: string;
  readonly #limits: Pick<BudgetOptions, 'calls' | 'tokens' | 'cost'>;
  #spent: BudgetSpending = { calls: 0, tokens: 0, cost: 0 };
  readonly #aside = { calls: 0, tokens: 0, cost: 0 };

  constructor(name: string, limits: Pick<BudgetOptions, 'calls' | 'tokens' | 'cost'>) {
    this.#name = name;
    this.#limits = limits;
  }

  get spent(): BudgetSpending {
    return this.#spent;
  }

  /** @throws `BUDGET_EXHAUSTED` where it does not fit. */
  setAside({ tokens, cost = 0 }: Taking): void {
    const wanted = { calls: 1, tokens, cost };
    for (const kind of ['calls', 'tokens', 'cost'] as const) {
      const limit = this.#limits[kind];
      const spent = this.#spent[kind] ?? 0;
      if (limit !== undefined && spent + this.#aside[kind] + wanted[kind] > limit * roundingRoom) {
        throw this.#exhausted(kind, { limit, spent, underWay: this.#aside[kind], wanted: wanted[kind] });
      }
    }
    this.#aside.calls += 1;
    this.#aside.tokens += tokens;
    this.#aside.cost += cost;
  }

  spend(aside: Taking, taken: Taking): void {
    const { calls, tokens, cost } = this.#spent;
    this.#aside.calls -= 1;
    this.#aside.tokens -= aside.tokens;
    this.#aside.cost -= aside.cost ?? 0;
    this.#spent = {
      calls: calls + 1,
      tokens: tokens + taken.tokens,
      cost: cost === undefined || taken.cost === undefined ? undefined : cost + taken.cost,
    };
  }

  #exhausted(kind: 'calls' | 'tokens' | 'cost', numbers: Readonly<Record<string, number>>): SkillsError {
    const unit = kind === 'cost' ? 'dollars' : kind;
    const { limit, spent, underWay, wanted } = Object.fromEntries(
      Object.entries(numbers).map(([name, number]) => [name, String(Number(number.toFixed(6)))]),
    );
    return new SkillsError(
      'BUDGET_EXHAUSTED',
      `The budget of ${limit} ${unit} for ${this.#name} is spent: ${spent} were taken, ${underWay} are set aside for calls under way, and this one may take ${wanted}.`,
      { hint: 'Nothing was asked. Raise the budget, or end here.', data: { kind, ...numbers } },
    );
  }
}
