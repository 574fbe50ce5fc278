import { expectOptions } from '@skillpack/core';
import { expectWholeNumber } from '../expect-whole-number.js';
import type { SandboxLimits } from './sandbox.js';

const MiB = 1024 * 1024;

/** Limits, each of them a number. */
export type FilledSandboxLimits = Readonly<Record<keyof SandboxLimits, number>>;

const names: Readonly<Record<keyof SandboxLimits, true>> = {
  processes: true,
  memory: true,
  fileBytes: true,
  diskBytes: true,
  temporaryBytes: true,
  cpuSeconds: true,
};

/** @throws `USAGE` for a limit that there is not, and a number that is none. */
export function fillSandboxLimits(limits: SandboxLimits = {}): FilledSandboxLimits {
  expectOptions(limits, { of: 'The object limits', names });
  const { processes = 256, memory = 4096 * MiB, fileBytes = 1024 * MiB, temporaryBytes = 256 * MiB } = limits;
  const { cpuSeconds = 300, diskBytes = 8192 * MiB } = limits;
  const most = Number.MAX_SAFE_INTEGER;
  return {
    processes: expectWholeNumber(processes, { name: 'processes', least: 4, most: 1_000_000 }),
    memory: expectWholeNumber(memory, { name: 'memory', least: 64 * MiB, most }),
    fileBytes: expectWholeNumber(fileBytes, { name: 'fileBytes', least: 0, most }),
    diskBytes: expectWholeNumber(diskBytes, { name: 'diskBytes', least: MiB, most }),
    temporaryBytes: expectWholeNumber(temporaryBytes, { name: 'temporaryBytes', least: MiB, most }),
    cpuSeconds: expectWholeNumber(cpuSeconds, { name: 'cpuSeconds', least: 1, most: 1_000_000_000 }),
  };
}
