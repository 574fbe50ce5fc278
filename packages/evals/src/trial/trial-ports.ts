import type { EvalPorts } from './eval-ports.js';

/** What a trial is run with. */
export type TrialPorts = Pick<EvalPorts, 'models' | 'ground' | 'judge' | 'clock' | 'sha256'>;
