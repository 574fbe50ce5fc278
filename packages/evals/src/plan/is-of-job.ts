import type { EvalJob } from './eval-job.js';

/** Whether both are the same trial. A key says so by itself; files from elsewhere may say anything. */
export function isOfJob(one: EvalJob, job: EvalJob | undefined): boolean {
  return (
    job !== undefined &&
    one.key === job.key &&
    one.suite === job.suite &&
    one.case === job.case &&
    one.arm === job.arm &&
    one.model === job.model &&
    one.trial === job.trial
  );
}
