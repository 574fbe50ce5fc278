import { createDecisionStream, visibleLines, type DecisionStream, type RunEvent } from '@skillpack/core';

/** Follows a run, and tells of its answers while the model writes them. */
export interface AnswerStream {
  /** The next piece of what the model writes. */
  push(text: string): void;
  /** What happened in the run: each turn is another decision. */
  follow(event: RunEvent): void;
  /** What was told in this turn. */
  readonly told: string;
}

/** Tells of the pieces of final answers, and of questions, safe for a terminal. Together they are the answer. */
export function createAnswerStream(tell: (text: string) => void): AnswerStream {
  let told = '';
  let held = '';
  let decision = newDecision();
  function newDecision(): DecisionStream {
    return createDecisionStream(({ delta }) => take(delta), { actions: ['final_answer', 'ask_user'] });
  }
  function take(delta: string): void {
    const text = held + delta;
    // A line break may be two characters, and the second one is yet to come.
    held = text.endsWith('\r') ? '\r' : '';
    const visible = visibleLines(text.slice(0, text.length - held.length));
    if (visible === '') return;
    told += visible;
    tell(visible);
  }
  return {
    push: (text) => decision.push(text),
    follow: ({ type }) => {
      if (type !== 'turn_started') return;
      told = '';
      held = '';
      decision = newDecision();
    },
    get told() {
      return told;
    },
  };
}
