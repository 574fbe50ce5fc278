import { errorCodes } from '../errors/codes.js';
import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';
import { visibleLines } from '../errors/visible-text.js';
import { canonicalJson } from '../json/canonical-json.js';
import { recordable } from '../json/recordable.js';
import type { AgentAction, AgentActionKind, Decision } from '../model/action.js';
import { applyPlanUpdate } from '../model/apply-plan-update.js';
import type { ModelAnswer } from '../model/model-adapter.js';
import { parseDecision } from '../model/parse-decision.js';
import { tooLarge } from './check-room.js';
import { executeAction, type ContinuingAction, type PlanChange } from './actions/execute-action.js';
import type { EarlyStopReason } from './budget.js';
import type { ComposedRequest } from './context/compose-request.js';
import { withoutPromptTags } from './context/prompt-tags.js';
import type { EarlyStop } from './degraded-answer.js';
import { exhaustedFor } from './exhausted-budget.js';
import { hearModel, type HearOptions } from './hear-model.js';
import { makeRequest } from './make-request.js';
import type { Patience } from './patience.js';
import type { PendingAction } from './pending-action.js';
import { retryAfterOf } from './pause-before-retry.js';
import { recordedError, redactedBefore } from './recorded-error.js';
import type { Observation, RunScope } from './run-scope.js';

/** How a turn is taken. */
export type TurnOptions = HearOptions;

/** What a turn comes to. */
export type TurnEnd =
  | { readonly kind: 'next' }
  /** The model could not be asked; it may be asked again. */
  | { readonly kind: 'again'; /** Milliseconds. */ readonly retryAfter?: number | undefined }
  | { readonly kind: 'answered'; readonly stop: 'final_answer' | 'question'; readonly text: string }
  | { readonly kind: 'stopped'; readonly early: EarlyStop };

const next: TurnEnd = { kind: 'next' };

/**
 * One model call, and the one action that it decides on.
 *
 * @param pending the action, where it was decided on before and not done: then no model is asked.
 */
export async function takeTurn(
  scope: RunScope,
  options: TurnOptions,
  pending: PendingAction | undefined,
): Promise<TurnEnd> {
  const { recorder } = scope;
  await recorder.append(scope.id, { type: 'turn_started', turn: scope.state().turn + 1 });
  const end =
    pending === undefined
      ? await decideAndAct(scope, options)
      : await act(scope, { action: pending }, { ...options, repeated: true });
  const { turn, spent } = scope.state();
  await recorder.append(scope.id, { type: 'turn_finished', turn, spent });
  await recorder.sync();
  return end;
}

async function decideAndAct(scope: RunScope, options: TurnOptions): Promise<TurnEnd> {
  const asked = await askModel(scope, options);
  if (asked.kind !== 'text') return asked;
  if (options.patience.end === 'cancelled') return cancelled;
  const reading = parseDecision(asked.text, asked.actions);
  if (reading.kind === 'rejected') {
    if (asked.finish === 'refused' && scope.settings.refusals === 'end') return endRefused(scope, asked.text);
    const message = asked.finish === 'length' ? `${reading.message} It was cut off: answer shorter.` : reading.message;
    const error = { code: 'INVALID_ACTION', message } as const;
    await scope.recorder.append(scope.id, { type: 'decision_rejected', error });
    return next;
  }
  return act(scope, reading.decision, options);
}

const cancelled = { kind: 'stopped', early: { stop: 'cancelled' } } as const satisfies TurnEnd;

/** A model that was asked again would say the same. */
async function endRefused({ id, ports, recorder }: RunScope, text: string): Promise<TurnEnd> {
  const said = text.trim() === '' ? 'It says nothing' : `It says ${quoted(text.trim(), 500)}`;
  const refusal = new SkillsError(
    'MODEL_REFUSED',
    `The model ${quoted(ports.model.name)} refuses to answer. ${said}.`,
    {
      hint: 'Ask in other words, or take another model.',
    },
  );
  const error = recordedError(refusal, redactedBefore);
  await recorder.append(id, { type: 'decision_rejected', error });
  return { kind: 'stopped', early: { stop: 'model_failed', detail: error.message } };
}

type Asked =
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly finish: ModelAnswer['finish'];
      readonly actions: readonly AgentActionKind[];
    }
  | Exclude<TurnEnd, { kind: 'answered' }>;

/** Once more, with a shorter conversation, where the provider says that its window is smaller than the request. */
async function askModel(scope: RunScope, options: TurnOptions): Promise<Asked> {
  const composed = await makeRequest(scope);
  const asked = await askOnce(scope, composed, options);
  const { failure, compactedThrough } = scope.state();
  const tooLong =
    asked.kind === 'stopped' && asked.early.stop === 'model_failed' && failure?.code === 'CONTEXT_TOO_LONG';
  if (!tooLong) return asked;
  const shorter = await makeRequest(scope, { budget: Math.floor(composed.tokens / 2) });
  return scope.state().compactedThrough === compactedThrough ? asked : askOnce(scope, shorter, options);
}

