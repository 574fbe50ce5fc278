import { availableParallelism } from 'node:os';

import type { Check } from './checks.ts';
import { limitConcurrency } from './limit-concurrency.ts';
import { runCommand, type CommandResult } from './run-command.ts';

/** How one check ended; `skipped` when the check it stands on failed. */
export interface CheckOutcome {
  readonly check: Check;
  readonly result: CommandResult | 'skipped';
}

/** How the checks run. */
export interface RunChecksOptions {
  /** The root of the workspace. */
  readonly cwd: string;
  /** Mend what a program can mend, one after the other, because two mends may write to one file. */
  readonly fix: boolean;
  /** Told of each check as it ends. */
  onOutcome(outcome: CheckOutcome): void;
}

/** Runs the checks, as many at once as there are processors, each one after the check it stands on. */
export async function runChecks(checks: readonly Check[], options: RunChecksOptions): Promise<readonly CheckOutcome[]> {
  const limited = limitConcurrency(options.fix ? 1 : availableParallelism());
  const running = new Map<string, Promise<CheckOutcome>>();

  async function run(check: Check): Promise<CheckOutcome> {
    const before = check.after === undefined ? undefined : await running.get(check.after);
    const blocked = before !== undefined && !passed(before);
    const command = options.fix ? (check.fix ?? check.command) : check.command;
    const result = blocked ? 'skipped' : await limited(async () => runCommand(command, options));
    options.onOutcome({ check, result });
    return { check, result };
  }

  for (const check of checks) running.set(check.name, run(check));
  return Promise.all(running.values());
}

/** Whether a check ran and found nothing. */
export function passed({ result }: CheckOutcome): boolean {
  return result !== 'skipped' && result.passed;
}
