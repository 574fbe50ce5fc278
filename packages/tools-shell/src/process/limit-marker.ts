import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * A limit that the processes of a run have, and no others. Linux has one that limits nothing, of locks: every process
 * inherits it, whatever it does with its variables, its title and its parents, and only who sets that very limit leaves it.
 */
export interface LimitMarker {
  /** The program that sets it and then becomes the one it is given: `prlimit`, absolute. */
  readonly program: string;
  readonly value: number;
}

/** `randomInt` takes no wider range. */
const most = 2 ** 47;
/** Fewer values would be guessed, or met. */
const least = 2 ** 20;
const works = new Map<string, boolean>();

/** A limit for one run; `undefined` where none can be set, or there is no `prlimit`. */
export function makeLimitMarker(program: string | undefined): LimitMarker | undefined {
  if (process.platform !== 'linux') return undefined;
  // Within a run it can be lowered only.
  const upper = Math.min(limitOf('self') ?? 0, most);
  if (program === undefined || upper < least) return undefined;
  const value = randomInt(Math.floor(upper / 2), upper);
  if (!works.has(program)) works.set(program, sets({ program, value }));
  return works.get(program) === true ? { program, value } : undefined;
}

/** The words before a program that give it the limit. */
export function limited({ program, value }: LimitMarker): readonly [string, string] {
  return [program, `--locks=${value}:${value}`];
}

/** The limit of a process; `Infinity` for none, `undefined` where the process is gone. */
export function limitOf(pid: number | 'self'): number | undefined {
  try {
    const hard = /^Max file locks +\S+ +(\S+)/mu.exec(readFileSync(`/proc/${pid}/limits`, 'latin1'))?.[1];
    return hard === 'unlimited' ? Infinity : Number(hard);
  } catch {
    return undefined;
  }
}

/** Some sandboxes refuse it. */
function sets(marker: LimitMarker): boolean {
  const [program, option] = limited(marker);
  return spawnSync(program, [option, program, '--version'], { env: {}, stdio: 'ignore' }).status === 0;
}
