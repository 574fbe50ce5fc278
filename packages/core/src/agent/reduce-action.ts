import { canonicalJson } from '../json/canonical-json.js';
import type { AgentAction } from '../model/action.js';
import type { Activation } from './activation.js';
import type { BudgetSpent, RunTotals } from './budget.js';
import type { RunEvent } from './run-event.js';
import type { AuditEntry, ConversationItem, RunState } from './run-state.js';
import type { StateLists } from './state-lists.js';

/**
 * What the events about one action come to: the ledger, the audit, the grants and what the model was told. One action is
 * under way at a time, the last of the audit; an event about another one says nothing.
 */
export function reduceAction(state: RunState, event: RunEvent, lists: StateLists): RunState {
  switch (event.type) {
    case 'decision_rejected':
      return rejected(state, event, lists);
    case 'action_started':
      return started({ ...state, unread: undefined }, event, lists);
    case 'tool_judged': {
      const { id, verdict, by, rule, skill } = event;
      const judged = { verdict, by, ...(rule !== undefined && { rule }), ...(skill && { skill }) };
      return audited(state, { id, judged }, lists);
    }
    case 'approval_requested':
    case 'approval_decided':
      return approval(state, event, lists);
    case 'skill_activated':
      return activated(state, event, lists);
    case 'skill_disabled': {
      const { name, reason, by = 'model' } = event;
      return { ...state, disabled: [...state.disabled.filter((other) => other.name !== name), { name, reason, by }] };
    }
    case 'skill_enabled':
      return { ...state, disabled: state.disabled.filter((other) => other.name !== event.name) };
    case 'observation_recorded':
      return observed(state, event, lists);
    case 'request_answered':
      return closed(state, lists);
    default:
      return state;
  }
}

/** As much of an answer as a model needs to see what was wrong with it, in UTF-16 code units. */
const shownOfRejected = 2_000;

function rejected(
  state: RunState,
  { seq, error }: RunEvent & { readonly type: 'decision_rejected' },
  lists: StateLists,
): RunState {
  const text = (state.unread ?? '').slice(0, shownOfRejected).toWellFormed();
  return failed(said({ ...state, unread: undefined }, { kind: 'rejection', seq, text, error }, lists));
}

function started(
  state: RunState,
  { id, action, seq }: RunEvent & { readonly type: 'action_started' },
  lists: StateLists,
): RunState {
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
  const next = { ...state, audit: lists.append(state.audit, entry) };
  // What the answer says stands in the conversation as the answer, once.
  if (action.kind === 'final_answer' || action.kind === 'ask_user') return next;
  const acting = { ...next, phase: action.kind === 'select_skills' ? 'load_skill_body' : 'act' } as const;
  const counted = count(acting, { toolCalls: 1, scripts: action.kind === 'run_script' ? 1 : 0 });
  return said(counted, { kind: 'decision', seq, id, action }, lists);
}

function approval(
  state: RunState,
  event: RunEvent & { readonly type: 'approval_requested' | 'approval_decided' },
  lists: StateLists,
): RunState {
  if (event.type === 'approval_requested') {
    const { request } = event;
    // Nobody has said yes until somebody has.
    const decision = { kind: 'unavailable', reason: 'not decided' } as const;
    return audited(state, { id: request.id, approval: { request, decision } }, lists);
  }
  const { id, decision } = event;
  const entry = underWay(state, id);
  const request = entry?.approval?.request;
  if (request === undefined) return state;
  const next = audited(state, { id, approval: { request, decision } }, lists);
  if (decision.kind !== 'approved' || decision.scope === 'once') return next;
  const action = entry?.action.kind;
  if (action !== 'call_tool' && action !== 'run_script') return next;
  const { tool, skill, digest, confinement, covers } = request;
  // Of which content of the skill it would hold, nobody knows.
  if (skill !== undefined && digest === undefined) return next;
  const input = covers === 'input' ? canonicalJson(request.input) : undefined;
  const grant = { action, tool, skill: skill?.location, digest, confinement, input, scope: decision.scope };
  return { ...next, grants: lists.append(next.grants, grant) };
}

function activated(
  state: RunState,
  { activation, seq }: RunEvent & { readonly type: 'skill_activated' },
  lists: StateLists,
): RunState {
  const { location } = activation;
  const next = {
    ...state,
    activations: withActivation(state.activations, activation, lists),
    ...withOutdated(state, activation, lists),
  };
  if (!showsOld(state, activation)) return next;
  const conversation = next.conversation.filter((item) => item.kind !== 'renewed' || item.location !== location);
  return said({ ...next, conversation }, { kind: 'renewed', seq, location }, lists);
}

