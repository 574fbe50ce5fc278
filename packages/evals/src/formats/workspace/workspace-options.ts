import type { EvalSuite } from '../../case/eval-case.js';
import type { EvalResult } from '../../results/eval-result.js';

/** How a workspace is laid out. */
export interface WorkspaceOptions {
  /** Whose viewers are to open it. */
  readonly dialect: 'agentskills' | 'skill-creator';
  /** From 1: the folder is called `iteration-1`. */
  readonly iteration: number;
  /** The cases that the results are of. */
  readonly suites: readonly EvalSuite[];
  /** The model whose results are written. @default the only one that there is */
  readonly model?: string | undefined;
  /** What people said of results. @default nothing */
  readonly feedback?: readonly WorkspaceFeedback[] | undefined;
  /** Where the skill lies, for a reader. @default '' */
  readonly skillPath?: string | undefined;
  /** The description of the skill that the queries were tried with. @default '' */
  readonly description?: string | undefined;
}

/** What a person said of a case, or of one trial of it. */
export interface WorkspaceFeedback {
  readonly suite: string;
  readonly case: string;
  /** The trial. @default the first one of the first arm */
  readonly key?: EvalResult['key'] | undefined;
  readonly text: string;
  /** When it was said, in UTC. @default when the trial began */
  readonly at?: string | undefined;
}

/** A file of a workspace, by its path relative to the folder that holds the workspaces. */
export interface WorkspaceFile {
  readonly path: string;
  readonly text: string;
}
