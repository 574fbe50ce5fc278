import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { limitOf } from './limit-marker.js';
import { markerName } from './script-environment.js';

interface SeenProcess {
  readonly pid: number;
  readonly parent: number;
  readonly ours: boolean;
}

const rounds = 50;
const pause = 10;

/** By what the processes of a run are known. */
export interface RunMarkers {
  /** What stands in the variable of their environment. */
  readonly variable: string;
  /** The limit that they have. */
  readonly limit: number | undefined;
}

/**
 * A process that leads a group of its own, and all that it started: its group and session and, on Linux, whatever
 * bears one of its markers or descends from one that does, so that `setsid` hides nothing.
 */
export class ProcessTree {
  readonly #leader: number;
  readonly #markers: RunMarkers;
  readonly #supervised: boolean;

  /** @param options `supervised`: the leader would end all others at once when it is asked to end, so it is not asked. */
  constructor(leader: number, markers: RunMarkers, options: { readonly supervised?: boolean } = {}) {
    this.#leader = leader;
    this.#markers = markers;
    this.#supervised = options.supervised === true;
  }

  /** Sends a signal to all of them, as many as there are now. */
  signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    if (process.platform === 'win32') {
      spawn('taskkill', ['/pid', String(this.#leader), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).unref();
      return;
    }
    // Found before any of them ends: whose parent is gone may not be found any more.
    const members = signal === 'SIGKILL' ? this.#stopAll() : this.#members();
    const spared = this.#supervised && signal === 'SIGTERM' ? this.#leader : undefined;
    if (spared === undefined) send(-this.#leader, signal);
    for (const pid of members) if (pid !== spared) send(pid, signal);
  }

  /** Stops all of them, and what they started until then: a process that stands still starts nothing. */
  #stopAll(): readonly number[] {
    const stopped = new Set<number>();
    for (let round = 0; round < rounds; round += 1) {
      const more = this.#members().filter((pid) => !stopped.has(pid));
      if (more.length === 0) break;
      for (const pid of more) {
        send(pid, 'SIGSTOP');
        stopped.add(pid);
      }
    }
    return [...stopped];
  }

  /** Kills all of them, and those that they start meanwhile. Ends when none is left, or half a second later. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    for (let round = 0; round < rounds && this.#members().length > 0; round += 1) {
      await sleep(pause);
      this.signal('SIGKILL');
    }
  }

  #members(): readonly number[] {
    if (process.platform !== 'linux') return [];
    const seen = readdirSync('/proc').flatMap((name) => (/^\d+$/u.test(name) ? this.#look(Number(name)) : []));
    const members = new Set(seen.filter(({ ours }) => ours).map(({ pid }) => pid));
    for (let before = -1; before < members.size;) {
      before = members.size;
      for (const { pid, parent } of seen) if (members.has(parent)) members.add(pid);
    }
    return [...members];
  }

  #look(pid: number): readonly SeenProcess[] {
    // A script can give this one its marker.
    if (pid === process.pid) return [];
    try {
      const { state, parent, group, session } = readStat(`/proc/${pid}`);
      const threads = isDead(state) ? livingThreads(pid) : [pid];
      // A dead process that nobody has asked after yet.
      if (threads.length === 0) return [];
      const inGroup = group === this.#leader || session === this.#leader;
      return [{ pid, parent, ours: inGroup || this.#bearsMarker(pid, threads) }];
    } catch {
      // It ended meanwhile.
      return [];
    }
  }

  #bearsMarker(pid: number, threads: readonly number[]): boolean {
    const { variable, limit } = this.#markers;
    if (limit !== undefined && limitOf(pid) === limit) return true;
    return threads.some((thread) => markersIn(`/proc/${pid}/task/${thread}/environ`).includes(variable));
  }
}

/** What Linux says of a process or a thread. */
function readStat(folder: string) {
  const stat = readFileSync(`${folder}/stat`, 'latin1');
  // The name, in parentheses, may hold anything.
  const [state, parent, group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { state, parent: Number(parent), group: Number(group), session: Number(session) };
}

function isDead(state: string | undefined): boolean {
  return state === 'Z' || state === 'X';
}

/** Where the first thread of a process ends, the process looks dead while the others work on. */
function livingThreads(pid: number): readonly number[] {
  const folder = `/proc/${pid}/task`;
  return readdirSync(folder)
    .filter((thread) => !isDead(readStat(`${folder}/${thread}`).state))
    .map(Number);
}

function markersIn(file: string): readonly string[] {
  try {
    const variables = readFileSync(file, 'latin1').split('\0');
    const markers = variables.find((variable) => variable.startsWith(`${markerName}=`)) ?? '';
    return markers.slice(markerName.length + 1).split(',');
  } catch {
    // It is somebody else's.
    return [];
  }
}

function send(pid: number, signal: 'SIGTERM' | 'SIGKILL' | 'SIGSTOP'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended meanwhile.
  }
}
