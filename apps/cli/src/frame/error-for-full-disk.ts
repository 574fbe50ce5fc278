import { statSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { SkillsError } from '@skillpack/core';
import type { App } from '../app.js';
import { formatBytes } from './progress-line.js';

/**
 * What to do about a disk that is full: where the cache lies on it, how much of it that is, and how to have it elsewhere,
 * since a cache that is emptied is filled again by what is fetched. A run of which there is a record goes on from there: to
 * run it again would do again what is done. Any other error comes back as it is.
 */
export async function errorForFullDisk(
  error: unknown,
  app: Pick<App, 'skillPlaces' | 'store' | 'runsDir' | 'words'>,
): Promise<unknown> {
  if (!SkillsError.is(error, 'IO_ERROR')) return error;
  const { message, cause, data } = error;
  const { errno, path } = data;
  if ((errno !== 'ENOSPC' && errno !== 'EDQUOT') || typeof path !== 'string') return error;
  try {
    const resuming = await commandToResume(path, app);
    if (resuming !== undefined) {
      const hint = `Free some space on that disk, then go on with the run: \`${resuming}\``;
      return new SkillsError('IO_ERROR', message, { hint, cause, data });
    }
    const { cacheDir } = await app.skillPlaces();
    if (deviceOf(path) !== deviceOf(cacheDir)) {
      return new SkillsError('IO_ERROR', message, {
        hint: 'Free some space on that disk, then run it again.',
        cause,
        data,
      });
    }
    const { bytes, unfinished } = await (await app.store({ cacheDir })).info();
    const held = bytes + unfinished.bytes;
    const there = `the cache, which lies on it too, is ${cacheDir}`;
    const freed = held === 0 ? '' : `: \`skills cache clean\` frees ${formatBytes(held)}`;
    const hint =
      `Free some space on that disk, then run it again; ${there}${freed}. What is fetched is kept there again, so where ` +
      'there is no room for both, set SKILLS_CACHE to a folder on another disk.';
    return new SkillsError('IO_ERROR', message, { hint, cause, data });
  } catch {
    // The disk fails in another way, too: what was said of it stands.
    return error;
  }
}

/** The command that goes on with the run whose record has that path; `undefined` where it is none, or nothing was asked. */
async function commandToResume(
  path: string,
  { runsDir, words }: Pick<App, 'runsDir' | 'words'>,
): Promise<string | undefined> {
  if (runsDir === undefined || !path.startsWith(`${runsDir}${sep}`)) return undefined;
  const [id = ''] = path.slice(runsDir.length + 1).split(sep);
  const { commandToResumeRecord } = await import('../adapters/resume-record.js');
  return commandToResumeRecord({ runsDir, id }, words);
}

/** The disk that a path lies, or would lie, on. */
function deviceOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  const parent = dirname(path);
  return stats === undefined && parent !== path ? deviceOf(parent) : (stats?.dev ?? 0);
}
