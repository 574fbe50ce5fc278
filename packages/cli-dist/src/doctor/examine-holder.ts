import { readText } from '../disk/read-text.js';
import { holderOf } from '../root/root-lock.js';
import type { RootPaths } from '../root/root-paths.js';
import type { Symptom } from './symptom.js';

/** Looks whether a process is changing the root right now, or was stopped while it did. */
export async function examineHolder(paths: RootPaths): Promise<readonly Symptom[]> {
  const holder = await holderOf(paths);
  if (holder === undefined) return [];
  const { pid } = holder;
  const who = pid === undefined ? 'Another process' : `Process ${pid}`;
  const stopped = pid !== undefined && isStopped(pid);
  return [
    {
      kind: 'busy',
      subject: paths.skillsDir,
      message: stopped ? `${who} was stopped while it was changing the root.` : `${who} is changing the root.`,
      advice: stopped
        ? 'Let it go on (`fg`, `kill -CONT`) or end it: what it began is then finished or undone.'
        : 'Run it again when it has ended; what it does is not whole yet.',
    },
  ];
}

/** Whether a process is stopped, as far as the system tells (Linux). */
function isStopped(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  const stat = readText(`/proc/${pid}/stat`, 4096) ?? '';
  // The name before it may hold anything, brackets too.
  return /^\) [Tt]/u.test(stat.slice(stat.lastIndexOf(')')));
}
