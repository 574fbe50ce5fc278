import { visibleLines } from '../errors/visible-text.js';
import { createDecisionStream, type DecisionStream } from '../model/decision-stream.js';

/** Told of each piece of an answer, and of all its pieces so far together. */
export type TellAnswer = (delta: string, answer: string) => void;

/** Tells of the answer to a request while the model writes it, and of nothing else that the model writes. */
export class AnswerPieces {
  readonly #tell: TellAnswer;
  #decision: DecisionStream;
  #told = '';
  #held = '';

  constructor(tell: TellAnswer) {
    this.#tell = tell;
    this.#decision = this.#newDecision();
  }

  /** The next piece of what the model writes. */
  push(text: string): void {
    this.#decision.push(text);
  }

  /** What was told was not the answer: it begins anew. */
  restart(): void {
    this.#decision = this.#newDecision();
    this.#held = '';
    if (this.#told === '') return;
    this.#told = '';
    this.#tell('', '');
  }

  /** Tells what is missing of the answer as it turned out to be. */
  end(answer: string): void {
    if (!answer.startsWith(this.#told)) this.restart();
    this.#emit(answer.slice(this.#told.length));
  }

  #newDecision(): DecisionStream {
    return createDecisionStream(({ delta }) => this.#take(delta), { actions: ['final_answer', 'ask_user'] });
  }

  #take(delta: string): void {
    const text = this.#held + delta;
    // A line break may be two characters, and the second one is yet to come.
    this.#held = text.endsWith('\r') ? '\r' : '';
    this.#emit(visibleLines(text.slice(0, text.length - this.#held.length)));
  }

  #emit(delta: string): void {
    if (delta === '') return;
    this.#told += delta;
    this.#tell(delta, this.#told);
  }
}
