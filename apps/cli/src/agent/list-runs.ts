import {
  SkillsError,
  summariseRun,
  type BudgetLimits,
  type RecordedError,
  type RunStatus,
  type StopReason,
} from '@skillpack/core';
import type { ListedRun, StoredRun } from '@skillpack/runs-fs';
import { isOfProject, type ProjectRuns } from './project-runs.js';
import { waitsForTool } from './resume-command.js';

/** A run in a list. */
export interface RunRow {
  readonly id: string;
  readonly status: RunStatus;
  /** Whether whoever worked on it is gone, and it was not finished: it can be resumed. */
  readonly cutOff: boolean;
  /** Whether a line of its record was being written when that happened. */
  readonly torn: boolean;
  /** Why its newest request ended; `null` while it is worked on, or where nothing was asked. */
  readonly stop: StopReason | null;
  readonly model: string;
  /** The project it is about; `null` where the record does not say so. */
  readonly project: string | null;
  readonly started: string;
  /** Milliseconds from its first event to its last. */
  readonly duration: number;
  /** The first request. */
  readonly request: string | null;
  /** How many there were. */
  readonly requests: number;
  /** Names of the skills that were read. */
  readonly skills: readonly string[];
  readonly turns: number;
  /** What one request may take; a limit that is none is absent. */
  readonly limits: Partial<BudgetLimits>;
  /** The tool that it needs a yes for, where its newest request ended with that; else `null`. */
  readonly waitsFor: string | null;
  /** Where its `run.json` says otherwise than its events, from which all of this is: what. */
  readonly problem: Problem | null;
}

/** What was recorded here. */
export interface RunList {
  readonly runs: readonly RunRow[];
  /** How many older ones are not shown. */
  readonly older: number;
  /** How many of other projects lie in the same folder, and are not shown. */
  readonly others: number;
  /** What lies among the runs, and cannot be read as one. */
  readonly broken: readonly BrokenRun[];
}

/** Why something cannot be relied on. */
interface Problem {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}

interface BrokenRun extends Problem {
  readonly id: string;
  readonly folder: string;
}

/**
 * The newest runs, and what is broken. Those that are shown are read from their first event to their last; of older ones,
 * what `RunFolder.list` finds.
 */
export async function listRuns(folder: ProjectRuns, limit: number): Promise<RunList> {
  const runs: RunRow[] = [];
  const broken: BrokenRun[] = [];
  let older = 0;
  let others = 0;
  for (const listed of await folder.list()) {
    if (listed.kind === 'broken') broken.push(brokenRun(listed, listed.error));
    else if (!isOfProject(listed.summary.project, folder.project)) others += 1;
    else if (runs.length >= limit) older += 1;
    else {
      const read = await readWhole(listed, folder);
      if (read.kind === 'row') runs.push(read.row);
      else if (read.kind === 'broken') broken.push(read.run);
    }
  }
  return { runs, older, others, broken };
}

type Read =
  | { readonly kind: 'row'; readonly row: RunRow }
  | { readonly kind: 'broken'; readonly run: BrokenRun }
  | { readonly kind: 'gone' };

async function readWhole(listed: ListedRun, folder: ProjectRuns): Promise<Read> {
  try {
    return { kind: 'row', row: rowOf(await folder.read(listed.id)) };
  } catch (error) {
    if (!SkillsError.is(error)) throw error;
    // Somebody removed it since it was listed.
    if (error.code === 'RUN_NOT_FOUND') return { kind: 'gone' };
    return { kind: 'broken', run: brokenRun(listed, error) };
  }
}

function brokenRun({ id, folder }: ListedRun, error: RecordedError): BrokenRun {
  return { id, folder, ...problemOf(error) };
}

function problemOf({ code, message, hint }: RecordedError): Problem {
  return { code, message, hint: hint ?? null };
}

function rowOf({ events, cutOff, torn, summaryProblem }: StoredRun): RunRow {
  const summary = summariseRun(events);
  const { id, status, model, project, started, ended, requests, skills, spent, limits } = summary;
  return {
    id,
    status,
    cutOff,
    torn: torn !== undefined,
    stop: requests.at(-1)?.answer?.stop ?? null,
    model,
    project: project ?? null,
    started,
    duration: Math.max(0, Date.parse(ended) - Date.parse(started)) || 0,
    request: requests[0]?.text ?? null,
    requests: requests.length,
    skills: [...new Set(skills.map(({ name }) => name))],
    turns: spent.turns,
    limits,
    waitsFor: waitsForTool(summary),
    problem: summaryProblem === undefined ? null : problemOf(summaryProblem),
  };
}
