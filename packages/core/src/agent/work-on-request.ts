import type { RunAnswer } from './agent-run.js';
import { degradedAnswer, type EarlyStop } from './degraded-answer.js';
import { exhaustedBudget } from './exhausted-budget.js';
import type { RunScope } from './run-scope.js';
import { takeTurn, type WorkOptions } from './take-turn.js';

/** Turn after turn until the request is answered, or has to be given up; then the answer says what is missing. */
export async function workOnRequest(scope: RunScope, options: WorkOptions): Promise<RunAnswer> {
  const { library } = scope;
  library.signal = options.signal;
  // Whether the model could not be asked in the turn before.
  let unasked = false;
  for (;;) {
    const exhausted = exhaustedBudget(scope.state());
    if (options.signal.aborted) return giveUp(scope, { stop: 'cancelled' });
    if (exhausted !== undefined) {
      const stop = unasked && exhausted === 'max_consecutive_failures' ? 'model_failed' : exhausted;
      return giveUp(scope, { stop });
    }
    const end = await takeTurn(scope, options);
    if (end.kind === 'answered') return answer(scope, { text: end.text, stop: end.stop, degraded: false });
    if (end.kind === 'stopped') return giveUp(scope, end.early);
    unasked = end.kind === 'again';
  }
}

async function giveUp(scope: RunScope, early: EarlyStop): Promise<RunAnswer> {
  const text = degradedAnswer(scope.state(), early);
  return answer(scope, { text, stop: early.stop, degraded: true });
}

/** The answer is what the record holds of it. */
async function answer(scope: RunScope, { text, stop, degraded }: RunAnswer): Promise<RunAnswer> {
  await scope.recorder.append(scope.id, { type: 'request_answered', stop, degraded, answer: text });
  await scope.recorder.sync();
  return scope.state().answer ?? { text, stop, degraded };
}
