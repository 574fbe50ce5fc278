import { SkillsError } from '@skillpack/core';
import type { EvalJob } from '../plan/eval-job.js';
import type { EvalResult } from '../results/eval-result.js';
import { parseResults } from '../results/parse-results.js';

/**
 * Reads what a worker left in a queue as the result of a job. Whoever can write to the queue wrote it: it is held to the
 * schema, and to the job.
 *
 * @throws `INVALID_RESULTS`.
 */
export function readQueuedResult(value: unknown, job: EvalJob, queue: string): EvalResult {
  const [result, another] = parseResults(`${JSON.stringify(value) ?? ''}\n`);
  if (result === undefined || another !== undefined) {
    throw new SkillsError('INVALID_RESULTS', `The queue ${queue} holds no result for ${job.suite}/${job.case}.`, {
      data: { key: job.key },
    });
  }
  for (const field of ['key', 'suite', 'case', 'arm', 'model', 'trial'] as const) {
    if (result[field] === job[field]) continue;
    throw new SkillsError(
      'INVALID_RESULTS',
      `The queue ${queue} holds a result for ${job.suite}/${job.case} whose ${field} is ${String(result[field])} instead of ${String(job[field])}.`,
      { hint: 'Somebody else writes to this queue. Use one of your own.', data: { key: job.key, field } },
    );
  }
  return result;
}
