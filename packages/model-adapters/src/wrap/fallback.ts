import {
  checkAborted,
  expectOptions,
  SkillsError,
  type DecideOptions,
  type ErrorCode,
  type ModelAdapter,
  type ModelAnswer,
  type ModelRequest,
  type ModelUsage,
} from '@skillpack/core';
import { holdPieces } from './held-pieces.js';

/** How models stand in for each other. */
export interface FallbackOptions {
  /** @default `fallback:` and the names of the models, with commas */
  readonly name?: string | undefined;
  /**
   * Codes, besides those of what cannot be reached now, after which the next model is asked: `UNAUTHORIZED`,
   * `MODEL_NOT_FOUND`, `MODEL_REFUSED` (also for an answer whose `finish` is `refused`), `CONTEXT_TOO_LONG`, and others.
   *
   * @default []
   */
  readonly alsoOn?: readonly ErrorCode[] | undefined;
  /**
   * Whether pieces are held back until an answer is whole, so that a model that breaks off in the middle can be replaced,
   * too. Else its failure is that of the call, since what was told cannot be taken back. @default false
   */
  readonly buffer?: boolean | undefined;
  /** Told when the next model is asked. @default nobody is told */
  readonly onFallback?: ((event: FallbackEvent) => void) | undefined;
}

/** That one model is asked in the place of another. */
export interface FallbackEvent {
  readonly from: string;
  readonly to: string;
  readonly error: SkillsError;
}

/**
 * The first of several models that answers. Its window is the smallest of theirs, its price that of the dearest. Each call begins with the first one again.
 *
 * @throws `USAGE` for no model, and for models that do not all take tools the same way. Its calls throw the error of a model
 * that is not replaced; where all fail, one with a code that says whether asking again makes sense, all that failed in
 * `data.tried`, and the shortest `data.retryAfter`.
 */
export function fallback(models: readonly ModelAdapter[], options: FallbackOptions = {}): ModelAdapter {
  const names = { name: true, alsoOn: true, buffer: true, onFallback: true } as const;
  expectOptions(options, { of: 'fallback', names });
  const [first] = models;
  if (first === undefined) throw new SkillsError('USAGE', 'There is no model to fall back from: the list is empty.');
  const other = models.find(({ nativeTools = false }) => nativeTools !== (first.nativeTools ?? false));
  if (other !== undefined) {
    throw new SkillsError('USAGE', `The models ${first.name} and ${other.name} do not take tools the same way.`, {
      hint: 'One has nativeTools, the other has not: give both the same.',
    });
  }
  const { name = `fallback:${models.map((model) => model.name).join(',')}` } = options;
  return {
    name,
    contextTokens: Math.min(...models.map(({ contextTokens }) => contextTokens)),
    ...(first.nativeTools === undefined ? {} : { nativeTools: first.nativeTools }),
    costOf: (usage) => dearest(models, usage),
    decide: async (request, decideOptions) => decideByFirst(models, { request, decideOptions, options }),
  };
}

/** What a call costs at most; `undefined` where one of them has no price. */
function dearest(models: readonly ModelAdapter[], usage: ModelUsage): number | undefined {
  const costs = models.map((model) => model.costOf?.(usage));
  return costs.reduce((most, cost) => (most === undefined || cost === undefined ? undefined : Math.max(most, cost)), 0);
}

interface Call {
  readonly request: ModelRequest;
  readonly decideOptions: DecideOptions;
  readonly options: FallbackOptions;
}

async function decideByFirst(models: readonly ModelAdapter[], call: Call): Promise<ModelAnswer> {
  const { signal } = call.decideOptions;
  const failures: Failure[] = [];
  const usages: ModelUsage[] = [];
  for (const [index, model] of models.entries()) {
    checkAborted(signal, 'The call of the model');
    const next = models[index + 1];
    const attempt = await attemptOf(model, { ...call, last: next === undefined });
    if (attempt.kind === 'answer')
      return { ...attempt.answer, usage: usages.reduceRight(addUsage, attempt.answer.usage) };
    if (attempt.usage !== undefined) usages.push(attempt.usage);
    failures.push({ model: model.name, error: attempt.error });
    if (next !== undefined) call.options.onFallback?.({ from: model.name, to: next.name, error: attempt.error });
  }
  throw allFailed(failures);
}

interface Failure {
  readonly model: string;
  readonly error: SkillsError;
}

type Attempt =
  | { readonly kind: 'answer'; readonly answer: ModelAnswer }
  /** The next one is to be asked. */
  | { readonly kind: 'failed'; readonly error: SkillsError; readonly usage?: ModelUsage };

/** @throws what is the failure of the call. */
async function attemptOf(model: ModelAdapter, call: Call & { readonly last: boolean }): Promise<Attempt> {
  const { request, decideOptions, options, last } = call;
  const { buffer = false, alsoOn = [] } = options;
  const pieces = holdPieces(decideOptions, { buffer });
  let answer: ModelAnswer;
  try {
    answer = await model.decide(request, pieces.options);
  } catch (error) {
    checkAborted(decideOptions.signal, 'The call of the model');
    if (!SkillsError.is(error) || pieces.told) throw error;
    const { code } = error;
    if (!SkillsError.isKind(error, 'unavailable') && !alsoOn.includes(code)) throw error;
    return { kind: 'failed', error };
  } finally {
    pieces.drop();
  }
  if (answer.finish === 'refused' && alsoOn.includes('MODEL_REFUSED') && !pieces.told && !last) {
    const error = new SkillsError('MODEL_REFUSED', `The model ${model.name} does not answer this.`);
    return { kind: 'failed', error, usage: answer.usage };
  }
  pieces.release();
  checkAborted(decideOptions.signal, 'The call of the model');
  return { kind: 'answer', answer };
}

/** An answer that nobody sees was paid for all the same. */
function addUsage(total: ModelUsage, more: ModelUsage): ModelUsage {
  const sum = (left: number | undefined, right: number | undefined): number | undefined =>
    left === undefined && right === undefined ? undefined : (left ?? 0) + (right ?? 0);
  return {
    inputTokens: total.inputTokens + more.inputTokens,
    outputTokens: total.outputTokens + more.outputTokens,
    cachedInputTokens: sum(total.cachedInputTokens, more.cachedInputTokens),
    cacheWriteTokens: sum(total.cacheWriteTokens, more.cacheWriteTokens),
    reasoningTokens: sum(total.reasoningTokens, more.reasoningTokens),
    // Half a price would look like the whole.
    cost: total.cost === undefined || more.cost === undefined ? undefined : total.cost + more.cost,
  };
}

function allFailed(failures: readonly Failure[]): SkillsError {
  const [only] = failures;
  if (failures.length === 1 && only !== undefined) return only.error;
  const again = failures.findLast(({ error }) => SkillsError.isKind(error, 'unavailable'));
  const code = (again ?? failures.at(-1))?.error.code ?? 'MODEL_ERROR';
  const waits = failures
    .map(({ error }) => error.data['retryAfter'])
    .filter((wait): wait is number => typeof wait === 'number' && wait >= 0);
  const told = failures.map(({ model, error }) => `${model}: ${error.message}`).join(' ');
  return new SkillsError(code, `None of ${failures.length} models answered. ${told}`, {
    hint: again?.error.hint ?? failures.at(-1)?.error.hint,
    cause: failures.at(-1)?.error,
    data: {
      tried: failures.map(({ model, error }) => ({ model, code: error.code })),
      ...(again === undefined || waits.length === 0 ? {} : { retryAfter: Math.min(...waits) }),
    },
  });
}
