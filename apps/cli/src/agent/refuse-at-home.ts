import type { Approver } from '@skillpack/core';

/** Which programs run where, and who is told. */
export interface HomePorts {
  /** Whether they work on the person's home folder. */
  readonly atHome: boolean;
  /** Names of tools that start programs, besides `run_script`. */
  readonly programs: readonly string[];
  readonly warn: (message: string) => void;
}

/**
 * An approver that asks nobody about a program which no sandbox would start: a home folder is what it hides. The person is
 * told once how it would run.
 */
export function refuseAtHome(approver: Approver, { atHome, programs, warn }: HomePorts): Approver {
  if (!atHome) return approver;
  let told = false;
  return {
    decide: async (request, how) => {
      const starts = request.action === 'run_script' || programs.includes(request.tool);
      if (!starts || request.confinement === undefined) return approver.decide(request, how);
      if (!told) warn(`${reason} Work in a folder of its own, or say --sandbox off: then it can do what you can.`);
      told = true;
      return { kind: 'denied', reason, by: 'the sandbox' };
    },
  };
}

const reason = 'No program is run in your home folder: a sandbox hides what lies there.';
