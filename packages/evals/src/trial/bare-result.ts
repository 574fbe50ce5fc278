import type { SkillsError } from '@skillpack/core';
import { wantedSkills } from '../check/wanted-skills.js';
import type { EvalResult } from '../results/eval-result.js';
import type { OpenJob } from './eval-ports.js';

/** The result of a trial of which nothing can be told but what broke it. */
export function bareResult(
  { job, case: evalCase }: Pick<OpenJob, 'job' | 'case'>,
  { error, stopped, attempts }: { readonly error: SkillsError; readonly stopped: boolean; readonly attempts: number },
): EvalResult {
  const { key, suite, case: id, arm, model, trial } = job;
  const { kind, tags } = evalCase;
  return {
    formatVersion: 1,
    key,
    suite,
    case: id,
    arm,
    model,
    trial,
    kind,
    tags,
    input: '',
    outcome: stopped ? 'stopped' : 'error',
    fired: [],
    wanted: wantedSkills(evalCase),
    checks: [],
    answer: '',
    steps: [],
    spent: { turns: 0, toolCalls: 0, scripts: 0, inputTokens: 0, outputTokens: 0, duration: 0 },
    reason: { code: error.code, message: error.message.slice(0, reasonLength).toWellFormed() },
    at: new Date(0).toISOString(),
    attempts,
    files: [],
  };
}

const reasonLength = 2_000;
