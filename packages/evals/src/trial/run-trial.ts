import type { EvalResult } from '../results/eval-result.js';
import type { EvalPorts, OpenJob } from './eval-ports.js';

/** What a trial is run with. */
export type TrialPorts = Pick<EvalPorts, 'models' | 'ground' | 'judge' | 'clock' | 'sha256'>;

/** How a trial is run. */
export interface TrialOptions {
  readonly signal?: AbortSignal | undefined;
  /** @default 1 */
  readonly attempt?: number | undefined;
}

/**
 * Runs one trial, once: makes a workspace, opens a model, lets an agent of core work on the case, and holds what it did
 * to what is expected. In a trial of the kind `trigger` no text of a skill is ever read: it ends as soon as one would be.
 *
 * It never throws for what the model, the ground or the judge do: that is an `error`, or `stopped`.
 */
export async function runTrial(open: OpenJob, ports: TrialPorts, options: TrialOptions = {}): Promise<EvalResult> {
  void open;
  void ports;
  void options;
  throw new Error('not yet');
}
