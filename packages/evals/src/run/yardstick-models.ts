import { SkillsError, type ModelAdapter, type ModelRequest } from '@skillpack/core';
import type { EvalCase } from '../case/eval-case.js';
import { wantedSkills } from '../check/wanted-skills.js';

/** Models whose score is known before they are asked. */
export const yardsticks = ['always', 'never', 'dead'] as const;

export type Yardstick = (typeof yardsticks)[number];

/** What each model is called in a plan. */
export function yardstickName(yardstick: Yardstick): string {
  return `self-test:${yardstick}`;
}

/**
 * A model that always chooses what a case is about, both what it wants and what it forbids; one that never chooses; and
 * one that cannot be reached.
 *
 * @param see is shown every request.
 */
export function yardstickModel(
  yardstick: Yardstick,
  { case: evalCase, offered }: { readonly case: EvalCase; readonly offered: readonly string[] },
  see: (request: ModelRequest) => Promise<void>,
): ModelAdapter {
  const name = yardstickName(yardstick);
  return {
    name,
    contextTokens: 1_000_000,
    decide: async (request) => {
      await see(request);
      if (yardstick === 'dead')
        throw new SkillsError('NETWORK_ERROR', `${name} cannot be reached, as it is meant to be.`);
      const action =
        yardstick === 'always'
          ? {
              kind: 'select_skills',
              skills: choiceOf(evalCase, offered).map((skill) => ({ name: skill })),
              reason: 'Always.',
            }
          : { kind: 'final_answer', content: 'Done without.' };
      const usage = { inputTokens: 0, outputTokens: 0, cost: 0 };
      return { text: JSON.stringify({ action }), usage, finish: 'stop' };
    },
  };
}

/** What passes where a skill is wanted, and fails where one is forbidden. */
function choiceOf(evalCase: EvalCase, offered: readonly string[]): readonly string[] {
  const { skills = [], not = [], all = false } = wantedSkills(evalCase) ?? {};
  const isOffered = (name: string): boolean => offered.some((one) => one.normalize('NFC') === name.normalize('NFC'));
  const wanted = all ? skills : skills.filter(isOffered).slice(0, 1);
  const choice = [...wanted, ...not.filter(isOffered).slice(0, 1)];
  return choice.length > 0 ? choice : offered.slice(0, 1);
}
