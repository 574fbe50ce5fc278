import { quoted, SkillsError } from '@skillpack/core';
import * as z from 'zod/mini';
import type { JudgeSpent } from '../results/eval-result.js';

const count = z.lazy(() => z.number().check(z.minimum(0)));

/** What a judge says that it took: numbers from 0. */
export const judgeSpentSchema = z.lazy(() =>
  z.object({ calls: count, inputTokens: count, outputTokens: count, cost: z.optional(count) }),
);

/** What a judge had taken when it threw, as the data of the error says under `judge`; `undefined` where it does not. */
export function judgeSpentOf(thrown: unknown): JudgeSpent | undefined {
  if (!SkillsError.is(thrown)) return undefined;
  // An error from another copy of core is asked as any text from outside is.
  return judgeSpentSchema.safeParse(thrown.data['judge']).data;
}

/** What a judge threw, with what it had taken until then, so that it is counted. */
export function withJudgeSpent(thrown: unknown, { name, spent }: { name: string; spent: JudgeSpent }): unknown {
  if (spent.calls === 0) return thrown;
  if (SkillsError.is(thrown)) {
    const { code, message, hint, cause, data } = thrown;
    return new SkillsError(code, message, { hint, cause: cause ?? thrown, data: { ...data, judge: spent } });
  }
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  return new SkillsError('INTERNAL', `The judge ${quoted(name)} broke off: ${why}.`, {
    cause: thrown,
    data: { judge: spent },
  });
}
