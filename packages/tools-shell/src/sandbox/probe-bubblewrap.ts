import { readFileSync } from 'node:fs';
import { findTrustedProgram } from '../process/find-trusted-program.js';
import { createBubblewrap, type BubblewrapPrograms } from './bubblewrap.js';
import { ownsDevices } from './device-guard.js';
import { explainRefusal } from './explain-refusal.js';
import { limitProcessCount } from './process-count.js';
import { probeExits, processProbe, tryInSandbox, type ProbeSurroundings, type SandboxProbe } from './probe-sandbox.js';
import { abilityWords, type SandboxAbilityId } from './sandbox-abilities.js';
import { seccompFilter } from './seccomp-filter.js';

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
  if (!ownsDevices()) return probeWith({ bwrap, prlimit, sh }, [], surroundings);
  const [unshare, mount] = ['unshare', 'mount'].map((name) => findTrustedProgram(name, surroundings));
  if (unshare !== undefined && mount !== undefined) {
    const guard = { unshare, mount, sh };
    const guarded = await probeWith({ bwrap, prlimit, sh, guard }, [], surroundings);
    if (!('problem' in guarded)) return guarded;
  }
  return probeWith({ bwrap, prlimit, sh }, ['write-outside'], surroundings);
}

async function probeWith(
  programs: BubblewrapPrograms,
  left: readonly SandboxAbilityId[],
  surroundings: ProbeSurroundings,
): Promise<SandboxProbe> {
  const { limits } = surroundings;
  const leaves = [...left, ...unfiltered()];
  const make = (counted: boolean, ids: readonly SandboxAbilityId[]) =>
    createBubblewrap(programs, { limits, counted, leaves: abilityWords(ids) });
  const plain = make(false, leaves);
  const { exitCode, said } = await tryInSandbox(plain, processProbe(programs), surroundings);
  if (exitCode === probeExits.limited) return plain;
  if (exitCode !== probeExits.unlimited) return { problem: explainRefusal(said, namespaceSettings()) };
  const group = limitProcessCount(limits.processes);
  await group?.[Symbol.asyncDispose]();
  return group === undefined ? make(false, [...leaves, 'fork-bomb']) : make(true, leaves);
}

/** What is not kept from scripts on a processor whose system calls are not filtered. */
function unfiltered(): readonly SandboxAbilityId[] {
  return seccompFilter(process.arch) === undefined ? ['setuid', 'kernel-interfaces'] : [];
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
