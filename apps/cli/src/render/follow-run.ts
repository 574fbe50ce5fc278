import type { AgentAction, RunEvent } from '@skillpack/core';
import type { Reporter } from '../frame/reporter.js';
import { count } from './count.js';
import { describeOutcome, describeStep } from './describe-step.js';

/** Tells the steps of a run while it goes on, a line each. */
export function followRun(reporter: Reporter): (event: RunEvent) => void {
  const actions = new Map<string, AgentAction>();
  return (event) => {
    const key = `${event.run} ${'id' in event ? event.id : ''}`;
    switch (event.type) {
      case 'run_started':
        reporter.detail(`${event.model}, ${count(event.index.skills, 'skill')}`);
        break;
      case 'action_started':
        actions.set(key, event.action);
        reporter.detail(`begins: ${describeStep(event.action)}`);
        break;
      case 'observation_recorded': {
        const action = actions.get(key);
        if (action !== undefined)
          reporter.step(`${indentOf(event)}${describeStep(action)} … ${describeOutcome(event)}`);
        break;
      }
      case 'skill_activated':
        if (event.activation.by !== 'model') reporter.step(`reading ${event.activation.name}`);
        break;
      case 'model_failed':
        reporter.step(`the model could not be asked: ${event.error.message}`);
        break;
      case 'decision_rejected':
        reporter.step(`the model’s answer was no decision: ${event.error.message}`);
        break;
      case 'context_compacted':
        reporter.detail(`the conversation was shortened from ${event.before} to ${event.after} tokens`);
        break;
      default:
    }
  };
}

/** Steps of a child run stand below those of their parent. */
function indentOf({ run }: RunEvent): string {
  return '  '.repeat(run.split('/').length - 1);
}
