import { readFileSync, writeFileSync } from 'node:fs';
import { SkillsError } from '@skillpack/core';
import { createArchiveReader } from '../../src/index.js';

/** What {@link measureOpen} prints, as JSON. */
export interface Measurement {
  readonly outcome: string;
  /** Of a processor, for open() alone: how long it takes on a machine that does nothing else. */
  readonly milliseconds: number;
  /** Of the whole process, in MiB. */
  readonly maxRss: number;
  readonly bytes: number;
}

/** Opens an archive, reads all of it, and says what that took. Runs in a process of its own. */
export async function measureOpen(path: string): Promise<Measurement> {
  const archive = readFileSync(path);
  const start = process.cpuUsage();
  let milliseconds = Number.NaN;
  let outcome = 'accepted';
  let bytes = 0;
  try {
    const opened = await createArchiveReader().open(archive);
    milliseconds = since(start);
    for await (const { chunks } of opened.contents()) for await (const chunk of chunks) bytes += chunk.length;
  } catch (error) {
    milliseconds = since(start);
    outcome = SkillsError.is(error) ? String(error.data['reason']) : String(error);
  }
  return { outcome, milliseconds, maxRss: maxRss(), bytes };
}

/** As {@link measureOpen}, of several archives in one process; on Linux each has a high-water mark of its own. */
export async function measureEach(paths: readonly string[]): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  for (const path of paths) {
    globalThis.gc?.();
    forgetHighWaterMark();
    measurements.push(await measureOpen(path));
  }
  return measurements;
}

function forgetHighWaterMark(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // No such file: not Linux. The mark is then that of the process.
  }
}

function since(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** On Linux, a process inherits the maximum of the one that started it; the high-water mark of its memory is its own. */
function maxRss(): number {
  try {
    const mark = /^VmHWM:\s+(?<kib>\d+) kB$/mu.exec(readFileSync('/proc/self/status', 'latin1'))?.groups?.['kib'];
    if (mark !== undefined) return Number(mark) / 1024;
  } catch {
    // No /proc: not Linux.
  }
  return process.resourceUsage().maxRSS / 1024;
}
