import { quoted } from '../errors/quoted.js';
import { visibleLines, visibleText } from '../errors/visible-text.js';
import type { AgentAction } from '../model/action.js';
import type { EarlyStopReason } from './budget.js';
import { cutText } from './context/cut-text.js';
import { describeAction } from './context/describe-action.js';
import type { AuditEntry, RunState } from './run-state.js';

/** Why a run stopped before its end, and what it would have done next. */
export interface EarlyStop {
  readonly stop: EarlyStopReason;
  /** In a sentence. */
  readonly detail?: string | undefined;
  /** What was decided and not done. */
  readonly next?: AgentAction | undefined;
  /** Whether what the model said last is told, where that was no decision. @default false */
  readonly tellsRejected?: boolean | undefined;
}

const requestLength = 500;
const saidLength = 1_000;
const mostActions = 20;
const endedByFailures: ReadonlySet<EarlyStopReason> = new Set(['model_failed', 'max_consecutive_failures']);

/**
 * The answer of an agent that could not finish, made of what the record holds and of nothing else: what was asked, why it
 * stopped, how far the plan is, what was done, and what is missing.
 */
export function degradedAnswer(state: RunState, early: EarlyStop): string {
  const asked = visibleLines(state.request?.text ?? '').trim();
  const detail = early.detail ?? (endedByFailures.has(early.stop) ? state.failure?.message : undefined);
  const parts = [
    `This is not finished. ${reasonOf(state, early.stop)}`,
    ...(detail === undefined ? [] : [visibleLines(detail)]),
    ...(endedByFailures.has(early.stop) ? laterOf(state) : []),
    ...(early.tellsRejected === true ? lastSaidOf(state) : []),
    `Asked: ${cutText(asked, requestLength)}`,
    ...planOf(state),
    ...doneOf(state),
    ...(early.next === undefined ? [] : [`Next would have been: ${describeAction(early.next)}.`]),
    missingOf(state),
  ];
  return parts.join('\n\n');
}

function reasonOf({ limits, spent, unpriced, audit }: RunState, stop: EarlyStopReason): string {
  switch (stop) {
    case 'max_turns':
      return `Its limit of model calls, ${limits.turns}, is reached.`;
    case 'max_tool_calls':
      return `Its limit of actions, ${limits.toolCalls}, is reached.`;
    case 'max_scripts':
      return `Its limit of scripts, ${limits.scripts}, is reached.`;
    case 'max_tokens':
      return `Its limit of tokens, ${limits.tokens}, is reached.`;
    case 'max_cost':
      return unpriced === true && spent.cost < limits.cost
        ? `It has a limit of cost, $${limits.cost}, and nobody knows what a call of its model cost.`
        : `Its limit of cost, $${limits.cost}, is reached.`;
    case 'max_wall_time':
      return `Its limit of time, ${limits.wallTime} ms, is reached.`;
    case 'max_consecutive_failures':
      return `Its limit of failures in a row, ${limits.consecutiveFailures}, is reached.`;
    case 'approval_required':
      return asksInVain(audit.at(-1))
        ? 'Something needs a yes, and whoever was asked for it failed.'
        : 'Something needs a yes, and nobody could be asked.';
    case 'model_failed':
      return 'The model could not be asked.';
    case 'cancelled':
      return 'It was cancelled.';
  }
}

function asksInVain(last: AuditEntry | undefined): boolean {
  const decision = last?.approval?.decision;
  return decision?.kind === 'unavailable' && decision.failed === true;
}

/** When the model may be asked again. */
function laterOf({ failure, at }: RunState): readonly string[] {
  const { retryAfter } = failure ?? {};
  if (retryAfter === undefined || at === undefined) return [];
  const seconds = Math.ceil(retryAfter / 1_000);
  const time = new Date(Math.ceil(Date.parse(at) / 1_000 + seconds) * 1_000);
  // No calendar goes that far.
  if (Number.isNaN(time.getTime())) return [];
  return [`It may be asked again in ${seconds} s, from ${time.toISOString().replace('.000Z', 'Z')} on.`];
}

/** What was no decision, where nothing was decided since: marked line by line, so that it looks like no part of the answer. */
function lastSaidOf({ conversation }: RunState): readonly string[] {
  const last = conversation.at(-1);
  // Of a model that refuses, the reason says what it said.
  if (last?.kind !== 'rejection' || last.error.code === 'MODEL_REFUSED') return [];
  const text = visibleLines(last.text).trim();
  if (text === '') return [];
  const lines = cutText(text, saidLength).split('\n');
  return [`What the model said last, which is no decision:\n${lines.map((line) => `> ${line}`).join('\n')}`];
}

const marks = { pending: '[ ]', in_progress: '[~]', completed: '[x]' } as const;

function planOf({ plan }: RunState): readonly string[] {
  if (plan === undefined || plan.steps.length === 0) return [];
  const steps = plan.steps.map(({ status, title }) => `- ${marks[status]} ${visibleText(title)}`);
  return [`Plan: ${visibleText(plan.goal)}\n${steps.join('\n')}`];
}

/** Of the newest request. */
function doneOf({ audit, conversation }: RunState): readonly string[] {
  const since = conversation.slice(conversation.findLastIndex(({ kind }) => kind === 'request') + 1);
  const decided = new Set(since.flatMap((item) => (item.kind === 'decision' ? [item.id] : [])));
  const done = audit.filter(({ id, ok }) => ok !== undefined && decided.has(id));
  if (done.length === 0) return ['Done: nothing.'];
  const lines = done.slice(-mostActions).map((entry) => `- ${describeAction(entry.action)}${outcomeOf(entry)}`);
  const before = done.length - lines.length;
  return [`Done:\n${[...(before > 0 ? [`- … ${before} earlier steps`] : []), ...lines].join('\n')}`];
}

function outcomeOf({ ok, error }: AuditEntry): string {
  return ok === true ? '' : ` – failed: ${error === undefined ? 'without a reason' : visibleText(error.message)}`;
}

function missingOf({ plan }: RunState): string {
  const open = (plan?.steps ?? []).filter(({ status }) => status !== 'completed');
  if (open.length === 0) return 'Missing: the answer itself.';
  return `Missing: ${open.map(({ title }) => quoted(title)).join(', ')}, and the answer itself.`;
}
