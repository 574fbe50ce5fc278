import { errorCodes, SkillsError, type ErrorCode, type StopReason } from '@skillpack/core';
import type { EvalCase } from '../case/eval-case.js';
import type { EvalResult } from '../results/eval-result.js';
import { stopOf, type Worked } from './work-on-case.js';

/** How a run ended, as far as scoring goes. */
export type JudgedEnd =
  /** It can be held to what is expected. */
  | { readonly kind: 'checked'; readonly reason?: EvalResult['reason']; readonly failed: boolean }
  /** It says nothing. */
  | { readonly kind: 'inconclusive'; readonly reason: NonNullable<EvalResult['reason']> }
  /** What it ran on failed, or it was stopped. */
  | { readonly kind: 'broken'; readonly error: SkillsError };

/** Where a run ended by its own fault, the code of that. */
const agentFaults: ReadonlySet<string> = new Set<ErrorCode>(['MODEL_REFUSED', 'INVALID_ACTION']);

/** Whether a model that failed with this is one that did wrong, not one that could not be asked. */
export function isAgentFault(code: string): boolean {
  return agentFaults.has(code);
}

/**
 * Tells a run that can be scored from one that cannot. A model that did not answer is no agent that did wrong, whatever it
 * looks like in the record: as a failure, or as time that went by.
 */
export function judgeEnd(evalCase: EvalCase, worked: Worked): JudgedEnd {
  const { last, end, waited } = worked;
  if (end?.kind === 'cancelled') return broken(new SkillsError('INTERRUPTED', 'The trial was cancelled.'));
  if (end?.kind === 'chosen') return { kind: 'checked', failed: false };
  if (end?.kind === 'tool') return fault(evalCase, 'TOOL_NOT_ALLOWED', `It used ${end.tool}, which this case forbids.`);
  const stop = stopOf(worked);
  if (stop === 'max_wall_time' && hung(evalCase, worked)) {
    const seconds = Math.ceil(waited / 1_000);
    return broken(new SkillsError('TIMEOUT', `The model did not answer within ${seconds} s, and the time was up.`));
  }
  if (stop === 'model_failed') return judgeFailure(evalCase, last?.error);
  if (stop === 'cancelled') return broken(new SkillsError('INTERRUPTED', 'The trial was cancelled.'));
  if (stop === 'approval_required') {
    return inconclusive('APPROVAL_REQUIRED', 'It needed a yes to something, and nobody could be asked.');
  }
  if (stop !== undefined) return fault(evalCase, 'INCONCLUSIVE', sentences[stop] ?? `It ended with ${stop}.`);
  if (last?.stop === 'question' && evalCase.kind === 'trigger') {
    return inconclusive('INCONCLUSIVE', 'It asked a question before it chose.');
  }
  return { kind: 'checked', failed: false };
}

/** A model that could not be asked: what kept it from that decides. */
function judgeFailure(evalCase: EvalCase, error: SkillsError | undefined): JudgedEnd {
  const failure = error ?? new SkillsError('MODEL_ERROR', 'The model could not be asked, and nobody said why.');
  return isAgentFault(failure.code) ? fault(evalCase, failure.code, failure.message) : broken(failure);
}

/** What an agent brought about itself: a task has failed by it, and of a choice it says nothing. */
function fault({ kind }: EvalCase, code: ErrorCode | 'INCONCLUSIVE', message: string): JudgedEnd {
  const reason = { code, message };
  return kind === 'task' ? { kind: 'checked', failed: true, reason } : { kind: 'inconclusive', reason };
}

function inconclusive(code: ErrorCode | 'INCONCLUSIVE', message: string): JudgedEnd {
  return { kind: 'inconclusive', reason: { code, message } };
}

function broken(error: SkillsError): JudgedEnd {
  return { kind: 'broken', error };
}

/** Whether the time went by in waiting for one answer, or for the first: then nobody knows what the agent would have done. */
function hung({ limits }: EvalCase, { answered, waited, state }: Worked): boolean {
  if (waited === 0) return false;
  const time = limits.maxSeconds === undefined ? state.limits.wallTime : limits.maxSeconds * 1_000;
  return answered === 0 || waited >= time / 2;
}

const sentences: { readonly [Stop in StopReason]?: string } = {
  max_turns: 'It came to no end within the model calls that it has.',
  max_tool_calls: 'It came to no end within the actions that it has.',
  max_scripts: 'It came to no end within the scripts that it has.',
  max_tokens: 'It came to no end within the tokens that it has.',
  max_cost: 'It came to no end within the money that it has.',
  max_wall_time: 'It came to no end within the time that it has.',
  max_consecutive_failures: 'It failed too often in a row.',
};

/** Whether a trial that this ended may be begun again: who did not answer may answer later. */
export function mayBeTriedAgain({ code }: SkillsError): boolean {
  return code === 'BUSY' || (code !== 'OFFLINE' && errorCodes[code].kind === 'unavailable');
}
