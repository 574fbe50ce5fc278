import { readFileSync } from 'node:fs';
import { SkillsError } from '@skillpack/core';
import { createArchiveReader } from '../../src/index.js';

/** What {@link measureOpen} prints, as JSON. */
export interface Measurement {
  readonly outcome: string;
  /** For open() alone. */
  readonly milliseconds: number;
  /** Of the whole process, in MiB. */
  readonly maxRss: number;
  readonly bytes: number;
}

/** Opens an archive, reads all of it, and says what that took. Runs in a process of its own. */
export async function measureOpen(path: string): Promise<Measurement> {
  const archive = readFileSync(path);
  const start = performance.now();
  let milliseconds = Number.NaN;
  let outcome = 'accepted';
  let bytes = 0;
  try {
    const opened = await createArchiveReader().open(archive);
    milliseconds = performance.now() - start;
    for await (const { chunks } of opened.contents()) for await (const chunk of chunks) bytes += chunk.length;
  } catch (error) {
    milliseconds = performance.now() - start;
    outcome = SkillsError.is(error) ? String(error.data['reason']) : String(error);
  }
  return { outcome, milliseconds, maxRss: maxRss(), bytes };
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
