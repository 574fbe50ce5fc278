import type { RunEvent } from '@skillpack/core';
import type { Progress } from '../frame/progress-line.js';
import type { Reporter } from '../frame/reporter.js';
import { describeStep } from './describe-step.js';

/** Shows what is under way, on a terminal, while a script or a tool works. Nothing is drawn over a question. */
export function followScript(reporter: Reporter): (event: RunEvent) => void {
  let doing: Progress | undefined;
  return (event) => {
    switch (event.type) {
      case 'action_started': {
        const { action } = event;
        if (action.kind !== 'run_script' && action.kind !== 'call_tool') break;
        doing = { label: `${describeStep(action)}, Ctrl-C cancels` };
        reporter.progress(doing);
        break;
      }
      case 'approval_decided':
        if (event.decision.kind === 'approved') reporter.progress(doing);
        break;
      case 'approval_requested':
      case 'observation_recorded':
      case 'request_answered':
        reporter.progress(undefined);
        break;
      default:
    }
  };
}
