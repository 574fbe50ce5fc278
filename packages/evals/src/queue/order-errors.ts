import { SkillsError } from '@skillpack/core';

/** What nobody works on. */
export interface IdleQueue {
  readonly queue: string;
  readonly address: string;
  readonly waiting: number;
}

/** @param refusal what is known of workers that were there, and have another plan */
export function nobodyWorks({ queue, address, waiting }: IdleQueue, refusal: string | undefined): SkillsError {
  const jobs = `${waiting} job${waiting === 1 ? '' : 's'}`;
  const data = { queue, waiting };
  if (refusal !== undefined) {
    const message = `${refusal} Nobody else works on the queue ${queue}, and ${jobs} wait in it.`;
    return new SkillsError('SHARD_MISMATCH', message, {
      hint: 'Start workers with the same cases, skills and options.',
      data,
    });
  }
  return new SkillsError('TIMEOUT', `Nobody works on the queue ${queue} at ${address}, and ${jobs} wait in it.`, {
    hint: 'Start a worker (startBullmqWorker) with the same queue.',
    data,
  });
}

/** @param lost why, by key */
export function jobsLost(queue: string, lost: ReadonlyMap<string, string>): SkillsError {
  const [first] = lost;
  const jobs = `${lost.size} job${lost.size === 1 ? ' was' : 's were'} lost`;
  return new SkillsError('EXIT_NONZERO', `${jobs} on the queue ${queue}: ${first?.[1] ?? ''}`, {
    hint: 'The results of all others are kept. Look at the workers, and run it again: only these are run.',
    data: { queue, keys: [...lost.keys()] },
  });
}
