import { quoted, SkillsError, type ApprovalDecision, type ApprovalRequest, type Approver } from '@skillpack/core';
import { approvedEntries, judgeEntry, otherEntry, type ApprovalEntry } from './approval-entry.js';
import { askForYes, type QuestionPorts } from './ask-for-yes.js';
import type { Person } from './person.js';

/** What can be approved, and who can be asked. */
export interface ApproverPorts extends QuestionPorts {
  /** Names of what may need a yes. */
  readonly tools: readonly string[];
  /** `undefined` where there is no terminal. */
  readonly person: Person | undefined;
}

/**
 * Who says yes: a list of {@link ApprovalEntry} is a yes to what it names, for the run. All else is asked of the person
 * at the terminal; not where it is `never`, and where nobody sits at one: then there is no yes.
 *
 * @throws `USAGE` for a list that cannot be read, and for the name of a tool that nothing needs a yes for.
 */
export function chooseApprover(approve: string | undefined, ports: ApproverPorts): Approver {
  const { person } = ports;
  const entries = approvedEntries(approve);
  checkTools(entries, ports.tools);
  return {
    decide: async (request, how) => {
      const said = saidBefore(entries, request);
      if (said !== undefined) return said;
      const note = otherContent(entries, request);
      if (approve !== 'never' && person !== undefined) return askForYes(request, { ...ports, person, note }, how);
      return { kind: 'unavailable', reason: note ?? reasonOf(approve, entries, request) };
    },
  };
}

function saidBefore(entries: readonly ApprovalEntry[], request: ApprovalRequest): ApprovalDecision | undefined {
  if (isMisnamed(request)) return undefined;
  const judged = entries.map((entry) => judgeEntry(entry, request));
  if (judged.includes('yes')) return { kind: 'approved', scope: 'run', by: '--approve' };
  return judged.includes('yes, once') ? { kind: 'approved', scope: 'once', by: '--approve' } : undefined;
}

/** A tool may be called as the action is that runs scripts, of which the name speaks here. */
function isMisnamed({ action, tool }: ApprovalRequest): boolean {
  return action === 'call_tool' && tool === 'run_script';
}

function otherContent(entries: readonly ApprovalEntry[], request: ApprovalRequest): string | undefined {
  const other = isMisnamed(request) ? undefined : otherEntry(entries, request);
  return other && `What --approve says is for another content of that skill, sha256:${other.digest}.`;
}

/** Why there is no yes, where nobody is asked. */
function reasonOf(approve: string | undefined, entries: readonly ApprovalEntry[], request: ApprovalRequest): string {
  if (approve === 'never') return '--approve never says that nobody is asked.';
  if (entries.length === 0) return 'Nobody sits at a terminal.';
  if (isMisnamed(request)) return 'Nobody sits at a terminal; --approve run_script allows scripts, and no tool.';
  const { tool, skill } = request;
  const another = skill === undefined && entries.some((entry) => entry.tool === tool && entry.input !== undefined);
  if (another) return `Nobody sits at a terminal, and what --approve says of ${tool} is for another use of it.`;
  return 'Nobody sits at a terminal, and --approve does not name it.';
}

function checkTools(entries: readonly ApprovalEntry[], tools: readonly string[]): void {
  const unknown = entries.find(({ tool }) => !tools.includes(tool));
  if (unknown === undefined) return;
  throw new SkillsError('USAGE', `--approve names ${quoted(unknown.tool)}, which nothing needs a yes for.`, {
    hint: `It is never, ask, or a list of ${tools.join(', ')}.`,
    data: { value: unknown.tool, tools },
  });
}
