import type { ErrorCode } from '../../errors/codes.js';
import type { ApprovalDecision } from '../../policy/approver.js';
import type { RiskClass } from '../../policy/risk-class.js';
import type { KeptText, RecordedError, RunEvent } from '../run-event.js';

/** How often an action, or a tool by its name, was used. */
export interface ToolSummary {
  readonly name: string;
  readonly calls: number;
  readonly failed: number;
}

/** A script that was to be run. */
export interface ScriptSummary {
  readonly run: string;
  readonly id: string;
  readonly skill: string;
  readonly path: string;
  readonly args: readonly string[];
  /** `undefined` where it was not run, was ended by a signal, or nobody knows. */
  readonly exitCode: number | undefined;
  readonly error: RecordedError | undefined;
  /** Milliseconds, without those in which somebody was asked for a yes. */
  readonly duration: number | undefined;
  readonly kept: readonly (KeptText & { readonly name: string })[];
}

/** A question to a person, and the answer. */
export interface ApprovalSummary {
  readonly run: string;
  readonly id: string;
  readonly tool: string;
  readonly risk: RiskClass;
  readonly summary: string;
  /** `undefined` where the run was cut off before. */
  readonly decision: ApprovalDecision | undefined;
}

type Started = RunEvent & { readonly type: 'action_started' };
type Observed = RunEvent & { readonly type: 'observation_recorded' };

interface ActionPair {
  readonly started: Started;
  readonly observed: Observed | undefined;
}

/** Actions and what came of them; of one run, no id is given twice. */
function pairActions(events: readonly RunEvent[]): readonly ActionPair[] {
  const observed = new Map<string, Observed>();
  for (const event of events) {
    if (event.type === 'observation_recorded') observed.set(keyOf(event.run, event.id), event);
  }
  return events.flatMap((event) =>
    event.type === 'action_started' ? [{ started: event, observed: observed.get(keyOf(event.run, event.id)) }] : [],
  );
}

function keyOf(run: string, id: string): string {
  return `${run} ${id}`;
}

/** How often each action and each tool was used, by name. */
export function listTools(events: readonly RunEvent[]): readonly ToolSummary[] {
  const tools = new Map<string, { calls: number; failed: number }>();
  for (const { started, observed } of pairActions(events)) {
    const { action } = started;
    const name = action.kind === 'call_tool' ? action.tool : action.kind;
    const tool = tools.get(name) ?? { calls: 0, failed: 0 };
    tools.set(name, { calls: tool.calls + 1, failed: tool.failed + (observed?.ok === false ? 1 : 0) });
  }
  return [...tools]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, { calls, failed }]) => ({ name, calls, failed }));
}

/** Milliseconds that passed with questions, by `keyOf` their action. */
function timeOfQuestions(events: readonly RunEvent[]): ReadonlyMap<string, number> {
  const asked = new Map<string, number>();
  const times = new Map<string, number>();
  for (const event of events) {
    if (event.type === 'approval_requested') asked.set(keyOf(event.run, event.request.id), Date.parse(event.at));
    if (event.type !== 'approval_decided') continue;
    const key = keyOf(event.run, event.id);
    const passed = Date.parse(event.at) - (asked.get(key) ?? Number.NaN);
    // A clock may go back, and a record may hold a time that is none.
    if (passed > 0) times.set(key, passed);
  }
  return times;
}

/** The scripts that were to be run, in their order. */
export function listScripts(events: readonly RunEvent[]): readonly ScriptSummary[] {
  const questions = timeOfQuestions(events);
  return pairActions(events).flatMap(({ started, observed }) => {
    const { run, id, action } = started;
    if (action.kind !== 'run_script') return [];
    const exitCode = observed?.output['exit_code'];
    return [
      {
        run,
        id,
        skill: action.skill.name,
        path: action.relative_path,
        args: action.args,
        exitCode: typeof exitCode === 'number' ? exitCode : undefined,
        error: observed?.error,
        duration: observed && Math.max(0, observed.duration - (questions.get(keyOf(run, id)) ?? 0)),
        kept: observed?.kept ?? [],
      },
    ];
  });
}

/** What a person was asked, in its order. */
export function listApprovals(events: readonly RunEvent[]): readonly ApprovalSummary[] {
  const decisions = new Map<string, ApprovalDecision>();
  for (const event of events) {
    if (event.type === 'approval_decided') decisions.set(keyOf(event.run, event.id), event.decision);
  }
  return events.flatMap((event) => {
    if (event.type !== 'approval_requested') return [];
    const { id, tool, risk, summary } = event.request;
    return [{ run: event.run, id, tool, risk, summary, decision: decisions.get(keyOf(event.run, id)) }];
  });
}

/** How often something failed, by its code, in the order of the codes. */
export function countErrors(
  events: readonly RunEvent[],
): readonly { readonly code: ErrorCode; readonly count: number }[] {
  const counts = new Map<ErrorCode, number>();
  for (const event of events) {
    const code = 'error' in event ? event.error?.code : undefined;
    if (code !== undefined) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return [...counts].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([code, count]) => ({ code, count }));
}
