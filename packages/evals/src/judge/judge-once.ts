import { quoted, SkillsError } from '@skillpack/core';
import * as z from 'zod/mini';
import type { Judge, JudgeAnswer, JudgeRequest } from './judge.js';
import { judgeSpentSchema } from './judge-spent.js';

const answerSchema = z.lazy(() =>
  z.object({ verdicts: z.array(z.object({ passed: z.boolean(), evidence: z.string() })), spent: judgeSpentSchema }),
);

/**
 * Asks a judge. It may be anybody's: what it says is taken where it is yes or no on each statement, and numbers of what it
 * took.
 *
 * @throws what the judge throws; `MODEL_ERROR` for an answer of another form, with what it took as far as that is known.
 */
export async function judgeOnce(
  judge: Judge,
  request: JudgeRequest,
  options: { readonly signal: AbortSignal },
): Promise<JudgeAnswer> {
  const { length } = request.statements;
  const answer: unknown = await judge.judge(request, options);
  const { data } = answerSchema.safeParse(answer);
  if (data?.verdicts.length === length) return data;
  const given = data === undefined ? 'no verdicts that can be read' : `${data.verdicts.length} verdicts`;
  throw new SkillsError('MODEL_ERROR', `The judge ${quoted(judge.name)} gave ${given} on ${length} statements.`, {
    hint: 'A judge says passed, true or false, and evidence, a text, of each statement, and what it spent.',
    data: { judge: spentIn(answer) },
  });
}

function spentIn(answer: unknown): JudgeAnswer['spent'] | undefined {
  return z.object({ spent: judgeSpentSchema }).safeParse(answer).data?.spent;
}
