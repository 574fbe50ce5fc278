import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { markerName } from './script-environment.js';

interface SeenProcess {
  readonly pid: number;
  readonly parent: number;
  readonly ours: boolean;
}

const rounds = 50;
const pause = 10;

/**
 * A process that leads a group of its own, and all that it started: its group and session and, on Linux, whatever
 * bears its marker in its environment or descends from one that does, so that `setsid` hides nothing.
 */
export class ProcessTree {
  readonly #leader: number;
  readonly #marker: string;

  constructor(leader: number, marker: string) {
    this.#leader = leader;
    this.#marker = marker;
  }

  /** Sends a signal to all of them, as many as there are now. */
  signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    if (process.platform === 'win32') {
      spawn('taskkill', ['/pid', String(this.#leader), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).unref();
      return;
    }
    send(-this.#leader, signal);
    for (const pid of this.#members()) send(pid, signal);
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
    if (pid === process.pid) return [];
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      // The name, in parentheses, may hold anything.
      const [state, parent, group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // A dead process that nobody has asked after yet.
      if (state === 'Z' || state === 'X') return [];
      const inGroup = Number(group) === this.#leader || Number(session) === this.#leader;
      return [{ pid, parent: Number(parent), ours: inGroup || this.#bearsMarker(pid) }];
    } catch {
      // It ended meanwhile.
      return [];
    }
  }

  #bearsMarker(pid: number): boolean {
    try {
      const variables = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
      const markers = variables.find((variable) => variable.startsWith(`${markerName}=`)) ?? '';
      return markers
        .slice(markerName.length + 1)
        .split(',')
        .includes(this.#marker);
    } catch {
      // It is somebody else's.
      return false;
    }
  }
}

function send(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended meanwhile.
  }
}
