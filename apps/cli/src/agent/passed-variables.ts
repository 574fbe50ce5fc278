import { quoted, SkillsError } from '@skillpack/core';

/** Whose variables are passed on, and who is told. */
export interface VariablePorts {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly warn: (message: string) => void;
}

/**
 * The variables of the environment that scripts are handed: those of `--env` and of the settings, by their whole names.
 * One that is not set is told of.
 *
 * @throws `USAGE` for what is no name.
 */
export function passedVariables(
  flag: string | undefined,
  configured: readonly string[],
  { environment, warn }: VariablePorts,
): readonly string[] {
  const asked = flag === undefined ? [] : flag.split(',').map((name) => name.trim());
  const names = [...new Set([...configured, ...asked])];
  for (const name of names) {
    if (/^[A-Za-z_][A-Za-z0-9_]*$/u.test(name)) continue;
    throw new SkillsError('USAGE', `${quoted(name)} is no name of a variable of the environment.`, {
      hint: 'Name each with --env: letters, digits and _. A pattern is none.',
      data: { value: name },
    });
  }
  for (const name of asked) if (environment[name] === undefined) warn(`${name} is not set: scripts do not get it.`);
  return names.filter((name) => environment[name] !== undefined);
}
