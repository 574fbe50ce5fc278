import type { AgentAction } from '../model/action.js';
import type { Activation } from './activation.js';
import type { BudgetSpent } from './budget.js';
import type { RunEvent } from './run-event.js';
import type { AuditEntry, ConversationItem, RunState } from './run-state.js';

/** What the events about one action come to: the ledger, the audit, the grants and what the model was told. */
export function reduceAction(state: RunState, event: RunEvent): RunState {
  switch (event.type) {
    case 'decision_rejected':
      return rejected(state, event);
    case 'action_started':
      return started({ ...state, unread: undefined }, event);
    case 'approval_requested':
    case 'approval_decided':
      return approval(state, event);
    case 'skill_activated':
      return { ...state, activations: withActivation(state.activations, event.activation) };
    case 'skill_disabled': {
      const { name, reason } = event;
      return { ...state, disabled: [...state.disabled.filter((other) => other.name !== name), { name, reason }] };
    }
    case 'skill_enabled':
      return { ...state, disabled: state.disabled.filter((other) => other.name !== event.name) };
    case 'observation_recorded':
      return observed(state, event);
    case 'request_answered':
      return closed(state);
    default:
      return state;
  }
}

/** As much of an answer as a model needs to see what was wrong with it, in UTF-16 code units. */
const shownOfRejected = 2_000;

function rejected(state: RunState, { seq, error }: RunEvent & { readonly type: 'decision_rejected' }): RunState {
  const text = (state.unread ?? '').slice(0, shownOfRejected).toWellFormed();
  return failed(said({ ...state, unread: undefined }, { kind: 'rejection', seq, text, error }));
}

function started(state: RunState, { id, action, seq }: RunEvent & { readonly type: 'action_started' }): RunState {
  const entry: AuditEntry = {
    id,
    turn: state.turn,
    action,
    approval: undefined,
    ok: undefined,
    error: undefined,
    kept: [],
    duration: undefined,
  };
  const next = { ...state, audit: [...state.audit, entry] };
  // What the answer says stands in the conversation as the answer, once.
  if (action.kind === 'final_answer' || action.kind === 'ask_user') return next;
  const acting = { ...next, phase: action.kind === 'select_skills' ? 'load_skill_body' : 'act' } as const;
  const counted = count(acting, { toolCalls: 1, scripts: action.kind === 'run_script' ? 1 : 0 });
  return said(counted, { kind: 'decision', seq, id, action });
}

function approval(
  state: RunState,
  event: RunEvent & { readonly type: 'approval_requested' | 'approval_decided' },
): RunState {
  if (event.type === 'approval_requested') {
    const { request } = event;
    // Nobody has said yes until somebody has.
    const decision = { kind: 'unavailable', reason: 'not decided' } as const;
    return audited(state, request.id, () => ({ approval: { request, decision } }));
  }
  const { id, decision } = event;
  const next = audited(state, id, (entry) =>
    entry.approval === undefined ? {} : { approval: { request: entry.approval.request, decision } },
  );
  const request = next.audit.findLast((entry) => entry.id === id)?.approval?.request;
  if (decision.kind !== 'approved' || decision.scope === 'once' || request === undefined) return next;
  const grant = { tool: request.tool, skill: request.skill?.location, scope: decision.scope };
  return { ...next, grants: [...next.grants, grant] };
}

/** A skill that was read again stands where it stood, as it was read the last time. */
function withActivation(ledger: readonly Activation[], activation: Activation): readonly Activation[] {
  const at = ledger.findIndex(({ location }) => location === activation.location);
  return at === -1 ? [...ledger, activation] : ledger.with(at, activation);
}

function observed(state: RunState, event: RunEvent & { readonly type: 'observation_recorded' }): RunState {
  const { id, ok, content, error, kept, duration, seq } = event;
  const action = state.audit.findLast((entry) => entry.id === id)?.action;
  const skills = action?.kind === 'select_skills' ? textsOf(event.output['bodies']) : [];
  const next = said(
    audited({ ...state, phase: 'observe' }, id, () => ({ ok, error, kept, duration })),
    { kind: 'observation', seq, id, ok, content, skills },
  );
  const read = withResource(next, event, action);
  return ok ? { ...read, spent: { ...read.spent, consecutiveFailures: 0 } } : failed(read);
}

function withResource(
  state: RunState,
  event: RunEvent & { readonly type: 'observation_recorded' },
  action: AgentAction | undefined,
): RunState {
  const { location, path } = event.output;
  if (!event.ok || action?.kind !== 'load_resource' || typeof location !== 'string' || typeof path !== 'string')
    return state;
  const resource = { location, path, section: action.section_hint, turn: state.turn };
  return { ...state, resources: [...state.resources, resource] };
}

/** A decision that the request ended with, carried out or not, needs no observation. */
function closed(state: RunState): RunState {
  const last = state.audit.at(-1);
  if (last === undefined || last.ok !== undefined) return state;
  const ends = last.action.kind === 'final_answer' || last.action.kind === 'ask_user';
  return ends ? audited(state, last.id, () => ({ ok: true, duration: 0 })) : state;
}

function audited(state: RunState, id: string, change: (entry: AuditEntry) => Partial<AuditEntry>): RunState {
  const at = state.audit.findLastIndex((entry) => entry.id === id);
  const entry = state.audit[at];
  return entry === undefined ? state : { ...state, audit: state.audit.with(at, { ...entry, ...change(entry) }) };
}

function said(state: RunState, item: ConversationItem): RunState {
  return { ...state, conversation: [...state.conversation, item] };
}

function failed(state: RunState): RunState {
  return count(state, { consecutiveFailures: 1 });
}

function count(state: RunState, more: Partial<BudgetSpent>): RunState {
  const plus = (spent: BudgetSpent): BudgetSpent => ({
    ...spent,
    toolCalls: spent.toolCalls + (more.toolCalls ?? 0),
    scripts: spent.scripts + (more.scripts ?? 0),
    consecutiveFailures: spent.consecutiveFailures + (more.consecutiveFailures ?? 0),
  });
  return { ...state, spent: plus(state.spent), totals: plus(state.totals) };
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}
