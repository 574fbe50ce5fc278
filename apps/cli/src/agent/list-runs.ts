import type { RunStatus, StopReason } from '@skillpack/core';
import type { ListedRun } from '@skillpack/runs-fs';

/** A run in a list. */
export interface RunRow {
  readonly id: string;
  readonly status: RunStatus;
  /** Whether whoever worked on it is gone, and it was not finished: it can be resumed. */
  readonly cutOff: boolean;
  /** Why its newest request ended; `null` while it is worked on, or where nothing was asked. */
  readonly stop: StopReason | null;
  readonly model: string;
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
}

/** What was recorded here. */
export interface RunList {
  readonly runs: readonly RunRow[];
  /** How many older ones are not shown. */
  readonly older: number;
  /** What lies among the runs, and cannot be read as one. */
  readonly broken: readonly {
    readonly id: string;
    readonly folder: string;
    readonly code: string;
    readonly message: string;
  }[];
}

/** The newest runs, and what is broken. */
export function listRuns(all: readonly ListedRun[], limit: number): RunList {
  const runs = all.flatMap((run) => (run.kind === 'run' ? [rowOf(run)] : []));
  const broken = all.flatMap((run) => {
    if (run.kind === 'run') return [];
    const { id, folder, error } = run;
    return [{ id, folder, code: error.code, message: error.message }];
  });
  return { runs: runs.slice(0, limit), older: Math.max(0, runs.length - limit), broken };
}

function rowOf({ summary, cutOff }: ListedRun & { readonly kind: 'run' }): RunRow {
  const { id, status, model, started, ended, requests, skills, spent } = summary;
  return {
    id,
    status,
    cutOff,
    stop: requests.at(-1)?.answer?.stop ?? null,
    model,
    started,
    duration: Math.max(0, Date.parse(ended) - Date.parse(started)) || 0,
    request: requests[0]?.text ?? null,
    requests: requests.length,
    skills: [...new Set(skills.map(({ name }) => name))],
    turns: spent.turns,
  };
}
