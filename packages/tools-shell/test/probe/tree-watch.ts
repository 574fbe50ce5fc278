import { readdirSync, readFileSync } from 'node:fs';

/** The most that the processes of a probe had at a time, seen from outside. */
export interface TreePeak {
  /** Processes and threads. */
  tasks: number;
  memoryMiB: number;
}

/** MiB. */
const exactFrom = 1024;

/** The processes whose command line holds a word: children by `fork` have that of their parents. */
export function processesWith(word: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name) && Number(name) !== process.pid)
    .filter((name) => read(`/proc/${name}/cmdline`).includes(word) && !/\) [ZX] /u.test(read(`/proc/${name}/stat`)))
    .map(Number);
}

/** Looks at them over and over until it is disposed of. */
export function watchTree(word: string): Disposable & { readonly peak: Readonly<TreePeak> } {
  const peak: TreePeak = { tasks: 0, memoryMiB: 0 };
  let before = 0;
  const timer = setInterval(() => {
    const all = processesWith(word);
    const tasks = all.map((pid) => read(`/proc/${pid}/status`));
    // Where it is little, it need not be exact, which takes time.
    const most = sum(tasks, /^VmRSS:\s+(\d+)/mu) / 1024;
    const exact = (): readonly string[] => all.map((pid) => read(`/proc/${pid}/smaps_rollup`));
    const memory = most < exactFrom ? most : sum(exact(), /^Pss:\s+(\d+)/mu) / 1024;
    peak.tasks = Math.max(peak.tasks, sum(tasks, /^Threads:\s+(\d+)/mu));
    // What is held is there twice in a row: who grows fast is a little above a limit before it is ended.
    peak.memoryMiB = Math.max(peak.memoryMiB, Math.min(before, memory));
    before = memory;
  }, 100);
  return { peak, [Symbol.dispose]: () => clearInterval(timer) };
}

/** Seconds of processor time of all children of this process that have ended, with theirs. */
export function childrenSeconds(): number {
  const stat = read('/proc/self/stat');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(13, 15);
  // The kernel counts them in hundredths, whatever it counts in itself.
  return (Number(user) + Number(system)) / 100;
}

function sum(texts: readonly string[], pattern: RegExp): number {
  return texts.reduce((total, text) => total + Number(pattern.exec(text)?.[1] ?? 0), 0);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // It has ended.
    return '';
  }
}
