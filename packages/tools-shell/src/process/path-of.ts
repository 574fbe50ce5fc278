import type { Environment } from './script-environment.js';

/** The PATH of an environment, whatever case its name has. */
export function pathOf(environment: Environment): string | undefined {
  return Object.entries(environment).find(([name]) => name.toUpperCase() === 'PATH')?.[1];
}
