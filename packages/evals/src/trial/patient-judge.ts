import { SkillsError, type Clock } from '@skillpack/core';
import type { Judge, JudgeAnswer, JudgeRequest } from '../judge/judge.js';
import { judgeOnce } from '../judge/judge-once.js';
import { judgeSpentOf } from '../judge/judge-spent.js';
import type { JudgeSpent } from '../results/eval-result.js';
import { pauseBefore } from '../run/pause-before.js';
import { pauseFor } from '../run/pause-for.js';
import { mayBeTriedAgain } from './judge-end.js';
import { addJudge } from './spent-of.js';

/** How a judge is asked again. */
export interface JudgePatience {
  readonly clock: Clock;
  /** How often, where what it failed with may pass. */
  readonly retries: number;
}

/** Asks a judge again where it fails, as a trial is begun again: the agent has done its part, and is not asked twice for it. */
export class PatientJudge implements Judge {
  readonly name: string;
  readonly #judge: Judge;
  readonly #patience: JudgePatience;
  #spent: JudgeSpent | undefined;
  #failed = false;

  constructor(judge: Judge, patience: JudgePatience) {
    this.name = judge.name;
    this.#judge = judge;
    this.#patience = patience;
  }

  /** What all its answers and failures took, as far as they say so; `undefined` before any. */
  get spent(): JudgeSpent | undefined {
    return this.#spent;
  }

  /** Whether it failed for good. */
  get failed(): boolean {
    return this.#failed;
  }

  async judge(request: JudgeRequest, { signal }: { readonly signal: AbortSignal }): Promise<JudgeAnswer> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = await judgeOnce(this.#judge, request, { signal });
        this.#spent = addJudge(this.#spent, answer.spent);
        return answer;
      } catch (thrown) {
        this.#spent = addJudge(this.#spent, judgeSpentOf(thrown));
        const pause = this.#pauseAfter(attempt, thrown);
        if (pause !== undefined) await pauseFor(this.#patience.clock, pause, signal);
        if (pause !== undefined && !signal.aborted) continue;
        this.#failed = true;
        throw thrown;
      }
    }
  }

  #pauseAfter(attempt: number, thrown: unknown): number | undefined {
    if (attempt > this.#patience.retries || !SkillsError.is(thrown) || !mayBeTriedAgain(thrown)) return undefined;
    return pauseBefore(attempt, thrown);
  }
}
