import type { DecideOptions, ModelAnswer, ModelRequest } from '../model/model-adapter.js';
import type { AnswerPieces } from './answer-pieces.js';
import { longestText } from './longest-text.js';
import type { Patience } from './patience.js';
import { plainAnswer } from './plain-answer.js';
import { redactAnswer, redactPart } from './redact-answer.js';
import { DeltaRedactor } from './redact-deltas.js';
import type { RunScope } from './run-scope.js';

/** How a model is heard. */
export interface HearOptions {
  readonly patience: Patience;
  readonly onText?: Listener | undefined;
  readonly onReasoning?: Listener | undefined;
  /** Told of what the model writes, too. */
  readonly pieces?: AnswerPieces | undefined;
}

type Listener = (delta: string) => void;

/** UTF-16 code units of what a model thinks, for one answer: more is neither told nor recorded. */
const longestReasoning = 65_536;

/** What a model answers, without secrets. One that was left behind is not listened to any more. */
export async function hearModel(
  request: ModelRequest,
  { ports, recorder }: RunScope,
  options: HearOptions,
): Promise<ModelAnswer> {
  const { redact, redacting } = recorder;
  const ears = { redact: redacting ? redact : undefined };
  const text = new Ear(listenerOf(options), ears);
  const thought = new Ear(options.onReasoning && upTo(longestReasoning, options.onReasoning), ears);
  try {
    const answer: unknown = await options.patience.waitFor({ who: 'The model' }, async (signal) => {
      const how: DecideOptions = { signal, onText: text.listen, onReasoning: thought.listen };
      // Who has nobody to tell may do with less.
      return ports.model.decide(request, withoutUnused(how));
    });
    const { reasoning, ...plain } = plainAnswer(answer, ports.model.name);
    // A text that is too long to be read need not be kept as a whole either, and what stands for secrets may be longer.
    const said = redactAnswer(plain.text.slice(0, longestText), redact, request).slice(0, longestText);
    text.end(said);
    if (reasoning === undefined) return { ...plain, text: said };
    // What is cut was redacted before: half a secret is known to nobody.
    const known = redact(redactPart(reasoning.slice(0, longestText), redact, { changed: false }).text);
    const shown = known.toWellFormed().slice(0, longestReasoning).toWellFormed();
    thought.end(shown);
    return { ...plain, text: said, ...(shown !== '' && { reasoning: shown }) };
  } finally {
    text.close();
    thought.close();
  }
}

function withoutUnused({ signal, onText, onReasoning }: DecideOptions): DecideOptions {
  return { signal, ...(onText && { onText }), ...(onReasoning && { onReasoning }) };
}

/** Whoever hears what a model writes; it begins to write anew. */
function listenerOf({ onText, pieces }: HearOptions): Listener | undefined {
  pieces?.restart();
  if (pieces === undefined) return onText;
  return (delta) => {
    onText?.(delta);
    pieces.push(delta);
  };
}

function upTo(most: number, tell: Listener): Listener {
  let told = 0;
  return (delta) => {
    const piece = delta.slice(0, most - told);
    told += piece.length;
    if (piece !== '') tell(piece);
  };
}

/** Hands on what a model tells, without secrets, as long as anybody waits for it. */
class Ear {
  readonly #redactor: DeltaRedactor | undefined;
  #open = true;
  /** `undefined` where nobody hears. */
  readonly listen: Listener | undefined;

  constructor(tell: Listener | undefined, { redact }: { readonly redact: ((text: string) => string) | undefined }) {
    if (tell === undefined) return;
    const redactor = redact === undefined ? undefined : new DeltaRedactor(redact, tell);
    this.#redactor = redactor;
    this.listen = (delta) => {
      if (!this.#open) return;
      if (redactor === undefined) tell(delta);
      else redactor.push(delta);
    };
  }

  /** Tells the rest of what the record holds. */
  end(recorded: string): void {
    this.#redactor?.end(recorded);
  }

  close(): void {
    this.#open = false;
  }
}
