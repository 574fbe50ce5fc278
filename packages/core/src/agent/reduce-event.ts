import type { BudgetSpent } from './budget.js';
import { nothingSpent } from './initial-state.js';
import type { RunEvent } from './run-event.js';
import type { AuditEntry, ConversationItem, RunState } from './run-state.js';
import { reduceAction } from './reduce-action.js';
import { lastFailure } from './last-failure.js';
import { copiedLists, type StateLists } from './state-lists.js';

/**
 * The state after one more event: pure, and total, so that any order of events gives some state. Of events of other runs in
 * the same record (child runs) it takes the place in the chain, the time, and whether a call had no known cost. Of a `run_resumed` it takes what it says; going back to the
 * state before the lost events is for `foldEvents`, which has them.
 */
export function reduceEvent(state: RunState, event: RunEvent): RunState {
  return reduceWith(state, event, copiedLists);
}

/** As {@link reduceEvent}, with another way to change lists. */
export function reduceWith(state: RunState, event: RunEvent, lists: StateLists): RunState {
  const place = { seq: event.seq, hash: event.hash };
  // Of a child run, only the time goes by.
  if (event.run !== state.id) return timed({ ...unlessPriced(state, event), ...place }, state, event);
  const failure = lastFailure(state.failure, event);
  return timed({ ...reduceAction(reduceRun(state, event, lists), event, lists), failure, ...place }, state, event);
}

function reduceRun(state: RunState, event: RunEvent, lists: StateLists): RunState {
  switch (event.type) {
    case 'run_started': {
      const { model, contextTokens, index, limits } = event;
      return { ...state, phase: 'index_skills', model, contextTokens, index, limits };
    }
    case 'run_resumed':
      // A record may come from anywhere: what it says was approved is asked for again.
      return withUncertain(
        { ...spend(state, event.lost ?? {}), ...termsOf(event), finished: false, grants: [] },
        event,
        lists,
      );
    case 'index_changed':
      // With another index, other texts may have come.
      return { ...state, phase: 'index_skills', index: event.index, forPeople: undefined };
    case 'request_received': {
      const { request, seq } = event;
      const next = {
        ...state,
        phase: 'index_skills',
        request,
        spent: nothingSpent,
        unpriced: undefined,
        answer: undefined,
      } as const;
      return said(next, { kind: 'request', seq, request }, lists);
    }
    case 'turn_started':
      return spend({ ...goingOn(state), phase: 'decide', turn: event.turn }, { turns: 1 });
    case 'model_answered': {
      const { inputTokens, outputTokens, cost } = event.usage;
      const next = { ...unlessPriced(state, event), unread: event.text };
      return spend(next, { tokens: inputTokens + outputTokens, cost: cost ?? 0 });
    }
    case 'model_failed':
      return spend(state, { consecutiveFailures: 1 });
    case 'plan_updated':
      return { ...state, plan: event.plan };
    case 'context_compacted':
      return { ...state, compactedThrough: event.through };
    case 'subagent_finished': {
      const { turns, toolCalls, scripts, tokens, cost } = event.spent;
      return spend(state, { turns, toolCalls, scripts, tokens, cost });
    }
    case 'request_answered': {
      const { answer: text, stop, degraded } = event;
      const error = degraded ? state.failure : undefined;
      const next = { ...goingOn(state), phase: 'final', answer: { text, stop, degraded, error } } as const;
      return said(next, { kind: 'answer', seq: event.seq, text }, lists);
    }
    case 'run_finished':
      return { ...state, finished: true };
    default:
      return state;
  }
}

/** A request that was given up is worked on again: that it was is nothing to go on from. */
function goingOn(state: RunState): RunState {
  if (state.answer === undefined) return state;
  const { conversation, spent } = state;
  return {
    ...state,
    answer: undefined,
    spent: { ...spent, consecutiveFailures: 0 },
    conversation: conversation.at(-1)?.kind === 'answer' ? conversation.slice(0, -1) : conversation,
  };
}

function termsOf({ with: terms }: RunEvent & { readonly type: 'run_resumed' }): Partial<RunState> {
  if (terms === undefined) return {};
  const { model, contextTokens, limits } = terms;
  return { model, contextTokens, limits };
}

function withUncertain(
  state: RunState,
  event: RunEvent & { readonly type: 'run_resumed' },
  lists: StateLists,
): RunState {
  if (event.uncertain === undefined) return state;
  const { id, action } = event.uncertain;
  const error = { code: 'INTERRUPTED', message: 'The run was cut off while this was under way.' } as const;
  const content = `${error.message} Whether it took effect is not known: find out before you do it again.`;
  const { seq } = event;
  const { turn } = state;
  const entry = { id, turn, action, approval: undefined, ok: false, error, kept: [], duration: undefined };
  const audited = { ...state, phase: 'observe', audit: lists.append<AuditEntry>(state.audit, entry) } as const;
  const decided = said(audited, { kind: 'decision', seq, id, action }, lists);
  return said(decided, { kind: 'observation', seq, id, ok: false, content, skills: [] }, lists);
}

function said(state: RunState, item: ConversationItem, lists: StateLists): RunState {
  return { ...state, conversation: lists.append(state.conversation, item) };
}

/** What nobody knows is none of the sums. */
function unlessPriced(state: RunState, event: RunEvent): RunState {
  if (event.type !== 'model_answered' || event.usage.cost !== undefined) return state;
  return { ...state, unpriced: true, totals: { ...state.totals, cost: undefined } };
}

function spend(state: RunState, more: Partial<BudgetSpent>): RunState {
  const { cost } = state.totals;
  const totals = plus({ ...state.totals, cost: cost ?? 0 }, more);
  return {
    ...state,
    spent: plus(state.spent, more),
    totals: cost === undefined ? { ...totals, cost: undefined } : totals,
  };
}

function plus(spent: BudgetSpent, more: Partial<BudgetSpent>): BudgetSpent {
  const sum = (name: keyof BudgetSpent): number => spent[name] + (more[name] ?? 0);
  return {
    turns: sum('turns'),
    toolCalls: sum('toolCalls'),
    scripts: sum('scripts'),
    tokens: sum('tokens'),
    cost: sum('cost'),
    wallTime: sum('wallTime'),
    consecutiveFailures: sum('consecutiveFailures'),
  };
}

/**
 * Time counts while a request is worked on; what lies between a crash and the next start does not, nor does what a person
 * takes for a yes or a no. A clock that goes back
 * takes no time, and none where it comes to be right again: until then, only what goes beyond the latest time counts.
 */
function timed(state: RunState, before: RunState, event: RunEvent): RunState {
  const working = before.request !== undefined && before.answer === undefined && !before.finished;
  const now = Date.parse(event.at);
  const from = before.at === undefined ? now : Date.parse(before.at);
  const latest = event.type === 'run_resumed' ? now : Math.max(from, before.latest ?? from);
  const passed = now - (now >= latest ? latest : from);
  const moved = { ...state, at: event.at, latest: now < latest ? latest : undefined };
  if (!working || event.type === 'approval_decided' || !(passed > 0)) return moved;
  return spend(moved, { wallTime: passed });
}
