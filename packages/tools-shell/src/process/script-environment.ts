import { delimiter } from 'node:path';
import { createRedactor } from '@skillpack/core';
import { programFolders } from './find-program.js';

/** The variables of a process, by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What a script is given besides what everyone is. */
export interface ScriptEnvironmentOptions {
  /** Further variables that are passed on, by name. */
  readonly variables: readonly string[];
  /** Variables that are set. */
  readonly set: Readonly<Record<string, string>>;
  /** A folder of its own, in which it may leave what it likes. */
  readonly folder: string;
  /** Found in every process that the script starts and that does not hide it. */
  readonly marker: string;
}

/** The variable by which the processes of a run are found. */
export const markerName = 'SKILLPACK_RUN';

/** No variable of these names is one of language or time. */
const secretName = /token|secret|passw|credential|api_?key|(?:^|_)key$/iu;
const withoutSecrets = createRedactor();

const passedOn = /^(?:PATH|LANG|LANGUAGE|LC_[A-Z_]{1,32}|TZ|SYSTEMROOT|SYSTEMDRIVE|WINDIR|PATHEXT|COMSPEC)$/iu;

/**
 * The variables of a script: few of ours, by name, so that no token is among them unless it was named; nor is one that is
 * called as a secret is, or looks like one. Its home and its temporary folder are its own.
 */
export function scriptEnvironment(ours: Environment, options: ScriptEnvironmentOptions): Record<string, string> {
  const { variables, set, folder, marker } = options;
  const environment: Record<string, string> = {};
  const named = new Set(variables);
  const own = { HOME: folder, USERPROFILE: folder, TMPDIR: folder, TMP: folder, TEMP: folder };
  Object.assign(environment, own);
  for (const [name, value] of Object.entries(ours)) {
    if (value !== undefined && (named.has(name) || isHarmless(name, value))) environment[name] = value;
  }
  for (const name of Object.keys(environment)) {
    if (name.toUpperCase() === 'PATH') environment[name] = programFolders(environment[name]).join(delimiter);
  }
  return {
    ...environment,
    TERM: 'dumb',
    // What Python compiles would lie in the skill's folder, which then is not what was installed any more.
    PYTHONDONTWRITEBYTECODE: '1',
    ...set,
    // A script may run an agent that runs scripts: what those start is found under either.
    [markerName]: [...(ours[markerName]?.split(',') ?? []), marker].join(','),
  };
}

function isHarmless(name: string, value: string): boolean {
  return passedOn.test(name) && !secretName.test(name) && withoutSecrets(value) === value;
}
