import { quoted, SkillsError } from '@skillpack/core';
import type { EvalSuite } from '../case/eval-case.js';
import { exportAdk } from './export/export-adk.js';
import { exportEvalsJson } from './export/export-evals-json.js';
import type { ExportedSuite, ExportFormat } from './export/exported-suite.js';
import { exportPromptfoo } from './export/export-promptfoo.js';
import { exportTriggerList } from './export/export-trigger-list.js';

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
