import type { AgentAction, RunEvent } from '@skillpack/core';
import { ActivatedSkills } from '../agent/activated-skills.js';
import { GoneSkills } from '../agent/gone-skills.js';
import { OffTools } from '../agent/off-tools.js';
import { RunSteps } from '../agent/run-steps.js';
import type { Reporter } from '../frame/reporter.js';
import { count } from './count.js';
import { describeJudgement, describeOutcome, describeStep } from './describe-step.js';
import { followScript } from './follow-script.js';
import { forPerson } from './for-person.js';
import { lastOfStderr } from './last-of-stderr.js';

/**
 * Tells the steps of a run while it goes on, a line each.
 *
 * @param before the events of a run that goes on. @default none
 */
export function followRun(reporter: Reporter, before: readonly RunEvent[] = []): (event: RunEvent) => void {
  const steps = new RunSteps();
  const skills = new ActivatedSkills();
  const gone = new GoneSkills(before);
  const off = new OffTools();
  const show = followScript(reporter);
  let cutOff = false;
  for (const event of before) {
    if (event.type === 'skill_activated') skills.take(event.activation);
  }
  return (event) => {
    const step = steps.take(event);
    show(event);
    for (const line of gone.take(event)) reporter.warn(line);
    switch (event.type) {
      case 'run_started':
        reporter.detail(`${event.model}, ${count(event.index.skills, 'skill')}`);
        break;
      case 'run_resumed':
        if (event.uncertain !== undefined) reporter.warn(uncertaintyOf(event.uncertain.action));
        break;
      case 'action_started':
        reporter.detail(`begins: ${describeStep(event.action)}`);
        off.take(event);
        break;
      case 'observation_recorded':
        if (step !== undefined) {
          reporter.step(
            `${indentOf(event)}${describeStep(step.action)} … ${describeOutcome(event, step, describeJudgement(step.judged))}`,
          );
          for (const line of forPerson(event.contentForUser)) reporter.step(`${indentOf(event)}${line}`);
          for (const line of lastOfStderr(event)) reporter.detail(`${indentOf(event)}${line}`);
        }
        for (const line of off.take(event)) reporter.step(line);
        break;
      case 'skill_activated': {
        const changed = skills.take(event.activation);
        if (changed !== undefined) reporter.step(changed);
        else if (event.activation.by !== 'model') reporter.step(`reading ${event.activation.name}`);
        break;
      }
      case 'model_failed':
        // Whoever cancels it knows that.
        if (event.error.code !== 'INTERRUPTED') reporter.step(`the model could not be asked: ${event.error.message}`);
        break;
      case 'model_answered':
        cutOff = event.finish === 'length';
        break;
      case 'decision_rejected':
        reporter.step(rejectionOf(event.error.message, cutOff));
        break;
      case 'context_compacted':
        reporter.detail(`the conversation was shortened from ${event.before} to ${event.after} tokens`);
        break;
      default:
    }
  };
}

function uncertaintyOf(action: AgentAction): string {
  return `Nobody knows whether this took effect before the run was cut off: ${describeStep(action)}. The model is told so; by itself, it is not done again.`;
}

/** What a model is told of an answer that was cut off is nothing that a person could do. */
function rejectionOf(message: string, cutOff: boolean): string {
  return cutOff
    ? 'the model’s answer was cut off at the length that it may have: `maxOutputTokens` of the model in `models` of your config.json raises that'
    : `the model’s answer was no decision: ${message}`;
}

/** Steps of a child run stand below those of their parent. */
function indentOf({ run }: RunEvent): string {
  return '  '.repeat(run.split('/').length - 1);
}
