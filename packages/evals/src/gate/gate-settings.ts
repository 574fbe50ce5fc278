import { expectOptions, SkillsError } from '@skillpack/core';
import type { CompareOptions } from './compare-options.js';
import type { GateSettings } from './judge-difference.js';

const optionNames: Readonly<Record<keyof CompareOptions, true>> = {
  alpha: true,
  power: true,
  margin: true,
  seed: true,
  deterministic: true,
};

/** The options with their defaults. @throws `USAGE` for options that cannot be. */
export function gateSettings(options: CompareOptions, of: string): GateSettings {
  expectOptions(options, { of, names: optionNames });
  const { alpha = 0.05, power = 0.8, margin = 0.05, seed = 1 } = options;
  for (const [name, value] of Object.entries({ alpha, power, margin } as Readonly<Record<string, unknown>>)) {
    if (typeof value === 'number' && value > 0 && value < 1) continue;
    const told = typeof value === 'number' ? String(value) : `of the type ${typeof value}`;
    throw new SkillsError('USAGE', `${name} of ${of} is ${told}. A number between 0 and 1 was expected.`);
  }
  expectSeed(seed, of);
  // What JavaScript may hand in.
  const decides: unknown = options.deterministic;
  if (decides !== undefined && typeof decides !== 'function')
    throw new SkillsError(
      'USAGE',
      `deterministic of ${of} is of the type ${typeof decides}. A function was expected that says it of the name of a model.`,
    );
  return { alpha, power, margin, seed };
}

/** @throws `USAGE` for a seed that is none. */
export function expectSeed(seed: number, of: string): void {
  if (Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32) return;
  throw new SkillsError('USAGE', `seed of ${of} is ${seed}. A whole number from 0 below 2^32 was expected.`);
}
