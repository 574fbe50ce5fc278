import type { ErrorCode } from '@skillpack/core';
import type { CheckResult } from '../check/check-result.js';
import type { EvalJob } from '../plan/eval-job.js';
import type { RunStep } from '../trial/run-step.js';

/**
 * How a trial ended.
 *
 * - `passed`, `failed`: every check could be made, and all passed, or one failed;
 * - `inconclusive`: it ran, and says nothing: a limit ended it before it chose, it asked a question, a check needs a judge
 *   that is not there;
 * - `error`: what it ran on failed, not the agent: no model answered, a cassette has no such call. Never scored;
 * - `stopped`: a budget ended it, or everything. Never scored, and run anew the next time.
 */
export type TrialOutcome = 'passed' | 'failed' | 'inconclusive' | 'error' | 'stopped';

/** One trial that was run: a line of the results. */
export interface EvalResult extends EvalJob {
  readonly formatVersion: 1;
  readonly kind: 'trigger' | 'task';
  readonly tags: readonly string[];
  /** What the person said first, shortened to 2,000 characters. */
  readonly input: string;
  readonly outcome: TrialOutcome;
  /** Names of the skills that were chosen, in order. */
  readonly fired: readonly string[];
  /** Of a case that says which skills it wants. */
  readonly wanted?: WantedSkills | undefined;
  readonly checks: readonly CheckResult[];
  /** The last answer, shortened to 20,000 characters. */
  readonly answer: string;
  readonly steps: readonly RunStep[];
  readonly spent: TrialSpent;
  /** Why it is `inconclusive`, `error` or `stopped`; what ended the run otherwise than by an answer. */
  readonly reason?: { readonly code: ErrorCode | 'INCONCLUSIVE'; readonly message: string } | undefined;
  /** When it began, in UTC. */
  readonly at: string;
  /** How often it was begun, from 1: what failed for want of an infrastructure was begun again. */
  readonly attempts: number;
  /** Files of the workspace that are there at the end and were not, or not so, at the start. At most 200. */
  readonly files: readonly LeftFile[];
}

/** Which skills a case wants to be chosen, flat, for the counting of triggers. */
export interface WantedSkills {
  /** One of them, or all. Empty: none is to be chosen. */
  readonly skills: readonly string[];
  readonly all: boolean;
  /** Must not be chosen. */
  readonly not: readonly string[];
}

/** What a trial took. */
export interface TrialSpent {
  readonly turns: number;
  readonly toolCalls: number;
  readonly scripts: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars; `undefined` where the price of a call is not known. */
  readonly cost?: number | undefined;
  /** What the judge took of that besides; not in the numbers above. */
  readonly judge?: JudgeSpent | undefined;
  /** Milliseconds. */
  readonly duration: number;
}

/** What a judge took. */
export interface JudgeSpent {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars; `undefined` where it is not known. */
  readonly cost?: number | undefined;
}

/** A file that a trial left. */
export interface LeftFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}
