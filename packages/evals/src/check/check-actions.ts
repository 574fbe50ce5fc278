import type { RunEvent } from '@skillpack/core';
import type { ActionRule } from '../case/expectations.js';
import type { CheckResult } from './check-result.js';

/**
 * Holds a run to rules on its actions, one result a rule, in their order. One that fails names the step that breaks it
 * (`seq`), and says what should have come before it, or what was missing.
 *
 * @param events the whole record, with child runs and what a resumed run left out.
 */
export function checkActions(rules: readonly ActionRule[], events: readonly RunEvent[]): readonly CheckResult[] {
  throw new Error(`${rules.length} ${events.length}`);
}
