import { checkAborted, expectOptions, quoted, SkillsError, type ModelAdapter } from '@skillpack/core';
import { unexpected } from '../plan/expect-given.js';
import type { JudgeSpent } from '../results/eval-result.js';
import type { Judge, JudgeAnswer, JudgeRequest } from './judge.js';
import { judgeRequest } from './judge-request.js';
import { withJudgeSpent } from './judge-spent.js';
import { readVerdicts } from './read-verdicts.js';

/** How a model judges. */
export interface ModelJudgeOptions {
  /** What the judge has to mind besides, from whoever runs the evals: words of a field, what counts as proof. @default nothing */
  readonly instructions?: string | undefined;
  /** Who judges, for the keys of jobs. With other instructions it has to be another one. @default `model:` and the name of the model */
  readonly name?: string | undefined;
}

const optionNames: Readonly<Record<keyof ModelJudgeOptions, true>> = { instructions: true, name: true };

/**
 * A judge that asks a model, once for all statements of a trial; once more where its answer cannot be read. What it is
 * shown of the trial is cleaned, fenced, and told to be data.
 *
 * @throws `USAGE` for options that there are not, or that are no texts. Judging throws what the model throws; `MODEL_REFUSED` where it would not;
 * `MODEL_ERROR` for two answers that cannot be read. What calls had taken by then is in the data of the error, as `judge`.
 */
export function modelJudge(model: ModelAdapter, options: ModelJudgeOptions = {}): Judge {
  expectOptions(options, { of: 'modelJudge', names: optionNames });
  expectModel(model);
  const { instructions, name = `model:${model.name}` } = options;
  if (typeof name !== 'string' || name === '' || !['string', 'undefined'].includes(typeof instructions)) {
    throw new SkillsError('USAGE', 'A judge has a name, which is a text, and instructions that are one.');
  }
  return {
    name,
    judge: async (request, { signal }) => judgeWith(model, request, { signal, instructions }),
  };
}

/** JavaScript may give the name of one. */
function expectModel(model: ModelAdapter): void {
  const given: unknown = model;
  if (typeof given === 'object' && given !== null && typeof model.decide === 'function') return;
  throw unexpected('model of modelJudge', {
    given,
    wanted: 'A model',
    hint: 'Make one with anthropic or openaiCompatible of @skillpack/model-adapters.',
  });
}

interface JudgeCall {
  readonly signal: AbortSignal;
  readonly instructions: string | undefined;
}

async function judgeWith(
  model: ModelAdapter,
  request: JudgeRequest,
  { signal, instructions }: JudgeCall,
): Promise<JudgeAnswer> {
  const spent = new Spending();
  try {
    return { verdicts: await askUntilRead(model, request, { signal, instructions, spent }), spent: spent.total };
  } catch (error) {
    throw withJudgeSpent(error, { name: model.name, spent: spent.total });
  }
}

async function askUntilRead(
  model: ModelAdapter,
  request: JudgeRequest,
  { signal, instructions, spent }: JudgeCall & { readonly spent: Spending },
): Promise<JudgeAnswer['verdicts']> {
  const { statements, task, answer, files } = request;
  if (statements.length === 0) return [];
  const material = [...task, answer, ...files.map(({ text }) => text)];
  let unread: string | undefined;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    checkAborted(signal, 'The call of the judge');
    const asked = judgeRequest(request, { contextTokens: model.contextTokens, instructions, unread });
    const { text, usage, finish } = await model.decide(asked, { signal });
    spent.add(usage, usage.cost ?? model.costOf?.(usage));
    if (finish === 'refused') {
      throw new SkillsError('MODEL_REFUSED', `The judge ${quoted(model.name)} refuses to judge.`, {
        hint: 'Take another model as the judge.',
      });
    }
    const reading = readVerdicts(text, { count: statements.length, material });
    if (reading.kind === 'read') return reading.verdicts;
    unread = finish === 'length' ? `${reading.why} It was cut off: give shorter evidence.` : reading.why;
  }
  throw new SkillsError(
    'MODEL_ERROR',
    `The judge ${quoted(model.name)} gave ${attempts} answers that cannot be read: ${unread ?? ''}`,
    { hint: 'Take another model as the judge, or fewer statements a case.' },
  );
}

/** How often a judge is asked. */
const attempts = 2;

/** What calls took together; their cost is known where that of each is. */
class Spending {
  #total: JudgeSpent = { calls: 0, inputTokens: 0, outputTokens: 0, cost: 0 };

  get total(): JudgeSpent {
    return this.#total;
  }

  add({ inputTokens, outputTokens }: { inputTokens: number; outputTokens: number }, cost: number | undefined): void {
    const before = this.#total;
    this.#total = {
      calls: before.calls + 1,
      inputTokens: before.inputTokens + (isAmount(inputTokens) ? inputTokens : 0),
      outputTokens: before.outputTokens + (isAmount(outputTokens) ? outputTokens : 0),
      cost: before.cost === undefined || !isAmount(cost) ? undefined : before.cost + cost,
    };
  }
}

/** What an adapter says that a call took may be anything. */
function isAmount(number: number | undefined): number is number {
  return number !== undefined && Number.isFinite(number) && number >= 0;
}
