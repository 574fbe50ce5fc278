import type { ApprovalRequest, Approver } from '@skillpack/core';
import type { StoredRun } from '@skillpack/runs-fs';
import { approvedEntries, otherEntry } from './approval-entry.js';
import { skillChanges } from './skill-changes.js';

/** What needs a yes that nobody gave. */
export interface OpenQuestion {
  readonly request: ApprovalRequest;
  /** Where a yes was said beforehand, and is for another content of the skill: what is told of that. */
  readonly otherContent: string | undefined;
  /** Of what starts a program: what it could do there, whether or not something confines it. */
  readonly leaves: readonly string[] | undefined;
  /** Whether the command line says that nobody is asked. */
  readonly never: boolean;
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
  /** `--approve`. */
  readonly approve: string | undefined;
  /** Names of tools that start programs, besides `run_script`. */
  readonly programs: readonly string[];
  /** What programs can do here that a sandbox would keep from them. */
  readonly leaves: readonly string[];
  /** The record, once it is whole. */
  readonly record: () => Promise<Pick<StoredRun, 'events' | 'kept'>>;
}

/** What nobody answered, with what there is to say of a yes to another content: both contents, and which files differ. */
export async function describeQuestion(
  request: ApprovalRequest,
  { approve, programs, leaves: all, record }: QuestionSources,
): Promise<OpenQuestion> {
  const { action, tool, skill, digest: now } = request;
  const leaves = action === 'run_script' || programs.includes(tool) ? all : undefined;
  const question = { request, leaves, never: approve === 'never' };
  const before = otherEntry(approvedEntries(approve), request)?.digest;
  if (before === undefined || skill === undefined || now === undefined) return { ...question, otherContent: undefined };
  const changes = await skillChanges(await record(), { location: skill.location, before, now });
  const which = changes === undefined ? '' : ` What differs: ${changes}.`;
  return {
    ...question,
    otherContent: `--approve is for another content of that skill, sha256:${before}; it is ${now} now.${which}`,
  };
}
