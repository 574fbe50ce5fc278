import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';
import type { ModelAnswer, ModelUsage } from '../model/model-adapter.js';

const finishes: readonly unknown[] = ['stop', 'length', 'refused', 'other'] satisfies readonly ModelAnswer['finish'][];

/**
 * What a model answered, in the form that a record has: adapters come from anywhere.
 *
 * @throws `MODEL_ERROR` for an answer without a text.
 */
export function plainAnswer(answer: unknown, model: string): ModelAnswer {
  const { text, finish, usage, reasoning } = fieldsOf(answer);
  if (typeof text !== 'string')
    throw new SkillsError('MODEL_ERROR', `The model ${quoted(model)} answered without a text.`);
  const plain = { text, finish: isFinish(finish) ? finish : 'other', usage: plainUsage(fieldsOf(usage)) } as const;
  return typeof reasoning === 'string' && reasoning !== '' ? { ...plain, reasoning } : plain;
}

function isFinish(finish: unknown): finish is ModelAnswer['finish'] {
  return finishes.includes(finish);
}

/** A budget is no matter of trust: tokens that are no number count as none, and such a cost is not known. */
function plainUsage({ inputTokens, outputTokens, cost, ...parts }: Fields): ModelUsage {
  const count = (value: unknown): number => (typeof value === 'number' && value > 0 && value < Infinity ? value : 0);
  const partsOf = (['cachedInputTokens', 'cacheWriteTokens', 'reasoningTokens'] as const).filter(
    (name) => parts[name] !== undefined,
  );
  return {
    inputTokens: count(inputTokens),
    outputTokens: count(outputTokens),
    ...Object.fromEntries(partsOf.map((name) => [name, count(parts[name])])),
    ...(isAmount(cost) && { cost }),
  };
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < Infinity;
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
