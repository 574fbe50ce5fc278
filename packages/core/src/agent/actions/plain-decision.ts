import { quoted } from '../../errors/quoted.js';
import type { ApprovalDecision, ApprovalScope } from '../../policy/approver.js';

const scopes: readonly unknown[] = ['once', 'run', 'session'] satisfies readonly ApprovalScope[];

/** UTF-16 code units of a reason, or of a name. */
const longestReason = 4_000;

/**
 * What whoever approves answered, in one of the three forms that there are. Whatever is not exactly a yes with its scope, or
 * a no, is neither: nobody could be asked.
 */
export function plainDecision(answer: unknown): ApprovalDecision {
  if (typeof answer === 'object' && answer !== null) {
    const { kind, scope, reason, by, code, failed } = answer as Readonly<Record<string, unknown>>;
    if (kind === 'approved' && isScope(scope)) return { kind, scope, by: textOf(by) };
    if (kind === 'denied') return { kind, reason: textOf(reason), by: textOf(by) };
    if (kind === 'unavailable') {
      const told = { kind, reason: textOf(reason) } as const;
      if (code === 'INTERRUPTED' || code === 'TIMEOUT') return { ...told, code };
      return failed === true ? { ...told, failed } : told;
    }
  }
  const reason = `Whoever approves gave no clear answer: ${shownOf(answer)} is neither a yes with its scope nor a no.`;
  return { kind: 'unavailable', reason, failed: true };
}

/** What was answered, as far as it can be shown. */
function shownOf(answer: unknown): string {
  try {
    return quoted(typeof answer === 'string' ? answer : (JSON.stringify(answer) ?? String(answer)), 200);
  } catch {
    return typeof answer;
  }
}

function isScope(scope: unknown): scope is ApprovalScope {
  return scopes.includes(scope);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, longestReason) : '';
}
