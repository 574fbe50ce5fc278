import type { AgentOptions, AgentPorts, Clock, ModelAdapter, RunEvent, Sha256, SkillRegistry } from '@skillpack/core';
import type { EvalCase, EvalFile } from '../case/eval-case.js';
import type { Judge } from '../judge/judge.js';
import type { EvalJob } from '../plan/eval-job.js';
import type { ResultsLog } from '../results/results-log.js';

/** What evals are run with. */
export interface EvalPorts {
  /** Every skill that a case may offer: the catalogue. */
  readonly registry: SkillRegistry;
  /** The same skills in an older version, for the arm `old_skill`. @default there is no such arm */
  readonly oldRegistry?: SkillRegistry | undefined;
  readonly models: ModelSource;
  readonly ground: TrialGround;
  /** @default nobody judges: what has a rubric is inconclusive */
  readonly judge?: Judge | undefined;
  readonly clock: Clock;
  readonly sha256: Sha256;
  readonly results: ResultsLog;
}

/** A job with the case that it is of. */
export interface OpenJob {
  readonly job: EvalJob;
  readonly case: EvalCase;
  /** What the model is offered in it: of a case of the kind `trigger`, skills without their texts. */
  readonly registry: SkillRegistry;
}

/** Where models come from. */
export interface ModelSource {
  /** @throws what keeps it from being asked: the trial is an `error`. */
  open(job: OpenJob, options: { readonly workspace: string; readonly signal: AbortSignal }): Promise<OpenModel>;
}

/** A model for one trial. */
export interface OpenModel {
  readonly model: ModelAdapter;
  /** Called once at the end, whether the trial is worth keeping: what it recorded is kept or discarded. */
  close?(keep: boolean): Promise<void>;
}

/** Where trials take place. */
export interface TrialGround {
  /** A workspace of its own with the files of the case, and what the agent has in it. */
  open(job: OpenJob, options: { readonly signal: AbortSignal }): Promise<OpenGround>;
}

/** The place of one trial. Disposing of it removes the workspace. */
export interface OpenGround extends AsyncDisposable {
  readonly workspace: EvalWorkspace;
  readonly agent: Pick<
    AgentPorts,
    'tools' | 'skillTools' | 'groupedTools' | 'approver' | 'runner' | 'measureSkill' | 'countTokens'
  >;
  readonly options?:
    | Pick<AgentOptions, 'permissions' | 'system' | 'instructions' | 'redact' | 'scriptTimeout'>
    | undefined;
  /** Told of each event of the run once it is recorded: what an agent has read, its tools may read, too. @default nobody is told */
  onEvent?(event: RunEvent): void;
  /** Runs a script of a suite in the workspace, for a check. @default such a check is not judged */
  runCheck?(
    request: { readonly script: string; readonly args: readonly string[]; readonly answer: string },
    options: { readonly signal: AbortSignal },
  ): Promise<{ readonly exitCode: number | undefined; readonly output: string }>;
}

/** The folder of one trial. */
export interface EvalWorkspace {
  /** Absolute. */
  readonly path: string;
  /** Regular files below it, by path; links are not followed, and not listed. */
  files(): Promise<readonly { readonly path: string; readonly size: number }[]>;
  /** The bytes of a file, at most so many. @throws `FILE_NOT_FOUND`, `PATH_TRAVERSAL_BLOCKED`, `FILE_TOO_LARGE`. */
  read(path: string, options: { readonly maxBytes: number }): Promise<Uint8Array>;
}

/** Files of a case by a path, as whoever reads cases finds them. */
export interface CaseFiles {
  /** @throws `FILE_NOT_FOUND`, `PATH_TRAVERSAL_BLOCKED`, `FILE_TOO_LARGE`. */
  read(path: string): Promise<EvalFile>;
}
