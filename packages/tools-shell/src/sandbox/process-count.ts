import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A group of processes of which there are never more than so many: whatever they start is in it. */
export interface ProcessCount extends AsyncDisposable {
  /** A process that writes `0` there is in it. */
  readonly joinedBy: string;
}

const root = '/sys/fs/cgroup';
const rounds = 50;
const pause = 10;

/**
 * Makes one, as Linux lets root: the limit of a user's processes does not count those of root.
 *
 * @returns `undefined` where none can be made, as in most containers.
 */
export function limitProcessCount(most: number): ProcessCount | undefined {
  for (const parent of parents()) {
    removeStale(parent);
    const folder = join(parent, `skillpack-${process.pid}-${randomUUID()}`);
    if (make(folder, most)) {
      return {
        joinedBy: join(folder, 'cgroup.procs'),
        [Symbol.asyncDispose]: async () => removeGroup(folder),
      };
    }
  }
  return undefined;
}

/** The groups in which one could be made: that of this process, and those around it. */
function parents(): readonly string[] {
  const own = readGroups();
  const first = own.find(([names]) => names.split(',').includes('pids')) ?? own.find(([names]) => names === '');
  if (first === undefined) return [];
  const [names, path] = first;
  const base = names === '' ? unifiedRoot() : join(root, names);
  const found: string[] = [];
  for (let next = join(base, path); next.startsWith(base); next = dirname(next)) found.push(next);
  return found;
}

function unifiedRoot(): string {
  return existsSync(join(root, 'cgroup.controllers')) ? root : join(root, 'unified');
}

function readGroups(): readonly (readonly [controllers: string, path: string])[] {
  try {
    return readFileSync('/proc/self/cgroup', 'utf8')
      .trim()
      .split('\n')
      .map((line) => {
        const [, controllers = '', ...path] = line.split(':');
        return [controllers, path.join(':')];
      });
  } catch {
    return [];
  }
}

function make(folder: string, most: number): boolean {
  try {
    mkdirSync(folder);
  } catch {
    return false;
  }
  try {
    // It is there only where this kind of limit is handed on. No file is made by writing to it.
    if (!existsSync(join(folder, 'pids.max'))) throw new Error('no limit of processes here');
    writeFileSync(join(folder, 'pids.max'), String(most));
    return true;
  } catch {
    rmdirSync(folder);
    return false;
  }
}

/** A process that was killed leaves its groups behind. One that still holds somebody does not go. */
function removeStale(parent: string): void {
  try {
    for (const name of readdirSync(parent)) {
      const pid = /^skillpack-(\d{1,10})-/u.exec(name)?.[1];
      if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmdirSync(join(parent, name));
    }
  } catch {
    // The next one tries again.
  }
}

/** Those who were killed leave it a moment later. */
async function removeGroup(folder: string): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    try {
      rmdirSync(folder);
      return;
    } catch {
      await sleep(pause);
    }
  }
}
