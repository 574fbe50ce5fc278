import { canonicalJson } from '../json/canonical-json.js';
import type { ApprovalDecision, ApprovalRequest, Approver } from './approver.js';

/**
 * An approver that remembers each yes for the session, so that later runs of the same program do not ask again: for the
 * same tool, or the scripts of the same skill, with the same content and the same confinement; of a tool that runs code,
 * for the same input alone. A skill whose content
 * nobody could measure is asked about each time.
 */
export function rememberApprovals(approver: Approver): Approver {
  const remembered = new Map<string, ApprovalDecision>();
  return {
    async decide(request, options) {
      const key = keyOf(request);
      const known = key === undefined ? undefined : remembered.get(key);
      if (known !== undefined) return known;
      const decision = await approver.decide(request, options);
      if (key !== undefined && isForSession(decision)) remembered.set(key, Object.freeze({ ...decision }));
      return decision;
    },
  };
}

/** All that a yes was for; `undefined` where that is not known. */
function keyOf(request: ApprovalRequest): string | undefined {
  const { action, tool, risk, skill, digest, confinement, covers = 'tool', input } = request;
  if (skill !== undefined && digest === undefined) return undefined;
  const covered = covers === 'input' ? [canonicalJson(input)] : [];
  return JSON.stringify([action, tool, risk, skill?.location, digest, confinement, ...covered]);
}

/** An approver may be written in a language without types. */
function isForSession(decision: unknown): boolean {
  if (typeof decision !== 'object' || decision === null) return false;
  return 'kind' in decision && decision.kind === 'approved' && 'scope' in decision && decision.scope === 'session';
}
