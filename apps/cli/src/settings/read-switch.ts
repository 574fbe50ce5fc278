import { quoted, SkillsError } from '@skillpack/core';
import { filled } from './places.js';

/** A variable that is 1 or 0; `undefined` where it is not set. @throws `INVALID_CONFIG` for what is neither. */
export function readSwitch(env: NodeJS.ProcessEnv, name: string): boolean | undefined {
  const value = filled(env[name])?.trim().toLowerCase();
  if (value === undefined) return undefined;
  if (['0', 'false', 'no', 'off'].includes(value)) return false;
  if (['1', 'true', 'yes', 'on'].includes(value)) return true;
  throw new SkillsError('INVALID_CONFIG', `${name} is ${quoted(value)}; expected 1 or 0.`, { data: { name, value } });
}
