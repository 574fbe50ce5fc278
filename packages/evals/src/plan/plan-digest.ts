import { canonicalJson, type Digest, type Sha256 } from '@skillpack/core';
import type { EvalJob } from './eval-job.js';

/** Of the keys of all jobs of a plan, in order. */
export function planDigest(jobs: readonly EvalJob[], sha256: Sha256): Digest {
  return sha256(canonicalJson(jobs.map(({ key }) => key)));
}