/** A text that stands in the conversation restricts as long as that does, whatever the skill says now. */
function withOutdated(
  { activations, outdated = [] }: RunState,
  activation: Activation,
  lists: StateLists,
): Pick<RunState, 'outdated'> {
  const before = activations.find(({ location }) => location === activation.location);
  if (before === undefined || before.runMode === 'subagent') return {};
  const origin = ({ location, scope, pack }: Activation): string => JSON.stringify([location, scope, pack]);
  const declared = (line: Activation): string => JSON.stringify([origin(line), line.allowedTools]);
  // Who says nothing of tools restricts nothing, and is somebody else's all the same.
  if (declared(before) === declared(activation)) return {};
  if (before.allowedTools === undefined && origin(before) === origin(activation)) return {};
  if (outdated.some((line) => declared(line) === declared(before))) return {};
  return { outdated: lists.append(outdated, before) };
}

/** Whether the model has another text of the skill before it, in what came of an action: there it stays as it was. */
function showsOld({ activations, conversation, compactedThrough, phase }: RunState, activation: Activation): boolean {
  // What is selected now is shown by what comes of that.
  if (phase === 'load_skill_body') return false;
  const { location, digest } = activation;
  if (!activations.some((before) => before.location === location && before.digest !== digest)) return false;
  return conversation.some(
    (item) => item.kind === 'observation' && item.seq > compactedThrough && item.skills.includes(location),
  );
}

/**
 * A skill that was read again stands where it stood, as it was read the last time. What a person or a preload asked for
 * stays theirs when a model loads it again: it may then do so once more.
 */
function withActivation(
  ledger: readonly Activation[],
  activation: Activation,
  lists: StateLists,
): readonly Activation[] {
  const at = ledger.findIndex(({ location }) => location === activation.location);
  const before = ledger[at];
  if (before === undefined) return lists.append(ledger, activation);
  const { by, reason } = activation.by === 'model' ? before : activation;
  return ledger.with(at, { ...activation, by, reason });
}

function observed(
  state: RunState,
  event: RunEvent & { readonly type: 'observation_recorded' },
  lists: StateLists,
): RunState {
  const { id, ok, content, error, kept, duration, seq } = event;
  const entry = underWay(state, id);
  const action = entry?.action;
  const selected = action?.kind === 'select_skills' ? event.output : {};
  const skills = textsOf(selected['bodies']);
  const refused = textsOf(selected['for_people']);
  const known = refused.length === 0 ? state : { ...state, forPeople: [...(state.forPeople ?? []), ...refused] };
  const next = said(
    audited({ ...withoutUndone(known, entry), phase: 'observe' }, { id, ok, error, kept, duration }, lists),
    { kind: 'observation', seq, id, ok, content, skills },
    lists,
  );
  const read = action?.kind === 'load_resource' ? withResource(next, { event, action }, lists) : next;
  return ok ? { ...read, spent: { ...read.spent, consecutiveFailures: 0 } } : failed(read);
}

/** What nobody could say yes to was not done, and takes nothing of the limits: it ends the request anyway. */
function withoutUndone(state: RunState, entry: AuditEntry | undefined): RunState {
  if (entry === undefined || entry.ok !== undefined || entry.approval?.decision.kind !== 'unavailable') return state;
  return count(state, { toolCalls: -1, scripts: entry.action.kind === 'run_script' ? -1 : 0 });
}

interface LoadedResource {
  readonly event: RunEvent & { readonly type: 'observation_recorded' };
  readonly action: AgentAction & { readonly kind: 'load_resource' };
}

function withResource(state: RunState, { event, action }: LoadedResource, lists: StateLists): RunState {
  const { location, path } = event.output;
  if (!event.ok || typeof location !== 'string' || typeof path !== 'string') return state;
  const resource = { location, path, section: action.section_hint, turn: state.turn, seq: event.seq };
  return { ...state, resources: lists.append(state.resources, resource) };
}

/** A decision that the request ended with needs no observation. */
function closed(state: RunState, lists: StateLists): RunState {
  const last = state.audit.at(-1);
  if (last === undefined || last.ok !== undefined) return state;
  const ends = last.action.kind === 'final_answer' || last.action.kind === 'ask_user';
  return ends ? audited(state, { id: last.id, ok: true, duration: 0 }, lists) : state;
}

function underWay({ audit }: RunState, id: string): AuditEntry | undefined {
  const last = audit.at(-1);
  return last?.id === id ? last : undefined;
}

function audited(state: RunState, change: Partial<AuditEntry> & Pick<AuditEntry, 'id'>, lists: StateLists): RunState {
  const entry = underWay(state, change.id);
  return entry === undefined ? state : { ...state, audit: lists.replaceLast(state.audit, { ...entry, ...change }) };
}

function said(state: RunState, item: ConversationItem, lists: StateLists): RunState {
  return { ...state, conversation: lists.append(state.conversation, item) };
}

function failed(state: RunState): RunState {
  return count(state, { consecutiveFailures: 1 });
}

function count(state: RunState, more: Partial<BudgetSpent>): RunState {
  const plus = <Spent extends RunTotals>(spent: Spent): Spent => ({
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
