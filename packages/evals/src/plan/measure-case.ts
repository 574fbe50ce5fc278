import { canonicalJson, recordable, type Digest, type Sha256 } from '@skillpack/core';
import type { EvalCase, EvalSuite } from '../case/eval-case.js';
import type { Judge } from '../judge/judge.js';
import { armCase } from './arm-case.js';
import { caseOffer, type OfferedSkill, type OfferPorts } from './case-offer.js';
import type { EvalArm } from './eval-job.js';
import { caseDigest, type KeyParts } from './job-key.js';
import type { OfferDigests } from './offer-digests.js';

/** What is measured to name the jobs of a case. */
export interface CasePorts extends OfferPorts {
  readonly sha256: Sha256;
  readonly judge?: Pick<Judge, 'name'> | undefined;
}

/** A case as an arm runs it. */
export interface MeasuredCase {
  /** With what the arm expects of it. */
  readonly case: EvalCase;
  readonly offered: readonly OfferedSkill[];
  /** Of the key of each of its jobs. */
  readonly parts: Omit<KeyParts, 'trial' | 'model' | 'variant'>;
}

/** Measures all that the jobs of a case in an arm have in common. @throws what `caseOffer` and the registry throw. */
export async function measureCase(
  { suite, case: whole, arm }: { readonly suite: EvalSuite; readonly case: EvalCase; readonly arm: EvalArm },
  ports: CasePorts,
  digests: OfferDigests,
): Promise<MeasuredCase> {
  const evalCase = armCase(whole, suite, arm);
  const offered = await caseOffer({ suite, case: evalCase, arm }, ports);
  const judged = whole.expected.output.some(({ kind }) => kind === 'rubric');
  const parts = {
    suite: suite.name,
    id: whole.id,
    case: caseDigest(evalCase, ports.sha256),
    arm,
    skills: await digests.of(offered, evalCase.kind),
    told: toldOf(ports),
    judge: judged ? ports.judge?.name : undefined,
  };
  return { case: evalCase, offered, parts };
}

/** A registry may have its own words for the catalogue, and for how a skill is loaded. */
function toldOf({ registry, sha256 }: CasePorts): Digest | undefined {
  const { promptTemplate, loadInstructions } = registry;
  if (promptTemplate === undefined && loadInstructions === undefined) return undefined;
  return sha256(canonicalJson(recordable({ promptTemplate, loadInstructions })));
}
