import { formatVersion, writeDocument } from '../../json/json-document.js';
import type { Digest } from '../../digest/is-digest.js';
import type { ErrorCode } from '../../errors/codes.js';
import type { Plan } from '../../model/plan.js';
import type { BudgetLimits, RunTotals } from '../budget.js';
import { givenLimits } from '../fill-limits.js';
import { foldEvents } from '../fold-events.js';
import type { RunEvent } from '../run-event.js';
import {
  countErrors,
  listApprovals,
  listScripts,
  listTools,
  type ApprovalSummary,
  type ScriptSummary,
  type ToolSummary,
} from './summarise-actions.js';
import { listRequests, type RequestSummary } from './summarise-requests.js';
import { listResources, listSkills, type ResourceSummary, type SkillSummary } from './summarise-skills.js';
import { sumUsage, type UsageSummary } from './summarise-usage.js';

/**
 * Where a run is: `open` while it can be asked, `working` on a request (or cut off while it was), `finished` for good.
 */
export type RunStatus = 'open' | 'working' | 'finished';

/** `run.json`: what a run comes to, for whoever does not want to read its events. */
export interface RunSummary {
  readonly formatVersion: 1;
  readonly id: string;
  readonly status: RunStatus;
  readonly model: string;
  /** What it is about, as whoever started it calls that. */
  readonly project: string | undefined;
  /** When its first event happened, in UTC. */
  readonly started: string;
  /** When its last event happened, in UTC. */
  readonly ended: string;
  /** How many events there are, and the hash of the last one. */
  readonly events: number;
  readonly hash: Digest;
  /** Of the index of skills at its end. */
  readonly indexHash: Digest | undefined;
  readonly requests: readonly RequestSummary[];
  readonly skills: readonly SkillSummary[];
  readonly resources: readonly ResourceSummary[];
  readonly tools: readonly ToolSummary[];
  readonly scripts: readonly ScriptSummary[];
  readonly approvals: readonly ApprovalSummary[];
  readonly plan: Plan | undefined;
  /** What one request may take; a limit that is none is absent. */
  readonly limits: Partial<BudgetLimits>;
  /** What all requests together took. */
  readonly spent: RunTotals;
  readonly usage: UsageSummary;
  /** How often something failed, by its code. */
  readonly errors: readonly { readonly code: ErrorCode; readonly count: number }[];
  /** How often it was cut off and went on. */
  readonly resumed: number;
}

/**
 * What the events of a run come to. What a resumed run left out of its state is counted here: it happened.
 *
 * @param events those of one record, at least its first.
 */
export function summariseRun(events: readonly RunEvent[]): RunSummary {
  const state = foldEvents(events);
  const requests = listRequests(events, state.id);
  const working = requests.at(-1) !== undefined && state.answer === undefined;
  return {
    formatVersion,
    id: state.id,
    status: state.finished ? 'finished' : working ? 'working' : 'open',
    model: state.model,
    project: projectOf(events),
    started: events[0]?.at ?? '',
    ended: events.at(-1)?.at ?? '',
    events: events.length,
    hash: state.hash,
    indexHash: state.index?.hash,
    requests,
    skills: listSkills(events),
    resources: listResources(events),
    tools: listTools(events),
    scripts: listScripts(events),
    approvals: listApprovals(events),
    plan: state.plan,
    limits: givenLimits(state.limits),
    spent: state.totals,
    usage: sumUsage(events),
    errors: countErrors(events),
    resumed: events.filter(({ type }) => type === 'run_resumed').length,
  };
}

function projectOf([first]: readonly RunEvent[]): string | undefined {
  return first?.type === 'run_started' ? first.options.project : undefined;
}

/** The text of a `run.json`. */
export function formatRunSummary(summary: RunSummary): string {
  return writeDocument(summary, { first: ['formatVersion', 'id', 'status', 'requests'] });
}
