import { readdirSync, readFileSync, readlinkSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { UsageSample } from './usage-meter.js';

/** Whose usage is read. */
export interface UsageSource {
  /** The process that they all descend from. */
  readonly leader: number;
  /** The folder that they write to. Absolute. */
  readonly workspace: string;
}

interface SeenProcess {
  readonly pid: number;
  readonly parent: number;
  readonly runs: boolean;
  /** Seconds, with those of children that it waited for. */
  readonly cpuSeconds: number;
  /** Bytes. */
  readonly resident: number;
}

/** The kernel counts time in hundredths of seconds, whatever it counts in itself. */
const ticks = 100;
/** Where it is larger, memory is counted as less than it is, and no program ends too early. */
const pageBytes = 4096;
/** What the two buffers of a socket hold at most, unless an administrator allows more. */
const socketBytes = 2 * 2 * 212_992;

/** Where a sandbox has a file system in memory. */
const inMemory = ['/tmp', '/var/tmp', '/dev/shm'];
const tmpfs = 0x01021994;
const fileBytes = 1024;

/** Bytes that are free where a folder lies; `undefined` where that cannot be said. */
export function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

/** Linux: what a process and all that descend from it have taken. @param options `memory`: below which its bytes need not be exact. */
export function readUsage(
  { leader, workspace }: UsageSource,
  { memory, free }: { readonly memory: number; readonly free: number | undefined },
): UsageSample {
  const members = membersOf(leader);
  const resident = sum(members, ({ resident: bytes }) => bytes) + keptBytes(members);
  return {
    at: performance.now(),
    // What several share is counted for each of them at first, which is soon told and too much.
    memory: resident <= memory ? resident : resident - sum(members, sharedBytes),
    cpuSeconds: sum(members, ({ cpuSeconds }) => cpuSeconds),
    writtenBytes: sum(members, ({ pid }) => numberIn(`/proc/${pid}/io`, /^write_bytes: (\d+)/mu)),
    running: members.filter(({ runs }) => runs).length * shareOfProcessors(),
    filledBytes: Math.max(0, (free ?? 0) - (freeBytes(workspace) ?? free ?? 0)),
  };
}

/** Who could run waits for a processor where more could run than there are, whoever they belong to. */
function shareOfProcessors(): number {
  const ready = numberIn('/proc/loadavg', / (\d+)\/\d+ /u);
  return Math.min(1, availableParallelism() / Math.max(1, ready));
}

function membersOf(leader: number): readonly SeenProcess[] {
  const children = Map.groupBy(
    readdirSync('/proc').flatMap((name) => (/^\d+$/u.test(name) ? look(Number(name)) : [])),
    ({ parent }) => parent,
  );
  const members = look(leader);
  for (const { pid } of members) members.push(...(children.get(pid) ?? []));
  return members;
}

function look(pid: number): SeenProcess[] {
  const stat = read(`/proc/${pid}/stat`);
  // The name, in parentheses, may hold anything. Behind it, the third field is the first.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields.length < 22) return [];
  const times = fields.slice(11, 15).map(Number);
  return [
    {
      pid,
      parent: Number(fields[1]),
      runs: fields[0] === 'R',
      cpuSeconds: sum(times, (time) => time) / ticks,
      resident: Number(fields[21]) * pageBytes,
    },
  ];
}

/** How much less a process holds than it seems to, since others hold it, too. */
function sharedBytes({ pid, resident }: SeenProcess): number {
  const part = numberIn(`/proc/${pid}/smaps_rollup`, /^Pss:\s+(\d+)/mu) * 1024;
  return part === 0 ? 0 : Math.max(0, resident - part);
}

/** Bytes that the kernel keeps for them, and not as memory of any process: in sockets, and in files of their own `/tmp` and the like. */
function keptBytes(members: readonly SeenProcess[]): number {
  const own = networkOf('self');
  // With a network of its own, it has mounts of its own, too.
  const inside = members.find(({ pid }) => ![own, ''].includes(networkOf(pid)));
  if (inside === undefined) return 0;
  const sockets = numberIn(`/proc/${inside.pid}/net/sockstat`, /^sockets: used (\d+)/mu);
  return sockets * socketBytes + sum(inMemory, (folder) => filesIn(`/proc/${inside.pid}/root${folder}`));
}

/** Bytes of the files of a file system that is in memory, with what is kept of each. */
function filesIn(folder: string): number {
  try {
    const { type, bsize, blocks, bfree, files, ffree } = statfsSync(folder);
    return type === tmpfs ? (blocks - bfree) * bsize + (files - ffree) * fileBytes : 0;
  } catch {
    // It has ended, or has no such folder.
    return 0;
  }
}

function networkOf(pid: number | 'self'): string {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`);
  } catch {
    // It has ended.
    return '';
  }
}

function numberIn(file: string, pattern: RegExp): number {
  return Number(pattern.exec(read(file))?.[1] ?? 0);
}

function sum<Value>(values: readonly Value[], of: (value: Value) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    // It has ended.
    return '';
  }
}
