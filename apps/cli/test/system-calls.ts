import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { SkillsRun, World } from './run-skills.js';

/** Whether processes can be traced here, and faults be injected: on Linux, with strace, where ptrace is allowed. */
export const tracing =
  process.platform === 'linux' && spawnSync('strace', ['-f', '--seccomp-bpf', 'true']).status === 0;

/** Every call by which a process changes a file system. Of `openat` and the writes, those on other files do not count. */
const mutating = [
  ['creat', 'openat', 'mkdir', 'mkdirat', 'link', 'linkat', 'symlink', 'symlinkat', 'mknod', 'mknodat'],
  ['write', 'pwrite64', 'writev', 'pwritev', 'pwritev2', 'copy_file_range', 'sendfile', 'splice', 'fallocate'],
  ['truncate', 'ftruncate', 'chmod', 'fchmod', 'fchmodat', 'fchmodat2', 'chown', 'fchown', 'fchownat', 'lchown'],
  ['utime', 'utimes', 'utimensat', 'futimesat', 'setxattr', 'fsetxattr', 'rename', 'renameat', 'renameat2'],
  ['unlink', 'unlinkat', 'rmdir', 'fsync', 'fdatasync', 'sync', 'syncfs', 'sync_file_range'],
].flat();

/** One system call at which something is done to a process: the `when`-th of some kinds in one of its threads. */
export interface CallPoint {
  readonly call: string;
  /** The kinds that are counted: its own, and another where two threads make as many calls of the one kind. */
  readonly counted: readonly string[];
  readonly when: number;
  /** What it changes. The same in every run, while its number shifts with how often the others are made. */
  readonly place: string;
}

/** What is done at a system call. */
export type Injection = CallPoint & {
  /** In strace's words: `signal=KILL`, `error=EIO`. */
  readonly fault: string;
};

/** How a traced command is run. */
export interface TraceOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly inject?: Injection;
}

/** A traced run. */
export interface TracedRun extends SkillsRun {
  /** Calls that change what lies in the world's folder, in the order they were made. */
  readonly points: readonly CallPoint[];
  /** The place that failed; or, where the process was killed, the last one of each of its threads. */
  readonly struck: readonly string[];
}

/** Runs the command under strace, with one thread for what libuv does beside. */
export async function runTraced(
  world: World,
  words: readonly string[],
  { env = {}, inject }: TraceOptions = {},
): Promise<TracedRun> {
  const log = world.path('strace.log');
  const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const variables = Object.entries({ ...env, UV_THREADPOOL_SIZE: '1' }).map(
    ([name, value]) => `${name}=${quoted(value)}`,
  );
  const kills = inject?.fault.startsWith('signal=') === true;
  const traced = kills || inject === undefined ? mutating.map((call) => `?${call}`) : inject.counted;
  const injection =
    inject === undefined ? [] : ['-e', `inject=${inject.counted.join(',')}:${inject.fault}:when=${inject.when}`];
  // So the process is stopped at the calls that are traced alone, not at each; but no signal reaches it there.
  const sparing = kills ? [] : ['--seccomp-bpf'];
  const options = ['-f', ...sparing, '-y', '-qq', '-s', '256', '-e', `trace=${traced.join(',')}`];
  const line = [...options, '-e', 'signal=none', ...injection, '-o', log].map(quoted).join(' ');
  const run = await world.runShell(
    `${variables.join(' ')} exec strace ${line} "$NODE" "$SKILLS" ${words.map(quoted).join(' ')}`,
  );
  const calls = readLog(readFileSync(log, 'utf8'), world.path());
  // Strace does not tell at which call it sent a signal. What was changed last is what counts then.
  const changes = calls.filter(({ place }) => place !== undefined);
  const lastOfEach = new Map(changes.map((call) => [call.thread, call])).values();
  const struck = run.exitCode === null ? [...lastOfEach] : calls.filter(({ injected }) => injected);
  return { ...run, points: pointsOf(calls), struck: struck.flatMap(({ place }) => place ?? []) };
}

/** A call that a thread made. */
interface TracedCall {
  readonly thread: string;
  readonly call: string;
  /** As a point has it; `undefined` when nothing in the folder is changed. */
  readonly place: string | undefined;
  readonly injected: boolean;
}

function readLog(log: string, folder: string): readonly TracedCall[] {
  const times = new Map<string, number>();
  return [...log.matchAll(/^(\d+) +(\w+)\((.*)$/gmu)].map(([, thread = '', call = '', args = '']) => {
    const changed = changedBy(call, args, folder);
    const time = (times.get(changed ?? '') ?? 0) + 1;
    times.set(changed ?? '', time);
    const place = changed === undefined ? undefined : `${changed} ${time}`;
    return { thread, call, place, injected: args.endsWith('(INJECTED)') };
  });
}

function pointsOf(calls: readonly TracedCall[]): readonly CallPoint[] {
  const kinds = [...new Set(calls.map(({ call }) => call))];
  return calls.flatMap(({ thread, call, place }, index) => {
    if (place === undefined) return [];
    const before = calls.slice(0, index);
    const countIn = (one: string, counted: readonly string[]): number =>
      before.filter((made) => made.thread === one && counted.includes(made.call)).length;
    const threads = new Set(before.map((made) => made.thread).filter((one) => one !== thread));
    // Another thread that has made as many is struck first.
    const isFirst = (counted: readonly string[]): boolean =>
      [...threads].every((other) => countIn(other, counted) <= countIn(thread, counted));
    const counted = [[call], ...kinds.map((kind) => [call, kind]), kinds].find(isFirst) ?? [call];
    return [{ call, counted, when: countIn(thread, counted) + 1, place }];
  });
}

// Ours, those of the HTTP cache, those of mkstemp(3), and the time of a backup.
const random =
  /\b\d{4}-\d\d-\d\dT[\d-]{8}Z\b|\b[0-9a-f]{16}\b|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|(?<=\/[0-9a-f]{8}\.)\w{6}$/gu;

/** What a call changes in the folder, by paths from there and without what is random in them. */
function changedBy(call: string, args: string, folder: string): string | undefined {
  if (call === 'sync') return call;
  // strace writes the working folder beside AT_FDCWD, which says nothing about the file.
  // What is written may speak of the folder, as what a command prints does.
  const where = /^p?write/u.test(call) ? args.replace(/>, .*$/u, '>') : args.replaceAll(/AT_FDCWD<[^>]*>/gu, '');
  if (!where.includes(folder)) return undefined;
  if (call === 'openat' && !/O_CREAT|O_TRUNC|O_WRONLY|O_RDWR/u.test(args)) return undefined;
  const paths = [...where.replace(/ += [^=]*$/u, '').matchAll(/<([^ >]*)>|"([^"]*)"/gu)];
  const names = paths.map(([, open, quoted]) => (open ?? quoted ?? '').replace(folder, '').replaceAll(random, '*'));
  // In which order a folder is emptied is for the file system to say, by names that are random.
  if (call === 'unlinkat' && names[0]?.includes('/trash') === true) return `${call} /trash`;
  return [call, ...names].join(' ');
}
