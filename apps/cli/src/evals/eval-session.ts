import type { Clock } from '@skillpack/core';
import type { ScanPorts } from '@skillpack/registry-fs';
import { waitingClock } from '../agent/waiting-clock.js';
import type { Reporter } from '../frame/reporter.js';
import { howLong } from '../render/how-long.js';
import { readAgentSettings, type AgentSettings } from '../settings/read-agent-settings.js';
import type { SettingsSource } from '../settings/settings-source.js';
import { isTrusted } from '../settings/trusted-projects.js';
import { refuseWithoutBudget } from './free-models.js';
import { readKeptEvals, type KeptEvals } from './eval-files.js';
import type { EvalModels } from './eval-models.js';
import type { EvalFlags } from './eval-options.js';
import { readEvalFlags, type EvalChoice } from './read-eval-flags.js';
import { resolve } from 'node:path';

/** What evals are held with on this machine. */
export interface EvalSessionPorts {
  readonly source: SettingsSource;
  /** The folder of the skills that come with the command. */
  readonly builtin: string;
  readonly scanPorts: (settings: { readonly cacheDir: string }) => ScanPorts;
  readonly now: () => number;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
}

/** What stays the same from one round to the next, where files are watched. */
export interface EvalSession {
  readonly flags: EvalFlags;
  readonly choice: EvalChoice;
  readonly ports: EvalSessionPorts;
  readonly settings: AgentSettings;
  readonly clock: Clock;
  /** @default nothing is run: queries are ranked, and no more */
  readonly models: EvalModels | undefined;
  /** What the results are compared with: as it was at the beginning, since it may lie where they go. @default nothing */
  readonly baseline: KeptEvals | undefined;
  /** Results by whose durations parts are made equal. @default nothing is known */
  readonly durations: KeptEvals['results'] | undefined;
}

/**
 * Reads what a command line says, and chooses the models. Nothing is run, and nothing is asked.
 *
 * @throws `USAGE`, also for a model that may cost something without a budget; `INVALID_CONFIG`; `FILE_NOT_FOUND` and
 * `INVALID_RESULTS` for a baseline; as `chooseModel`.
 */
export async function openEvalSession(flags: EvalFlags, ports: EvalSessionPorts): Promise<EvalSession> {
  const { source, builtin, reporter, signal, now } = ports;
  const settings = readAgentSettings(source, { sandbox: flags.sandbox });
  const choice = readEvalFlags(flags, settings);
  refuseWithoutBudget([...choice.models, ...(flags.judge === undefined ? [] : [flags.judge])], choice.budget);
  const clock = waitingClock(now, (milliseconds) => reporter.step(howLong(milliseconds)));
  const { cwd } = settings;
  const read = (path: string | undefined): KeptEvals | undefined =>
    path === undefined ? undefined : readKeptEvals(resolve(cwd, path));
  const baseline = read(flags.baseline);
  const durations = read(flags.durations)?.results;
  if (choice.models.length === 0)
    return { flags, choice, ports, settings, clock, models: undefined, baseline, durations };
  // What ranks queries loads nothing of models.
  const { chooseEvalModels } = await import('./eval-models.js');
  const models = await chooseEvalModels(
    {
      models: choice.models,
      judge: flags.judge,
      limits: { budget: choice.budget, rpm: flags.rpm },
      record: flags.record === undefined ? undefined : resolve(cwd, flags.record),
    },
    { settings, env: source.env, home: source.home, builtin, trusted: isTrusted(settings), clock, signal },
  );
  return { flags, choice, ports, settings, clock, models, baseline, durations };
}
