import type { FilledSandboxLimits } from './sandbox-limits.js';

/** The words between `prlimit` and a program that keep it, and each process that it starts, to limits. */
export function limitArguments({ processes, memory, fileBytes, cpuSeconds }: FilledSandboxLimits): readonly string[] {
  return [
    `--nproc=${processes}:${processes}`,
    `--as=${memory}:${memory}`,
    `--fsize=${fileBytes}:${fileBytes}`,
    // Behind the last second there is one for a program that would end by itself.
    `--cpu=${cpuSeconds}:${cpuSeconds + 1}`,
    '--core=0:0',
    '--',
  ];
}
