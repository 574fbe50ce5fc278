import type { ApprovalRequest, Approver } from '@skillpack/core';
import type { StoredRun } from '@skillpack/runs-fs';
import { otherEntry, type ApprovalEntry } from './approval-entry.js';
import { skillChanges } from './skill-changes.js';

/** What needs a yes that nobody gave. */
export interface OpenQuestion {
  readonly request: ApprovalRequest;
  /** Where a yes was said beforehand, and is for another content of the skill: what is told of that. */
  readonly otherContent: string | undefined;
}

/** An approver, and the question that nobody answered. */
export interface RememberingApprover extends Approver {
  /** What was asked last, where there was no answer to it; else `undefined`. */
  openRequest(): ApprovalRequest | undefined;
}

/** Remembers the question that an approver has no answer to, since nobody can be asked. */
export function rememberOpenQuestion(approver: Approver): RememberingApprover {
  let open: ApprovalRequest | undefined;
  return {
    decide: async (request, how) => {
      open = undefined;
      const decision = await approver.decide(request, how);
      if (decision.kind === 'unavailable') open = request;
      return decision;
    },
    openRequest: () => open,
  };
}

/** Where it is looked up what was said beforehand, and for what. */
export interface QuestionSources {
  readonly entries: readonly ApprovalEntry[];
  /** The record, once it is whole. */
  readonly record: () => Promise<Pick<StoredRun, 'events' | 'kept'>>;
}

/** What nobody answered, with what there is to say of a yes to another content: both contents, and which files differ. */
export async function describeQuestion(
  request: ApprovalRequest,
  { entries, record }: QuestionSources,
): Promise<OpenQuestion> {
  const { skill, digest: now } = request;
  const before = otherEntry(entries, request)?.digest;
  if (before === undefined || skill === undefined || now === undefined) return { request, otherContent: undefined };
  const changes = await skillChanges(await record(), { location: skill.location, before, now });
  const which = changes === undefined ? '' : ` What differs: ${changes}.`;
  return {
    request,
    otherContent: `--approve is for another content of that skill, sha256:${before}; it is ${now} now.${which}`,
  };
}
