import type { RunState } from '../run-state.js';
import type { TokenPorts } from './catalogue.js';
import { composeRequest, messageTokens, type ComposeOptions, type RequestParts } from './compose-request.js';
import { conversationMessages } from './conversation-messages.js';

/** When a conversation is shortened. */
export interface CompactionOptions extends ComposeOptions {
  /** Tokens that a request may have. */
  readonly budget: number;
}

/** Up to which event the conversation is shown in a shorter form, and what that does to the request, in tokens. */
export interface Compaction {
  readonly through: number;
  readonly before: number;
  readonly after: number;
}

// So that not every turn needs another compaction, which costs a provider's cache of the prompt.
const aim = 0.6;
const mostCandidates = 48;
// Where none fits.
const mostCompared = 16;

// Of the window: what is left is for the answer.
const fullWindow = 0.95;

/**
 * Decides whether the conversation has to be shortened, and how far: as little as brings the request to six tenths of the
 * budget; else as little as fits the budget; else to the smallest there is. What the model has not seen yet, the newest
 * observation, is shortened only where the request would fill nearly all of the window: else a small window would lose
 * each text as soon as it was read. `undefined` where it fits, or nothing makes it smaller. Without a model, and the same
 * for the same state. The newest request, the plan, the ledger, the rules of active skills and the unlocked tools are in
 * every request however much is shortened.
 */
export function planCompaction(
  parts: RequestParts,
  ports: TokenPorts,
  options: CompactionOptions,
): Compaction | undefined {
  const { state } = parts;
  const composed = composeRequest(parts, ports, options);
  const before = composed.tokens;
  if (before <= options.budget) return undefined;
  const fixed = before - messageTokens(composed.request.messages, ports);
  const measure = remembered((through: number): Compaction => {
    const shorter = { ...state, compactedThrough: through };
    const messages = conversationMessages({ ...parts, state: shorter, skills: parts.index.skills }, ports);
    return { through, before, after: fixed + messageTokens(messages, ports) };
  });
  const candidates = thin(candidatesOf(state), mostCandidates);
  const newest = state.conversation.at(-1)?.seq ?? 0;
  const seen = choose(
    candidates.filter((through) => through < newest),
    measure,
    options.budget,
  );
  if ((seen?.after ?? before) <= Math.max(options.budget, state.contextTokens * fullWindow)) return smaller(seen);
  return smaller(choose(candidates, measure, options.budget));
}

type Measure = (through: number) => Compaction;

/** Each is rendered once. */
function remembered(measure: Measure): Measure {
  const known = new Map<number, Compaction>();
  return (through) => {
    const compaction = known.get(through) ?? measure(through);
    known.set(through, compaction);
    return compaction;
  };
}

/** The more is shortened, the smaller it is, with few exceptions: so not every candidate has to be rendered. */
function choose(candidates: readonly number[], measure: Measure, budget: number): Compaction | undefined {
  const last = candidates.at(-1);
  if (last === undefined) return undefined;
  const { after } = measure(last);
  if (after <= budget) return firstThatFits(candidates, measure, after <= budget * aim ? budget * aim : budget);
  return thin(candidates, mostCompared)
    .map(measure)
    .reduce((best, one) => (one.after < best.after ? one : best));
}

/** By halves; the last of the candidates fits. */
function firstThatFits(candidates: readonly number[], measure: Measure, most: number): Compaction | undefined {
  const [only] = candidates;
  if (candidates.length === 1 && only !== undefined) return measure(only);
  const half = Math.floor(candidates.length / 2);
  const middle = candidates[half - 1];
  const fits = middle !== undefined && measure(middle).after <= most;
  return firstThatFits(fits ? candidates.slice(0, half) : candidates.slice(half), measure, most);
}

function smaller(compaction: Compaction | undefined): Compaction | undefined {
  return compaction !== undefined && compaction.after < compaction.before ? compaction : undefined;
}

/** Events after which a turn or a request was over. */
function candidatesOf({ conversation, compactedThrough }: RunState): readonly number[] {
  const ends = conversation.filter(({ kind }) => kind !== 'decision').map(({ seq }) => seq);
  return [...new Set(ends)].filter((seq) => seq > compactedThrough);
}

/** At most so many of them, and one, evenly, and always the last. */
function thin(candidates: readonly number[], most: number): readonly number[] {
  const step = Math.ceil(candidates.length / most);
  return candidates.filter((_, index) => (candidates.length - 1 - index) % step === 0);
}
