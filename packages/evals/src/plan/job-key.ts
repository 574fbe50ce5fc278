import { canonicalJson, recordable, type Digest, type Sha256 } from '@skillpack/core';
import type { EvalCase } from '../case/eval-case.js';
import type { OutputCheck } from '../case/expectations.js';
import type { EvalArm } from './eval-job.js';

/** Another number when trials are run otherwise, so that what was measured before is not taken for what is measured now. */
const harnessVersion = 1;

/** All that the outcome of a trial depends on. */
export interface KeyParts {
  readonly suite: string;
  readonly id: string;
  /** Of the case. */
  readonly case: Digest;
  readonly arm: EvalArm;
  /** Of the skills that are offered. */
  readonly skills: Digest;
  /** Of what the registry has a model told of skills. @default nothing but what is always told */
  readonly told: Digest | undefined;
  readonly model: string;
  readonly variant: string;
  /** Who judges; of a case that nobody has to judge, nobody. */
  readonly judge: string | undefined;
  readonly trial: number;
}

/** Names a trial by all that it depends on. */
export function jobKey(
  { suite, id, case: of, arm, skills, told, model, variant, judge, trial }: KeyParts,
  sha256: Sha256,
): Digest {
  const parts = { harness: harnessVersion, suite, id, case: of, arm, skills, told, model, variant, judge, trial };
  return sha256(canonicalJson(recordable(parts)));
}

/** Of what the agent is given, and of what is expected of it. Titles, tags and the number of trials change nothing. */
export function caseDigest(evalCase: EvalCase, sha256: Sha256): Digest {
  const { kind, conversation, files, offer, expected, limits, script } = evalCase;
  const digests = files.map(({ path, bytes }) => [path, sha256(bytes)]);
  // What it offers is in the key by what that is.
  const { preload } = offer;
  const held = { ...expected, output: expected.output.map((check) => withDigest(check, sha256)) };
  const parts = { kind, conversation, files: digests, preload, expected: held, limits, script };
  return sha256(canonicalJson(recordable(parts)));
}

/** A program goes by its bytes: one that was mended may say otherwise. */
function withDigest(check: OutputCheck, sha256: Sha256): object {
  if (check.kind !== 'script' || check.program === undefined) return check;
  return { ...check, program: sha256(check.program) };
}
