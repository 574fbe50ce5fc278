import { SkillsError, visibleText } from '@skillpack/core';
import type { EvalJob } from '../plan/eval-job.js';
import type { EvalResult } from '../results/eval-result.js';
import { parseResult } from '../results/parse-results.js';

/**
 * Reads what a worker left in a queue as the result of a job. Whoever can write to the queue wrote it: it is held to the
 * schema, and to the job.
 *
 * @throws `INVALID_RESULTS`.
 */
export function readQueuedResult(value: unknown, job: EvalJob, queue: string): EvalResult {
  const what = `The result of ${job.suite}/${job.case} in the queue ${queue}`;
  const result = parseResult(JSON.stringify(value) ?? 'null', what);
  for (const field of ['key', 'suite', 'case', 'arm', 'model', 'trial'] as const) {
    if (result[field] === job[field]) continue;
    throw new SkillsError(
      'INVALID_RESULTS',
      `${what} has the ${field} ${quoted(result[field])} instead of ${quoted(job[field])}.`,
      {
        hint: 'Somebody else writes to this queue. Use one of your own.',
        data: { key: job.key, field },
      },
    );
  }
  return result;
}

function quoted(value: string | number): string {
  return visibleText(String(value)).slice(0, 200);
}
