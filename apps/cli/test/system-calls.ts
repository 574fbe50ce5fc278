import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { SkillsRun, World } from './run-skills.js';

/** Whether processes can be traced here, and faults be injected: on Linux, with strace, where ptrace is allowed. */
export const tracing = process.platform === 'linux' && spawnSync('strace', ['true']).status === 0;

/** Every call by which a process changes a file system. Of `openat` and the writes, those on other files do not count. */
const mutating = [
  ['creat', 'openat', 'mkdir', 'mkdirat', 'link', 'linkat', 'symlink', 'symlinkat', 'mknod', 'mknodat'],
  ['write', 'pwrite64', 'writev', 'pwritev', 'pwritev2', 'copy_file_range', 'sendfile', 'splice', 'fallocate'],
  ['truncate', 'ftruncate', 'chmod', 'fchmod', 'fchmodat', 'fchmodat2', 'chown', 'fchown', 'fchownat', 'lchown'],
  ['utime', 'utimes', 'utimensat', 'futimesat', 'setxattr', 'fsetxattr', 'rename', 'renameat', 'renameat2'],
  ['unlink', 'unlinkat', 'rmdir', 'fsync', 'fdatasync', 'sync', 'syncfs', 'sync_file_range'],
].flat();

/** One system call at which something is done to a process: the `when`-th of its kind in one of its threads. */
export interface CallPoint {
  readonly call: string;
  readonly when: number;
}

/** What is done at a system call. */
export type Injection = CallPoint & {
  /** In strace's words: `signal=KILL`, `error=EIO`. */
  readonly fault: string;
};

/** How a traced command is run. */
export interface TraceOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** At most one a system call. */
  readonly inject?: readonly Injection[];
}

/** A traced run. */
export interface TracedRun extends SkillsRun {
  /** Calls that change what lies in the world's folder, in the order they were made, each once. */
  readonly points: readonly CallPoint[];
  /** Whether something was done at a call on other files, or on none: threads make calls of their own. */
  readonly astray: boolean;
}

/** Runs the command under strace, with one thread for what libuv does beside. */
export async function runTraced(
  world: World,
  words: readonly string[],
  { env = {}, inject = [] }: TraceOptions = {},
): Promise<TracedRun> {
  const log = world.path('strace.log');
  const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const variables = Object.entries({ ...env, UV_THREADPOOL_SIZE: '1' }).map(
    ([name, value]) => `${name}=${quoted(value)}`,
  );
  const injections = inject.flatMap(({ call, when, fault }) => ['-e', `inject=${call}:${fault}:when=${when}`]);
  const options = [
    '-f',
    '-y',
    '-qq',
    '-s',
    '256',
    '-e',
    `trace=${mutating.map((call) => `?${call}`).join(',')}`,
    '-e',
    'signal=none',
    ...injections,
  ];
  const line = [...options, '-o', log].map(quoted).join(' ');
  const run = await world.runShell(
    `${variables.join(' ')} exec strace ${line} "$NODE" "$SKILLS" ${words.map(quoted).join(' ')}`,
  );
  return { ...run, ...pointsOf(readFileSync(log, 'utf8'), world.path()) };
}

function pointsOf(log: string, folder: string): Pick<TracedRun, 'points' | 'astray'> {
  const counts = new Map<string, number>();
  const points = new Map<string, CallPoint>();
  for (const [, thread = '', call = '', args = ''] of log.matchAll(/^(\d+) +(\w+)\((.*)$/gmu)) {
    const when = (counts.get(`${thread} ${call}`) ?? 0) + 1;
    counts.set(`${thread} ${call}`, when);
    if (!changes(call, args, folder)) continue;
    points.set(`${call} ${when}`, { call, when });
  }
  const injected = [...log.matchAll(/^\d+ +(\w+)\((.*)\(INJECTED\)$/gmu)];
  return {
    points: [...points.values()],
    astray: injected.some(([, call = '', args = '']) => !changes(call, args, folder)),
  };
}

function changes(call: string, args: string, folder: string): boolean {
  // strace writes the working folder beside AT_FDCWD, which says nothing about the file.
  // What is written may speak of the folder, as what a command prints does.
  const where = /^p?write/u.test(call) ? args.replace(/>, .*$/u, '') : args.replaceAll(/AT_FDCWD<[^>]*>/gu, '');
  if (!where.includes(folder)) return call === 'sync';
  return call !== 'openat' || /O_CREAT|O_TRUNC|O_WRONLY|O_RDWR/u.test(args);
}
