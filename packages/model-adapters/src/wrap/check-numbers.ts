import { quoted, SkillsError } from '@skillpack/core';

/** @throws `USAGE` for an option that is given and not a number, or less than it may be. */
export function checkNumbers(options: Readonly<Record<string, number | undefined>>, least: number): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || (typeof value === 'number' && value >= least)) continue;
    throw new SkillsError('USAGE', `The option ${name} is ${shown(value)}; expected a number of at least ${least}.`);
  }
}

/** JavaScript gives anything. */
function shown(value: unknown): string {
  return typeof value === 'string' ? quoted(value, 60) : String(value);
}
