import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Contestant } from './contestant.ts';

/** What one run took. */
export interface Timing {
  readonly milliseconds: number;
  /** User and system time of it and of all processes it started. */
  readonly cpuMilliseconds: number;
}

const gnuTime = '/usr/bin/time';

/** Times one run of a contestant: prepares it, runs it, and checks what it did. */
export async function timeRun(contestant: Contestant): Promise<Timing> {
  return run(contestant, '');
}

/**
 * Runs a contestant once more and returns the most memory it had, in bytes: `undefined` without GNU time. Apart from
 * the timed runs, because the wrapper costs a millisecond. A process that Node starts would not do: it inherits the
 * high-water mark of the Node that forked it.
 */
export async function peakMemory(contestant: Contestant): Promise<number | undefined> {
  if (!existsSync(gnuTime) || !contestant.script.includes('$MEASURE')) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'skillpack-bench-memory-'));
  try {
    const file = join(folder, 'peak');
    await run(contestant, `${gnuTime} --quiet --append --format %M --output ${file}`);
    return Math.max(...(await readFile(file, 'utf8')).trim().split('\n').map(Number)) * 1_024;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** bash takes both times itself, so that neither its own start nor ours is in them. */
function timed(script: string): string {
  return `TIMEFORMAT='%3U %3S'; began=$EPOCHREALTIME
{ time { ${script}
} 2>&4; } 2>&3; code=$?
ended=$EPOCHREALTIME; echo "$(( \${ended/./} - \${began/./} ))" >&5; exit $code`;
}

async function run(contestant: Contestant, measure: string): Promise<Timing> {
  const { name, script, cwd, env = {}, exitCode = 0 } = contestant;
  await contestant.prepare?.();
  await mkdir(cwd, { recursive: true });
  await settle(cwd);
  const child = spawn('bash', ['-c', timed(script)], {
    cwd,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: cwd,
      ...env,
      LC_ALL: 'C',
      NODE: process.execPath,
      MEASURE: measure,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'pipe', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  // Pipes, as it was started with; the types know of the first three only.
  const [output, cpu, complaint, elapsed] = await Promise.all(
    [1, 3, 4, 5].map((index) => text((child.stdio as readonly unknown[])[index] as Readable)),
  );
  const code = await ended;
  if (code !== exitCode)
    throw new Error(
      `${name} ended with ${String(code)} instead of ${exitCode}:\n${script}\n${complaint ?? ''}${output ?? ''}`,
    );
  await contestant.check?.(output ?? '');
  const [user = 0, system = 0] = (cpu ?? '').trim().split(' ').map(Number);
  return { milliseconds: Number(elapsed) / 1_000, cpuMilliseconds: (user + system) * 1_000 };
}

/** What an earlier run has written must not be flushed by the next one. */
async function settle(folder: string): Promise<void> {
  const child = spawn('sync', ['--file-system', dirname(folder)], { stdio: 'ignore' });
  await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
}
