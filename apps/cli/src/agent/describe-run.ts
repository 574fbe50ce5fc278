import { effectiveEvents, type AgentAction, type RunEvent } from '@skillpack/core';
import { describeOutcome, describeStep } from '../render/describe-step.js';

/** A line of what happened in a run. */
export type RunLine =
  | { readonly kind: 'request' | 'answer'; readonly text: string; readonly note: string }
  | { readonly kind: 'step'; readonly text: string; readonly depth: number };

/** What happened in a run, in its order: what was asked, each step with its approval, what was answered. */
export function describeRun(events: readonly RunEvent[]): readonly RunLine[] {
  const actions = new Map<string, AgentAction>();
  const approvals = new Map<string, string>();
  return effectiveEvents(events).flatMap((event): readonly RunLine[] => {
    const depth = event.run.split('/').length - 1;
    const key = `${event.run} ${'id' in event ? event.id : ''}`;
    const step = (text: string): readonly RunLine[] => [{ kind: 'step', text, depth }];
    switch (event.type) {
      case 'request_received': {
        const { text, skill } = event.request;
        return depth > 0 ? [] : [{ kind: 'request', text: skill === undefined ? text : `/${skill} ${text}`, note: '' }];
      }
      case 'action_started':
        actions.set(key, event.action);
        return [];
      case 'approval_decided': {
        const { decision } = event;
        const by = decision.kind === 'unavailable' ? '' : ` by ${decision.by}`;
        approvals.set(key, `, ${decision.kind}${by}${decision.kind === 'approved' ? ` (${decision.scope})` : ''}`);
        return [];
      }
      case 'observation_recorded': {
        const action = actions.get(key);
        if (action === undefined) return [];
        return step(`${describeStep(action)} … ${describeOutcome(event)}${approvals.get(key) ?? ''}`);
      }
      case 'skill_activated':
        return event.activation.by === 'model' ? [] : step(`${event.activation.name} was there from the beginning`);
      case 'model_failed':
        return step(`the model could not be asked: ${event.error.message}`);
      case 'decision_rejected':
        return step(`the model’s answer was no decision: ${event.error.message}`);
      case 'run_resumed':
        return step('it was cut off here, and went on');
      case 'request_answered':
        return depth > 0
          ? []
          : [{ kind: 'answer', text: event.answer, note: event.stop === 'final_answer' ? '' : event.stop }];
      default:
        return [];
    }
  });
}
