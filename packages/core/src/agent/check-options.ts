import { expectOptions } from '../errors/expect-options.js';
import type { AgentOptions, AskOptions } from './agent-run.js';

const ofRequest: Readonly<Record<keyof AskOptions, true>> = {
  signal: true,
  onText: true,
  onReasoning: true,
  onAnswer: true,
};

const ofRun: Readonly<Record<keyof AgentOptions, true>> = {
  id: true,
  system: true,
  instructions: true,
  enableSkills: true,
  autoReload: true,
  preload: true,
  bodiesPerTurn: true,
  limits: true,
  catalogueShare: true,
  catalogueStyle: true,
  catalogueTemplate: true,
  loadInstructions: true,
  pinned: true,
  contextShare: true,
  scriptTimeout: true,
  permissions: true,
  refusals: true,
  rejectedAnswer: true,
  unknownCost: true,
  project: true,
  redact: true,
  signal: true,
  onEvent: true,
};

const known = {
  runAgent: { ...ofRun, ...ofRequest },
  startRun: ofRun,
  continueRun: ofRun,
  ask: ofRequest,
  goOn: ofRequest,
} as const;

/** @throws `USAGE` for an option that there is not. */
export function checkOptions(options: AgentOptions | AskOptions, of: keyof typeof known): void {
  if (typeof options === 'object' && options !== null) expectOptions<object>(options, { of, names: known[of] });
}
