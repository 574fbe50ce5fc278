import type { EvalSuite } from '../case/eval-case.js';

/** The formats that cases are read from. */
export type CaseFormat =
  | 'skillpack'
  | 'agentskills'
  | 'skill-creator'
  | 'trigger-list'
  | 'trigger-wrapper'
  | 'trigger-keys'
  | 'trigger-lists'
  | 'apm'
  | 'multi-skill'
  | 'waza'
  | 'kind-trigger'
  | 'dotnet'
  | 'promptfoo'
  | 'adk';

/** A suite that was read from a file of another tool. */
export interface ImportedSuite {
  readonly format: CaseFormat;
  readonly suite: EvalSuite;
  /** What could not be taken over, or not as it was: nothing is dropped in silence. */
  readonly notes: readonly ImportNote[];
}

/** Something that was not taken over, or otherwise. */
export interface ImportNote {
  /** The case; `undefined` for the file as a whole. */
  readonly case?: string | undefined;
  /** Where in the file: `evals.3.assertions.0`. */
  readonly at: string;
  /** `dropped`: it counts no more; `changed`: it means something slightly else; `kept`: it stands there, and needs something, such as a judge. */
  readonly kind: 'dropped' | 'changed' | 'kept';
  /** In a sentence, cleaned for a terminal. */
  readonly message: string;
}
