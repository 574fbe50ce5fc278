import { readFileSync } from 'node:fs';
import type { FilledSandboxLimits } from './sandbox-limits.js';

/** What the kernel keeps of an open file counts as nobody's memory. */
const mostOpenFiles = 4096;

/** The words between `prlimit` and a program that keep it, and each process that it starts, to limits. */
export function limitArguments({ processes, memory, fileBytes, cpuSeconds }: FilledSandboxLimits): readonly string[] {
  return [
    `--nproc=${processes}:${processes}`,
    `--as=${memory}:${memory}`,
    `--fsize=${fileBytes}:${fileBytes}`,
    // Behind the last second there is one for a program that would end by itself.
    `--cpu=${cpuSeconds}:${cpuSeconds + 1}`,
    `--nofile=${openFiles()}:${openFiles()}`,
    '--core=0:0',
    '--',
  ];
}

/** Who has less of it cannot be given more. */
function openFiles(): number {
  const hard = /^Max open files +\S+ +(\d+)/mu.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1];
  return Math.min(mostOpenFiles, Number(hard ?? mostOpenFiles));
}
