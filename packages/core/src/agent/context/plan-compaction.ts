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
  const measured = thin(candidatesOf(state)).map((through) => {
    const shorter = { ...state, compactedThrough: through };
    const messages = conversationMessages({ ...parts, state: shorter, skills: parts.index.skills }, ports);
    return { through, before, after: fixed + messageTokens(messages, ports) };
  });
  const newest = state.conversation.at(-1)?.seq ?? 0;
  const seen = choose(
    measured.filter(({ through }) => through < newest),
    options.budget,
  );
  if ((seen?.after ?? before) <= Math.max(options.budget, state.contextTokens * fullWindow)) return smaller(seen);
  return smaller(choose(measured, options.budget));
}

function choose(measured: readonly Compaction[], budget: number): Compaction | undefined {
  const smallest = measured.reduce<Compaction | undefined>(
    (best, one) => (best === undefined || one.after < best.after ? one : best),
    undefined,
  );
  return (
    measured.find(({ after }) => after <= budget * aim) ?? measured.find(({ after }) => after <= budget) ?? smallest
  );
}

function smaller(compaction: Compaction | undefined): Compaction | undefined {
  return compaction !== undefined && compaction.after < compaction.before ? compaction : undefined;
}

/** Events after which a turn or a request was over. */
function candidatesOf({ conversation, compactedThrough }: RunState): readonly number[] {
  const ends = conversation.filter(({ kind }) => kind !== 'decision').map(({ seq }) => seq);
  return [...new Set(ends)].filter((seq) => seq > compactedThrough);
}

/** Some of many, evenly, and always the last. */
function thin(candidates: readonly number[]): readonly number[] {
  const step = Math.ceil(candidates.length / mostCandidates);
  return candidates.filter((_, index) => (candidates.length - 1 - index) % step === 0);
}
