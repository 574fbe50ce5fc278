import { AnswerPieces } from './answer-pieces.js';
import type { AskOptions, RunAnswer } from './agent-run.js';
import { CarefulListener } from './careful-listener.js';
import { degradedAnswer, type EarlyStop } from './degraded-answer.js';
import { exhaustedBudget } from './exhausted-budget.js';
import type { RunScope } from './run-scope.js';
import { Patience } from './patience.js';
import { takeTurn, type TurnOptions } from './take-turn.js';

/** Turn after turn until the request is answered, or has to be given up; then the answer says what is missing. */
export async function workOnRequest(scope: RunScope, { signal, onText, onAnswer }: AskOptions): Promise<RunAnswer> {
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
    const answered = await turnAfterTurn(scope, { patience, onText: listener.wrap(onText), pieces });
    if (answered.degraded) pieces?.restart();
    else pieces?.end(answered.text);
    listener.check();
    return answered;
  } finally {
    patience.release();
  }
}

async function turnAfterTurn(scope: RunScope, options: TurnOptions): Promise<RunAnswer> {
  // Whether the model could not be asked in the turn before.
  let unasked = false;
  for (;;) {
    const exhausted = exhaustedBudget(scope.state());
    const stopped = options.patience.end;
    if (stopped !== undefined) return giveUp(scope, { stop: stopped });
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
