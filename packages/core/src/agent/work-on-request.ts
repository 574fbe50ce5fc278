import { AnswerPieces } from './answer-pieces.js';
import type { AskOptions, RunAnswer } from './agent-run.js';
import { CarefulListener } from './careful-listener.js';
import { degradedAnswer, type EarlyStop } from './degraded-answer.js';
import { exhaustedBudget } from './exhausted-budget.js';
import type { RunScope } from './run-scope.js';
import type { RunState } from './run-state.js';
import { longestTimer, Patience } from './patience.js';
import type { PendingAction } from './pending-action.js';
import { pauseBeforeRetry } from './pause-before-retry.js';
import { asError } from './recorded-error.js';
import { takeTurn, type TurnOptions } from './take-turn.js';

/** How a request is worked on. */
export interface WorkOptions extends AskOptions {
  /** What is done first, before a model is asked. @default nothing */
  readonly pending?: PendingAction | undefined;
}

/** Turn after turn until the request is answered, or has to be given up; then the answer says what is missing. */
export async function workOnRequest(scope: RunScope, options: WorkOptions): Promise<RunAnswer> {
  const { signal, onText, onReasoning, onAnswer, pending } = options;
  const time = (): number => {
    const { limits, spent } = scope.state();
    return limits.wallTime - spent.wallTime;
  };
  const patience = new Patience(scope.ports.clock, { cancelled: signal, time });
  scope.library.patience = patience;
  const listener = new CarefulListener();
  const tell = listener.wrap(onAnswer);
  const pieces = tell === undefined ? undefined : new AnswerPieces(tell);
  try {
    const heard = { onText: listener.wrap(onText), onReasoning: listener.wrap(onReasoning), pieces };
    const answered = await turnAfterTurn(scope, { patience, ...heard, pending });
    if (answered.degraded) pieces?.restart();
    else pieces?.end(answered.text);
    listener.check();
    return answered;
  } finally {
    patience.release();
  }
}

async function turnAfterTurn(
  scope: RunScope,
  { pending, ...options }: TurnOptions & Pick<WorkOptions, 'pending'>,
): Promise<RunAnswer> {
  const { clock } = scope.ports;
  let first = pending;
  // In how many turns before this one the model could not be asked.
  let unasked = 0;
  for (;;) {
    const stop = stopBefore(scope, options.patience, unasked > 0);
    if (stop !== undefined) return giveUp(scope, { stop });
    const end = await takeTurn(scope, options, first);
    first = undefined;
    if (end.kind === 'answered') return answer(scope, { text: end.text, stop: end.stop, degraded: false });
    if (end.kind === 'stopped') return giveUp(scope, end.early);
    unasked = end.kind === 'again' ? unasked + 1 : 0;
    if (end.kind !== 'again' || stopBefore(scope, options.patience, true) !== undefined) continue;
    if (comesTooLate(scope.state(), end.retryAfter)) return giveUp(scope, { stop: 'model_failed' });
    await pauseBeforeRetry(clock, { failed: unasked, retryAfter: end.retryAfter, signal: options.patience.signal });
  }
}

/** What keeps another turn from being taken. */
function stopBefore(scope: RunScope, { end }: Patience, unasked: boolean): EarlyStop['stop'] | undefined {
  const exhausted = exhaustedBudget(scope.state(), scope.settings);
  return end ?? (unasked && exhausted === 'max_consecutive_failures' ? 'model_failed' : exhausted);
}

/** Whether the model wants to be asked again after the time of the request: then nobody waits in vain. */
function comesTooLate({ limits, spent }: RunState, retryAfter = 0): boolean {
  return retryAfter > 0 && retryAfter >= Math.min(limits.wallTime - spent.wallTime, longestTimer);
}

async function giveUp(scope: RunScope, early: EarlyStop): Promise<RunAnswer> {
  const tellsRejected = scope.settings.rejectedAnswer === 'tell';
  const text = degradedAnswer(scope.state(), { ...early, tellsRejected });
  return answer(scope, { text, stop: early.stop, degraded: true });
}

/** The answer is what the record holds of it. */
async function answer(scope: RunScope, { text, stop, degraded }: RunAnswer): Promise<RunAnswer> {
  await scope.recorder.append(scope.id, { type: 'request_answered', stop, degraded, answer: text });
  await scope.recorder.sync();
  const recorded = scope.state().answer ?? { text, stop, degraded };
  return { ...recorded, error: recorded.error && asError(recorded.error) };
}
