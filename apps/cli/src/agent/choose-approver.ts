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
 * Who says yes: `ask` asks the person at the terminal, `never` nobody, and a list of {@link ApprovalEntry} is a yes to
 * what it names, for the run; all else is then refused. What is left out is `ask` on a terminal, else `never`.
 *
 * @throws `USAGE` for a list that cannot be read, and for the name of a tool that nothing needs a yes for.
 */
export function chooseApprover(approve: string | undefined, ports: ApproverPorts): Approver {
  const { person } = ports;
  const mode = approve ?? (person === undefined ? 'never' : 'ask');
  if (mode === 'ask' && person !== undefined)
    return { decide: async (request, how) => askForYes(request, { ...ports, person }, how) };
  const entries = approvedEntries(approve);
  checkTools(entries, ports.tools);
  return { decide: async (request) => decideBy(entries, request) };
}

function decideBy(entries: readonly ApprovalEntry[], request: ApprovalRequest): ApprovalDecision {
  // A tool may be called as the action is that runs scripts, of which the name speaks here.
  if (request.action === 'call_tool' && request.tool === 'run_script') {
    return { kind: 'unavailable', reason: 'Nobody can be asked; --approve run_script allows scripts, and no tool.' };
  }
  const judged = entries.map((entry) => judgeEntry(entry, request));
  if (judged.includes('yes')) return { kind: 'approved', scope: 'run', by: '--approve' };
  if (judged.includes('yes, once')) return { kind: 'approved', scope: 'once', by: '--approve' };
  const other = otherEntry(entries, request);
  const reason =
    other === undefined
      ? 'None was said by --approve.'
      : `What --approve says is for another content of that skill, sha256:${other.digest}.`;
  return { kind: 'unavailable', reason };
}

function checkTools(entries: readonly ApprovalEntry[], tools: readonly string[]): void {
  const unknown = entries.find(({ tool }) => !tools.includes(tool));
  if (unknown === undefined) return;
  throw new SkillsError('USAGE', `--approve names ${quoted(unknown.tool)}, which nothing needs a yes for.`, {
    hint: `It is never, ask, or a list of ${tools.join(', ')}.`,
    data: { value: unknown.tool, tools },
  });
}
