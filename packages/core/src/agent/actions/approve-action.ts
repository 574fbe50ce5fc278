import type { Digest } from '../../digest/is-digest.js';
import { canonicalJson } from '../../json/canonical-json.js';
import { visibleText } from '../../errors/visible-text.js';
import type { ApprovalDecision, ApprovalRequest } from '../../policy/approver.js';
import { compareFiles } from '../../policy/compare-files.js';
import type { SkillMeasure } from '../../registry/skill-measure.js';
import { headAndTail } from '../context/cut-text.js';
import { recordedError } from '../recorded-error.js';
import type { ActionContext, Observation, RunScope } from '../run-scope.js';
import { refusedObservation } from './failed-observation.js';
import { plainDecision } from './plain-decision.js';
import { deniedText, failedText, unansweredText, unavailableText } from './refusal-text.js';

/** UTF-16 code units that are shown of a summary: what is left out between them is counted. */
const summaryLengths = { head: 400, tail: 200 };

/** What somebody is asked. */
export type AskedFor = Omit<ApprovalRequest, 'run' | 'id' | 'digest' | 'changes'>;

/** Whether somebody said yes before to the same tool, or scripts, on behalf of the same content of the same skill, confined as it is now; to what runs code, with the same input. */
export function isGranted(
  { action, tool, skill, confinement, covers, input }: AskedFor,
  digest: Digest | undefined,
  scope: RunScope,
): boolean {
  const covered = covers === 'input' ? canonicalJson(input) : undefined;
  const grants = [...scope.inherited, ...scope.state().grants];
  return grants.some(
    (grant) =>
      grant.action === action &&
      grant.tool === tool &&
      grant.skill === skill?.location &&
      grant.digest === digest &&
      grant.input === covered &&
      grant.confinement === confinement,
  );
}

/**
 * Asks whether something may be done.
 *
 * @param measure of the skill on whose behalf.
 * @returns `undefined` for a yes, else what the model is told; where nobody can be asked, that ends the request.
 */
export async function approveAction(
  { action, ...asked }: AskedFor & Pick<ApprovalRequest, 'digest'>,
  measure: SkillMeasure | undefined,
  { scope, id, patience }: ActionContext,
): Promise<Observation | undefined> {
  const { recorder, approved } = scope;
  const summary = visibleText(headAndTail(visibleText(asked.summary), summaryLengths));
  const location = asked.skill?.location;
  const before = location === undefined ? undefined : approved.get(location);
  const changed = before !== undefined && measure !== undefined && before.digest !== measure.digest;
  const changes = changed ? compareFiles(before.files, measure.files) : undefined;
  const request = { ...asked, summary, changes, id };
  await recorder.append(scope.id, { type: 'approval_requested', request });
  // Nobody is hurried: the time that this takes is not the run's.
  const decision = await patience.standStill(async () => {
    const decided = await decide({ ...request, action, run: scope.id }, { scope, id, patience });
    const event = await recorder.append(scope.id, { type: 'approval_decided', id, decision: decided });
    // What counts is what the record holds of it.
    return event.type === 'approval_decided' ? event.decision : decided;
  });
  if (decision.kind === 'approved') {
    if (location !== undefined && measure !== undefined) approved.set(location, measure);
    return undefined;
  }
  if (decision.kind === 'denied') {
    return refusedObservation('APPROVAL_DENIED', `${deniedText(summary)} ${decision.reason}`.trim(), {
      hint: 'Do not ask for the same again; find another way, or say what could not be done.',
    });
  }
  return unansweredObservation(decision, summary);
}

function unansweredObservation(
  { code, reason, failed }: ApprovalDecision & { readonly kind: 'unavailable' },
  summary: string,
): Observation {
  const stop = code === 'INTERRUPTED' ? 'cancelled' : 'approval_required';
  if (code !== undefined) return { ...refusedObservation(code, unansweredText(summary, code)), stop };
  if (failed !== true)
    return { ...refusedObservation('APPROVAL_REQUIRED', unavailableText(summary), { hint: reason }), stop };
  return { ...refusedObservation('APPROVAL_REQUIRED', `${failedText(summary)} ${reason}`.trim()), stop };
}

/** Whatever is not a clear yes is none. */
async function decide(request: ApprovalRequest, { scope, patience }: ActionContext): Promise<ApprovalDecision> {
  const { approver } = scope.ports;
  if (approver === undefined) return { kind: 'unavailable', reason: 'This run has nobody who approves.' };
  // Whoever shortens what they show must not change what is done.
  const shown = structuredClone(request);
  try {
    const answer: unknown = await patience.waitFor({ who: 'Whoever approves' }, async (signal) =>
      approver.decide(shown, { signal }),
    );
    return withEnd(plainDecision(answer), patience);
  } catch (error) {
    const { code, message: reason } = recordedError(error, scope.recorder);
    if (code === 'INTERRUPTED') return withEnd({ kind: 'unavailable', reason, code }, patience);
    // Whoever throws that says in another way that there is nobody.
    const failed = code !== 'APPROVAL_REQUIRED';
    return withEnd({ kind: 'unavailable', reason, ...(failed && { failed }) }, patience);
  }
}

/** Where nobody was waited for any more, that is why there is no answer. */
function withEnd(decision: ApprovalDecision, { end }: ActionContext['patience']): ApprovalDecision {
  if (decision.kind !== 'unavailable' || end === undefined) return decision;
  const { kind, reason } = decision;
  return { kind, reason, code: end === 'cancelled' ? 'INTERRUPTED' : 'TIMEOUT' };
}
