import type { StopReason } from '@skillpack/core';

/**
 * Whether a run can go on after a request that ended so: it ended at a limit, without a model or at a question for a yes,
 * or was cancelled.
 */
export function staysOpen(stop: StopReason | null | undefined): boolean {
  return (
    stop === 'approval_required' || stop === 'model_failed' || stop === 'cancelled' || stop?.startsWith('max_') === true
  );
}
