import type { EvalResult, RunEvalsOptions } from '@skillpack/evals';
import { count } from '../render/count.js';
import type { Reporter } from '../frame/reporter.js';

/** Who tells how far a run is. */
export interface EvalFollower {
  readonly onResult: NonNullable<RunEvalsOptions['onResult']>;
  end(): void;
}

/** Tells how far a run is: what did not pass at once, each with why; the rest as a number. */
export function followEvals(
  planned: number,
  reporter: Pick<Reporter, 'warn' | 'step' | 'detail' | 'progress'>,
): EvalFollower {
  let done = 0;
  let reused = 0;
  const missed = new Map<string, number>();
  return {
    onResult: (result, how) => {
      done += 1;
      if (how.reused) reused += 1;
      for (const advice of whatIsMissed(result)) missed.set(advice, (missed.get(advice) ?? 0) + 1);
      const line = lineOf(result);
      if (how.reused || result.outcome === 'passed') reporter.detail(how.reused ? `${line} (from before)` : line);
      else reporter.step(line);
      reporter.progress({ label: 'Running', unit: 'trials', done, total: planned });
    },
    end: () => {
      reporter.progress(undefined);
      for (const [advice, times] of missed) reporter.warn(`${count(times, 'trial')} ${advice}`);
      if (reused > 0) reporter.step(`${count(reused, 'trial')} known from before: nothing they depend on has changed`);
    },
  };
}

/** What kept a trial from saying anything, with the option that helps. */
function whatIsMissed({ reason, checks, steps }: EvalResult): readonly string[] {
  const unjudged = checks.filter(({ verdict }) => verdict === 'not_judged').map(({ kind }) => kind);
  return [
    ...(reason?.code === 'APPROVAL_REQUIRED'
      ? ['needed a yes that nobody gave: --approve run_script lets scripts of the skills run.']
      : []),
    ...(reason?.code === 'RECORDING_NOT_FOUND' || reason?.code === 'RECORDING_STALE'
      ? ['asked something else than was recorded, or with another skill: --record, with the model, records it again.']
      : []),
    ...toolsThatAreOff(steps).map(
      (tool) => `called ${tool}, which is off: --allow ${tool} --approve ${tool} turns it on.`,
    ),
    ...(unjudged.includes('rubric')
      ? ['could not be judged: --judge names a model that reads what a rubric says.']
      : []),
    ...(unjudged.includes('output')
      ? ['could not be checked: --approve run_check lets programs of the cases run.']
      : []),
  ];
}

/** What writes is off until somebody turns it on: of any other name, no option helps. */
const writing: readonly string[] = ['write_file', 'edit_file', 'delete_file', 'run_command', 'http_request'];

function toolsThatAreOff(steps: EvalResult['steps']): readonly string[] {
  const refused = steps.filter(
    ({ kind, ok, detail = '' }) => kind === 'action' && ok === false && /is (?:not offered|off)/u.test(detail),
  );
  return writing.filter((tool) =>
    refused.some(({ label }) => new RegExp(`^call_tool ${tool}(?: |$)`, 'u').test(label)),
  );
}

function lineOf({ suite, case: id, arm, model, trial, outcome, reason, checks }: EvalResult): string {
  const failed = checks.find(({ verdict }) => verdict === 'failed');
  const why = reason?.message ?? (failed === undefined ? '' : `${failed.text}: ${failed.evidence}`);
  return `${outcome}  ${suite}/${id} ${arm} ${model} #${trial}${why === '' ? '' : `  ${why.slice(0, 300)}`}`;
}
