import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { visibleText } from '@skillpack/core';
import { findTrustedProgram, trustedFolders } from '../process/find-trusted-program.js';
import { limitProcessCount } from './process-count.js';
import { probeExits, processProbe, tryInSandbox, type ProbeSurroundings, type SandboxProbe } from './probe-sandbox.js';
import { abilityWords, type SandboxAbilityId } from './sandbox-abilities.js';
import { createSandboxRuntime } from './sandbox-runtime.js';

const longest = 300;
/** It shows the machine as it is but for what is named, and leaves most calls of the kernel as they are. */
const always: readonly SandboxAbilityId[] = [
  'other-processes',
  'nested-namespaces',
  'memory',
  'disk',
  'setuid',
  'kernel-interfaces',
];
/** Elsewhere than on Linux nothing is counted. */
const uncounted: readonly SandboxAbilityId[] = ['fork-bomb', 'cpu'];

/** Whether `@anthropic-ai/sandbox-runtime` is installed beside this package, and works here. */
export async function probeSandboxRuntime(surroundings: ProbeSurroundings): Promise<SandboxProbe> {
  const linux = process.platform === 'linux';
  if (!linux && process.platform !== 'darwin') return { problem: 'sandbox-runtime is for Linux and macOS only.' };
  const command = findCommand();
  if (command === undefined) {
    return {
      problem:
        'sandbox-runtime is not installed: there is no package @anthropic-ai/sandbox-runtime beside this program.',
    };
  }
  const needed = linux ? ['sh', 'bwrap', 'socat', 'rg', 'prlimit'] : ['sh'];
  const missing = needed.filter((name) => findTrustedProgram(name, surroundings) === undefined);
  if (missing.length > 0) {
    return {
      problem: `sandbox-runtime needs ${missing.join(', ')}, which ${missing.length === 1 ? 'is' : 'are'} not on the PATH.`,
    };
  }
  const [sh = '/bin/sh', prlimit] = ['sh', 'prlimit'].map((name) => findTrustedProgram(name, surroundings));
  const make = (counted: boolean, leaves: readonly SandboxAbilityId[]) => {
    const options = { limits: surroundings.limits, counted, leaves: abilityWords(leaves) };
    const path = trustedFolders(surroundings).join(delimiter);
    return createSandboxRuntime({ command, sh, path, prlimit: linux ? prlimit : undefined }, options);
  };
  const plain = make(false, linux ? always : [...always, ...uncounted]);
  const { exitCode, said } = await tryInSandbox(plain, processProbe({ sh, prlimit }), surroundings);
  if (exitCode === probeExits.limited || (exitCode === probeExits.unlimited && !linux)) return plain;
  if (exitCode !== probeExits.unlimited) {
    const told = visibleText(said.trim()).slice(0, longest);
    return { problem: `sandbox-runtime does not start anything here. It says: ${told}` };
  }
  const group = limitProcessCount(surroundings.limits.processes);
  await group?.[Symbol.asyncDispose]();
  return group === undefined ? make(false, [...always, 'fork-bomb']) : make(true, always);
}

/** The command of the package, which lies where Node.js finds packages for this one. */
function findCommand(): string | undefined {
  try {
    const entry = createRequire(import.meta.url).resolve('@anthropic-ai/sandbox-runtime');
    const command = join(dirname(entry), 'cli.js');
    return existsSync(command) ? command : undefined;
  } catch {
    return undefined;
  }
}
