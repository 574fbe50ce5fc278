import { createHash } from 'node:crypto';
import { isDigest, type Digest } from '@skillpack/core';
import type { EvalJob, EvalPlan, EvalResult } from '../../src/index.js';

/** A plan of so many jobs, all with other keys than those of a plan of another name. */
export function madePlan(name: string, count: number): EvalPlan {
  const jobs = Array.from({ length: count }, (_unused, index): EvalJob => {
    const id = `case-${index + 1}`;
    return { key: digestOf(`${name} ${id}`), suite: name, case: id, arm: 'with_skill', model: 'made', trial: 1 };
  });
  return { formatVersion: 1, digest: digestOf(jobs.map(({ key }) => key).join('\n')), jobs };
}

/** A result as a trial leaves it. */
export function madeResult(job: EvalJob, changes: Partial<EvalResult> = {}): EvalResult {
  return {
    ...job,
    formatVersion: 1,
    kind: 'trigger',
    tags: [],
    input: `Do ${job.case}.`,
    outcome: 'passed',
    fired: ['pdf'],
    wanted: { skills: ['pdf'], all: false, not: [] },
    checks: [{ kind: 'skills', text: 'pdf is chosen', verdict: 'passed', evidence: 'pdf' }],
    answer: '',
    steps: [],
    spent: { turns: 1, toolCalls: 0, scripts: 0, inputTokens: 10, outputTokens: 2, cost: 0, duration: 5 },
    at: '2026-11-22T10:00:00.000Z',
    attempts: 1,
    files: [],
    ...changes,
  };
}

function digestOf(text: string): Digest {
  const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
  if (!isDigest(digest)) throw new Error(digest);
  return digest;
}
