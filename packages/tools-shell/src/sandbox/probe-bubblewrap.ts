import { readFileSync } from 'node:fs';
import { findTrustedProgram } from '../process/find-trusted-program.js';
import { createBubblewrap } from './bubblewrap.js';
import { explainRefusal } from './explain-refusal.js';
import { limitProcessCount } from './process-count.js';
import { probeExits, processProbe, tryInSandbox, type ProbeSurroundings, type SandboxProbe } from './probe-sandbox.js';
import { abilityWords } from './sandbox-abilities.js';

/** Whether bubblewrap works here; and whether the number of processes is limited with it, or how it can be. */
export async function probeBubblewrap(surroundings: ProbeSurroundings): Promise<SandboxProbe> {
  if (process.platform !== 'linux') return { problem: 'bubblewrap is for Linux only.' };
  const [bwrap, prlimit, sh] = ['bwrap', 'prlimit', 'sh'].map((name) => findTrustedProgram(name, surroundings));
  if (bwrap === undefined) {
    return { problem: 'bubblewrap is not installed: there is no bwrap on the PATH. Install the package bubblewrap.' };
  }
  if (prlimit === undefined || sh === undefined) {
    return { problem: 'prlimit or sh is not on the PATH. Install the package util-linux.' };
  }
  const { limits } = surroundings;
  const make = (counted: boolean, leaves: readonly string[]) =>
    createBubblewrap({ bwrap, prlimit, sh }, { limits, counted, leaves });
  const plain = make(false, []);
  const { exitCode, said } = await tryInSandbox(plain, processProbe({ sh, prlimit }), surroundings);
  if (exitCode === probeExits.limited) return plain;
  if (exitCode !== probeExits.unlimited) return { problem: explainRefusal(said, namespaceSettings()) };
  const group = limitProcessCount(limits.processes);
  await group?.[Symbol.asyncDispose]();
  return group === undefined ? make(false, abilityWords(['fork-bomb'])) : make(true, []);
}

function namespaceSettings() {
  return {
    apparmor: setting('kernel/apparmor_restrict_unprivileged_userns'),
    clone: setting('kernel/unprivileged_userns_clone'),
    most: setting('user/max_user_namespaces'),
  };
}

function setting(name: string): string | undefined {
  try {
    return readFileSync(`/proc/sys/${name}`, 'utf8').trim();
  } catch {
    return undefined;
  }
}
