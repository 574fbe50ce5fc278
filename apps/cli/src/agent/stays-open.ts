import type { StopReason } from '@skillpack/core';

/** Whether a run can go on after a request that ended so: it ended at a limit, without a model, or was cancelled. */
export function staysOpen(stop: StopReason | null | undefined): boolean {
  return stop === 'model_failed' || stop === 'cancelled' || stop?.startsWith('max_') === true;
}
