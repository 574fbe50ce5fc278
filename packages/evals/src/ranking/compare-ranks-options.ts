import { expectOptions, SkillsError } from '@skillpack/core';
import type { CompareOptions } from '../gate/compare-options.js';
import { gateSettings } from '../gate/gate-settings.js';
import type { GateSettings } from '../gate/judge-difference.js';

/** How ranks are compared. */
export interface CompareRanksOptions extends Omit<CompareOptions, 'deterministic'> {
  /**
   * Of the requests that want a skill, the share that it may lose, those that it won taken off; 0 to 1, and 1 for any number.
   * A search answers the same each time: what is lost is no matter of chance, however few requests there are.
   *
   * @default 0.1
   */
  readonly maxLost?: number | undefined;
}

const optionNames: Readonly<Record<keyof CompareRanksOptions, true>> = {
  alpha: true,
  power: true,
  margin: true,
  seed: true,
  maxLost: true,
};

/** The options with their defaults. @throws `USAGE` for options that cannot be. */
export function rankSettings(options: CompareRanksOptions): GateSettings & { readonly maxLost: number } {
  expectOptions(options, { of: 'compareRanks', names: optionNames });
  const { maxLost = 0.1, ...others } = options;
  // What JavaScript may hand in.
  const given: unknown = maxLost;
  if (typeof given !== 'number' || !(given >= 0 && given <= 1)) {
    const told = typeof given === 'number' ? String(given) : `of the type ${typeof given}`;
    throw new SkillsError('USAGE', `maxLost of compareRanks is ${told}. A share from 0 to 1 was expected.`, {
      hint: 'Write 0.1 for 10 %.',
    });
  }
  return { ...gateSettings(others, 'compareRanks'), maxLost };
}