/** What counts is what the record holds of the answer. */
async function askOnce(scope: RunScope, composed: ComposedRequest, options: TurnOptions): Promise<Asked> {
  const { recorder, ports } = scope;
  const unfit = tooLarge(composed, scope.state().contextTokens);
  if (unfit !== undefined) return cannotAsk(scope, unfit);
  const { request, tokens, catalogue } = composed;
  const digest = ports.sha256(canonicalJson(recordable(request)));
  const tools = request.tools.map(({ name }) => name);
  await recorder.append(scope.id, { type: 'model_requested', digest, tokens, tools, catalogue: catalogue.counts });
  let answer: ModelAnswer;
  try {
    answer = await hearModel(request, scope, options);
  } catch (cause) {
    return cannotAsk(scope, cause, options.patience.end);
  }
  const { actions } = request;
  const { text, finish, usage, reasoning } = answer;
  const event = await recorder.append(scope.id, { type: 'model_answered', text, reasoning, usage, finish });
  return { kind: 'text', text: event.type === 'model_answered' ? event.text : text, finish, actions };
}

async function cannotAsk(
  { id, recorder }: RunScope,
  cause: unknown,
  end?: Patience['end'],
): Promise<Exclude<Asked, { kind: 'text' }>> {
  const retryAfter = retryAfterOf(cause);
  const error = { ...recordedError(cause, recorder), ...(retryAfter !== undefined && { retryAfter }) };
  await recorder.append(id, { type: 'model_failed', error });
  if (end !== undefined) return { kind: 'stopped', early: { stop: end } };
  if (error.code === 'INTERRUPTED') return cancelled;
  if (errorCodes[error.code].kind === 'unavailable') return { kind: 'again', retryAfter };
  return { kind: 'stopped', early: { stop: 'model_failed', detail: error.message } };
}

async function act(
  scope: RunScope,
  decision: Decision,
  options: TurnOptions & { readonly repeated?: boolean },
): Promise<TurnEnd> {
  const { recorder } = scope;
  const { action: decided } = decision;
  const stop = exhaustedFor(decided, scope.state()) ?? timeUpFor(decided, options.patience);
  if (stop !== undefined) return { kind: 'stopped', early: { stop, next: decided } };
  const plan = await changePlan(scope, decision);
  scope.counters.actions += 1;
  const id = `a${scope.counters.actions}`;
  const started = await recorder.append(scope.id, { type: 'action_started', id, action: decided });
  // What is done is what the record says of it.
  const action = started.type === 'action_started' ? started.action : decided;
  if (action.kind === 'final_answer')
    return { kind: 'answered', stop: 'final_answer', text: visibleLines(action.content) };
  if (action.kind === 'ask_user') return { kind: 'answered', stop: 'question', text: visibleLines(action.question) };
  const { patience, repeated } = options;
  const observation = await executeAction(action, plan, { scope, id, patience, repeated });
  await observe(scope, { id, begun: Date.parse(started.at), observation });
  return endOf(action, observation, patience);
}

/** An answer that came at the last moment still counts. */
function timeUpFor({ kind }: AgentAction, { end }: Patience): EarlyStopReason | undefined {
  return kind === 'final_answer' || kind === 'ask_user' ? undefined : end;
}

async function changePlan(scope: RunScope, { plan_update: update }: Decision): Promise<PlanChange> {
  if (update === undefined) return { kind: 'none' };
  try {
    const plan = applyPlanUpdate(scope.state().plan, update);
    await scope.recorder.append(scope.id, { type: 'plan_updated', plan, how: update.kind });
    return { kind: 'changed' };
  } catch (error) {
    scope.recorder.check();
    return { kind: 'refused', error };
  }
}

interface Observed {
  readonly id: string;
  readonly begun: number;
  readonly observation: Observation;
}

async function observe(scope: RunScope, { id, begun, observation }: Observed): Promise<void> {
  const { ok, contentForUser, output, error, kept = [] } = observation;
  const content = contentOf(observation);
  await scope.recorder.append(scope.id, (now) => ({
    type: 'observation_recorded',
    id,
    ok,
    content,
    contentForUser,
    output,
    error,
    kept,
    duration: Math.max(0, now - begun),
  }));
}

/** A body was fenced when it was rendered; beside one, nothing else may look as if it were part of the prompt. */
function contentOf({ content, bodies = [] }: Observation): string {
  if (bodies.length === 0) return content;
  const told = withoutPromptTags(visibleLines(content)).trim();
  return [...(told === '' ? [] : [told]), ...bodies].join('\n\n');
}

function endOf(action: ContinuingAction, { stop, error, content }: Observation, { end }: Patience): TurnEnd {
  if (end !== undefined) return { kind: 'stopped', early: { stop: end } };
  if (error?.code === 'INTERRUPTED' || stop === 'cancelled') return cancelled;
  return stop === undefined ? next : { kind: 'stopped', early: { stop, detail: content, next: action } };
}
