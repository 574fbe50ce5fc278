import { readdirSync, readFileSync } from 'node:fs';

const closesOnStart = 0o2000000;

/**
 * Linux: descriptors that this process was given by the one that started it, and would hand on to whatever it starts. By
 * one of a folder, a program would leave whatever it is confined to.
 *
 * @param from the lowest that counts.
 */
export function inheritedDescriptors(from: number): readonly number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc/self/fd')
    .map(Number)
    .filter((descriptor) => descriptor >= from && staysOpen(descriptor));
}

function staysOpen(descriptor: number): boolean {
  try {
    const flags = /^flags:\s+([0-7]+)$/mu.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'))?.[1];
    return (Number.parseInt(flags ?? '0', 8) & closesOnStart) === 0;
  } catch {
    // It was closed meanwhile: the one by which they were listed, for one.
    return false;
  }
}
