import { quoted, SkillsError } from '@skillpack/core';
import type { EvalFile, EvalSuite } from '../case/eval-case.js';
import { exportAdk } from './export/export-adk.js';
import { exportEvalsJson } from './export/export-evals-json.js';
import { exportPromptfoo } from './export/export-promptfoo.js';
import { exportTriggerList } from './export/export-trigger-list.js';
import type { ImportNote } from './imported-suite.js';

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

/**
 * Writes a suite for another tool. What that format cannot say is in the notes.
 *
 * @throws `USAGE` for a format that there is not.
 */
export function exportSuite(suite: EvalSuite, format: ExportFormat): ExportedSuite {
  switch (format) {
    case 'agentskills':
    case 'skill-creator':
      return exportEvalsJson(suite, format);
    case 'trigger-list':
      return exportTriggerList(suite);
    case 'promptfoo':
      return exportPromptfoo(suite);
    case 'adk':
      return exportAdk(suite);
    default:
      // JavaScript gives anything.
      throw new SkillsError('USAGE', `Cases cannot be written in the format ${quoted(String(format), 60)}.`, {
        hint: 'There is agentskills, skill-creator, trigger-list, promptfoo and adk.',
      });
  }
}
