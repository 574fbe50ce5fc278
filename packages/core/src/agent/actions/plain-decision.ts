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
    const { kind, scope, reason, by, code } = answer as Readonly<Record<string, unknown>>;
    if (kind === 'approved' && isScope(scope)) return { kind, scope, by: textOf(by) };
    if (kind === 'denied') return { kind, reason: textOf(reason), by: textOf(by) };
    if (kind === 'unavailable') {
      const told = { kind, reason: textOf(reason) } as const;
      return code === 'INTERRUPTED' || code === 'TIMEOUT' ? { ...told, code } : told;
    }
  }
  return { kind: 'unavailable', reason: 'Whoever approves gave no clear answer.' };
}

function isScope(scope: unknown): scope is ApprovalScope {
  return scopes.includes(scope);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, longestReason) : '';
}
