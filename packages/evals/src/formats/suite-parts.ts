import type { EvalCase } from '../case/eval-case.js';

/** What an importer makes of a file. */
export interface SuiteParts {
  /** What the file calls its cases. */
  readonly name?: string | undefined;
  readonly skills: readonly string[];
  readonly cases: readonly EvalCase[];
}
