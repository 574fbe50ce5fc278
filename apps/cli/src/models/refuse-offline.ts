import { quoted, SkillsError } from '@skillpack/core';
import { readSwitch } from '../settings/read-switch.js';

/**
 * Refuses a model that is asked over the network, where the person’s environment wants none. A server on this machine is
 * asked all the same.
 *
 * @param address of its server; `undefined` where nobody knows it.
 * @throws `OFFLINE`; `INVALID_CONFIG` for a switch that is neither 1 nor 0.
 */
export function refuseOffline(name: string, address: string | undefined, env: NodeJS.ProcessEnv): void {
  if (readSwitch(env, 'SKILLS_OFFLINE') !== true) return;
  if (address !== undefined && isThisMachine(new URL(address).hostname)) return;
  throw new SkillsError(
    'OFFLINE',
    `The model ${quoted(name)} is asked over the network, and SKILLS_OFFLINE wants none.`,
    {
      hint: 'Play a recording by --model recorded:<file>, ask a server on this machine, or leave SKILLS_OFFLINE out.',
      data: { model: name },
    },
  );
}

/** By its name or its number (RFC 6761, RFC 1122, RFC 4291). */
export function isThisMachine(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/u.test(hostname);
}
