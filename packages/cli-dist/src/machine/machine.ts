import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** What packs may require of the machine they run on. */
export interface Machine {
  /** As Node's `process.platform`. */
  readonly platform: string;
  /** Whether a program of this name is on the PATH. */
  hasProgram(name: string): boolean;
  /** Whether an environment variable is set and not empty. */
  hasVariable(name: string): boolean;
}

/** The facts a machine is described from. */
export interface MachineFacts {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** This machine, by its platform and environment: `describeMachine({ platform: process.platform, env: process.env })`. */
export function describeMachine({ platform, env }: MachineFacts): Machine {
  const windows = platform === 'win32';
  const variable = (name: string): string | undefined => {
    // Windows does not tell upper from lower case here.
    const key = windows ? Object.keys(env).find((other) => other.toUpperCase() === name.toUpperCase()) : name;
    return key === undefined ? undefined : env[key];
  };
  const endings = windows ? ['', ...(variable('PATHEXT') ?? '.EXE;.CMD;.BAT').split(';')] : [''];
  const folders = (variable('PATH') ?? '').split(delimiter).filter((folder) => folder !== '');
  return {
    platform,
    // A name with a separator would look outside of the PATH.
    hasProgram: (name) =>
      !/[\\/]/u.test(name) &&
      folders.some((folder) => endings.some((ending) => existsSync(join(folder, name + ending)))),
    hasVariable: (name) => (variable(name) ?? '') !== '',
  };
}
