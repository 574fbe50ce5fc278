import { quoted } from './quoted.js';
import { SkillsError } from './skills-error.js';
import { suggestNames } from './suggest-names.js';

/** What options are for, and the names that they have. */
export interface ExpectedOptions<Options extends object> {
  /** The function that takes them. */
  readonly of: string;
  /** Every name there is. */
  readonly names: Readonly<Record<keyof Options, unknown>>;
}

/**
 * Looks whether options have names that are known: a misspelt one would count for nothing, and leave open what it was to close.
 *
 * @throws `USAGE` for what is no object and for a name that no option has, with the nearest that one has.
 */
export function expectOptions<Options extends object>(options: Options, { of, names }: ExpectedOptions<Options>): void {
  // JavaScript gives anything.
  const given: unknown = options;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new SkillsError('USAGE', `The options of ${of} are no object.`);
  }
  // Inherited ones, too: they are read as well.
  for (const name in given) {
    if (Object.hasOwn(names, name)) continue;
    const near = suggestNames(name, Object.keys(names));
    throw new SkillsError('USAGE', `${of} has no option ${quoted(name, 100)}.`, {
      hint: `There is ${near.join(', ')}. One that is misspelt would count for nothing.`,
      data: { option: name.slice(0, 100), near },
    });
  }
}
