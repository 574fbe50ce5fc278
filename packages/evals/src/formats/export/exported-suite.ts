import type { EvalFile } from '../../case/eval-case.js';
import type { ImportNote } from '../imported-suite.js';

/** The formats that cases can be written in. */
export type ExportFormat = 'agentskills' | 'skill-creator' | 'trigger-list' | 'promptfoo' | 'adk';

/** A suite in the format of another tool. */
export interface ExportedSuite {
  /** What such a file is usually called: `evals.json`. */
  readonly fileName: string;
  readonly text: string;
  /** Files that cases name, by their paths relative to where the format looks for them. */
  readonly files: readonly EvalFile[];
  /** What the format cannot say; `at` is where it stands in the suite: `cases.3.expected.actions.0`. */
  readonly notes: readonly ImportNote[];
}
