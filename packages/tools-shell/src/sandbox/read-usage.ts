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
  const resident = sum(members, ({ resident: bytes }) => bytes) + socketsOf(members) * socketBytes;
  return {
    at: performance.now(),
    // What several share is counted for each of them at first, which is soon told and too much.
    memory: resident <= memory ? resident : resident - sum(members, sharedBytes),
    cpuSeconds: sum(members, ({ cpuSeconds }) => cpuSeconds),
    writtenBytes: sum(members, ({ pid }) => numberIn(`/proc/${pid}/io`, /^write_bytes: (\d+)/mu)),
    running: Math.min(members.filter(({ runs }) => runs).length, availableParallelism()),
    filledBytes: Math.max(0, (free ?? 0) - (freeBytes(workspace) ?? free ?? 0)),
  };
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

/** The sockets of the network that they have to themselves. */
function socketsOf(members: readonly SeenProcess[]): number {
  const own = networkOf('self');
  const inside = members.find(({ pid }) => ![own, ''].includes(networkOf(pid)));
  return inside === undefined ? 0 : numberIn(`/proc/${inside.pid}/net/sockstat`, /^sockets: used (\d+)/mu);
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
