import type { RunEvent } from '@skillpack/core';
import type { Reporter } from '../frame/reporter.js';

/** Tells, in the line of progress of a terminal, that a model is asked, until it says something. */
export function followModel(reporter: Pick<Reporter, 'progress'>): (event: RunEvent) => void {
  let waits = false;
  return ({ type }) => {
    if (type === 'model_requested') reporter.progress({ label: 'Asking the model, Ctrl-C ends it' });
    else if (waits) reporter.progress(undefined);
    waits = type === 'model_requested';
  };
}
