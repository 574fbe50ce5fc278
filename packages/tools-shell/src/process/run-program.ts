import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { checkAborted, quoted, SkillsError, type ScriptOutcome } from '@skillpack/core';
import { errnoOf } from '../errno.js';
import type { UsageLimits } from '../sandbox/usage-meter.js';
import { watchUsage } from '../sandbox/watch-usage.js';
import type { OutputPipe } from './output-pipes.js';
import { CapturedStream } from './captured-stream.js';
import { endWithUs } from './end-with-us.js';
import { inheritedDescriptors } from './inherited-descriptors.js';
import { limited, type LimitMarker } from './limit-marker.js';
import { ProcessTree } from './process-tree.js';
import { within } from './within.js';

/** A program to be run. */
export interface Program {
  /** Absolute. */
  readonly file: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly folder: string;
  readonly environment: Record<string, string>;
  /** A folder of this run alone, which goes with it where this process ends first. Absolute. */
  readonly own: string;
  /** The value of the marker in that environment. */
  readonly marker: string;
  /** What else its processes are known by. */
  readonly limit: LimitMarker | undefined;
  /** Where its standard output and its standard error go, in place of pipes of Node's. They are used up. */
  readonly pipes: readonly [OutputPipe, OutputPipe] | undefined;
  /** Descriptors that it is given as 3, 4 and so on. They are used up. @default [] */
  readonly descriptors?: readonly number[] | undefined;
  /** Whether it is a supervisor that ends all at once when it is asked to: then those are asked that it started. @default false */
  readonly supervised?: boolean | undefined;
  /** What it and all that it starts may take together. @default no limit */
  readonly usage?: UsageLimits | undefined;
}

/** For how long a program may run, and how much of what it writes is kept. Times in milliseconds. */
export interface ProgramLimits {
  readonly timeout: number;
  /** Between asking it to end and ending it. */
  readonly grace: number;
  /** Bytes of each stream. */
  readonly streamBytes: number;
  readonly signal: AbortSignal;
}

/** How a program ended. */
export type ProgramEnd = Pick<ScriptOutcome, 'exitCode' | 'signal' | 'timedOut' | 'stdout' | 'stderr'>;

interface Exit {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
}

/** For how long the streams of a program that has ended are listened to while others still hold them. */
const drainMs = 200;
/** What a timer of Node's can wait, in milliseconds; beyond that it does not wait at all. */
export const longestTimeout = 2 ** 31 - 1;

/**
 * Runs a program without a shell, with nothing on its standard input, in a process group of its own. When it ends, or
 * is ended, everything that it started is ended too. Where it takes more than it may, it is ended at once, and its
 * standard error says so.
 *
 * @throws `INTERRUPTED` when the signal is aborted, once nothing of it runs any more; `INVALID_INPUT` for arguments
 * that no program can be given; `IO_ERROR` when it cannot be started.
 */
export async function runProgram(program: Program, limits: ProgramLimits): Promise<ProgramEnd> {
  const { signal, streamBytes } = limits;
  const { child, out, err } = await start(program);
  const { pid } = child;
  if (pid === undefined) throw new Error('a program that has started has an id');
  const markers = { variable: program.marker, limit: program.limit?.value };
  const tree = new ProcessTree(pid, markers, { supervised: program.supervised === true });
  const [stdout, stderr] = [new CapturedStream(streamBytes), new CapturedStream(streamBytes)];
  out.on('data', (chunk: Uint8Array) => stdout.add(chunk));
  err.on('data', (chunk: Uint8Array) => stderr.add(chunk));
  const closed = Promise.all([out, err].map(closeOf));
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, name) => resolve({ exitCode: code ?? undefined, signal: name ?? undefined }));
  });
  const ending = endWithUs({ tree, folder: program.own });
  using usage = program.usage && watchUsage({ leader: pid, workspace: program.folder }, program.usage);
  try {
    const reason = await endInTime({ child, exited, tree, exceeded: usage?.exceeded }, limits);
    const exit = await exited;
    await within(closed, drainMs);
    if (reason.kind === 'exceeded') stderr.add(new TextEncoder().encode(`\nIt was ended, since it ${reason.words}.\n`));
    await tree.kill();
    // What holds the streams now is out of reach.
    await within(closed, drainMs);
    checkAborted(signal, 'The script');
    return { ...exit, timedOut: reason.kind === 'timeout', stdout: stdout.result(), stderr: stderr.result() };
  } finally {
    ending[Symbol.dispose]();
    out.destroy();
    err.destroy();
  }
}

/** Standard input, output and error. */
const streams = 3;

interface Started {
  readonly child: ChildProcess;
  readonly out: Readable;
  readonly err: Readable;
}

async function start(program: Program): Promise<Started> {
  const { file, args, folder, environment, limit, pipes, descriptors = [] } = program;
  const ends = [...(pipes ?? []).map(({ end }) => end), ...descriptors];
  try {
    const covers = coversFor(program);
    ends.push(...covers.filter((cover) => cover !== 'ignore'));
    const [started = file, ...words] = [...(limit === undefined ? [] : limited(limit)), file, ...args];
    const child = spawn(started, words, {
      cwd: folder,
      env: environment,
      stdio: ['ignore', pipes?.[0].end ?? 'pipe', pipes?.[1].end ?? 'pipe', ...descriptors, ...covers],
      detached: process.platform !== 'win32',
      windowsHide: true,
      shell: false,
    });
    const [out, err] = pipes === undefined ? [child.stdout, child.stderr] : pipes.map(({ stream }) => stream);
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    if (!out || !err) throw new Error('a program that has started has pipes');
    return { child, out, err };
  } catch (error) {
    for (const { stream } of pipes ?? []) stream.destroy();
    const code = errnoOf(error);
    if (code === 'E2BIG') throw new SkillsError('INVALID_INPUT', 'The arguments are longer than the system takes.');
    throw new SkillsError('IO_ERROR', `The system does not start ${quoted(file)} (${code}).`, { cause: error });
  } finally {
    // As long as it is open here, the stream does not end.
    for (const end of ends) closeSync(end);
  }
}

/** Nothing else that this process was given is handed on into a sandbox: an empty file is, in its place. */
function coversFor({ supervised, own, descriptors = [] }: Program): readonly ('ignore' | number)[] {
  const given = streams + descriptors.length;
  const inherited = new Set(supervised === true ? inheritedDescriptors(given) : []);
  if (inherited.size === 0) return [];
  const file = join(own, 'nothing');
  // What is ignored there is left as it is.
  return Array.from({ length: Math.max(given, ...inherited) + 1 - given }, (_, index) =>
    inherited.has(given + index) ? openSync(file, constants.O_RDONLY | constants.O_CREAT, 0o400) : 'ignore',
  );
}

function closeOf(stream: Readable): Promise<void> {
  // What arrived until then is what it wrote.
  stream.on('error', () => undefined);
  return new Promise((resolve) => {
    stream.once('close', () => resolve());
  });
}

/** Why a program ended; `exceeded`: it took more than it may. */
type EndReason =
  | { readonly kind: 'ended' | 'timeout' | 'aborted' }
  | { readonly kind: 'exceeded'; readonly words: string };

interface Running {
  readonly child: ChildProcess;
  readonly exited: Promise<Exit>;
  readonly tree: ProcessTree;
  readonly exceeded: Promise<string> | undefined;
}

/** Waits for the end, and brings it about where it has to come. */
async function endInTime(
  { child, exited, tree, exceeded }: Running,
  { timeout, grace, signal }: ProgramLimits,
): Promise<EndReason> {
  const done = new AbortController();
  const { promise, resolve } = Promise.withResolvers<EndReason>();
  const timer = timeout > longestTimeout ? undefined : setTimeout(() => resolve({ kind: 'timeout' }), timeout);
  signal.addEventListener('abort', () => resolve({ kind: 'aborted' }), { signal: done.signal });
  if (signal.aborted) resolve({ kind: 'aborted' });
  void exceeded?.then((words) => resolve({ kind: 'exceeded', words }));
  void exited.then(() => resolve({ kind: 'ended' }));
  const reason = await promise;
  clearTimeout(timer);
  done.abort();
  if (reason.kind === 'ended') return reason;
  if (reason.kind === 'exceeded') {
    // A sandbox ends all the others with its first process. To find each of them takes time, in which they would take more.
    child.kill('SIGKILL');
  } else {
    tree.signal('SIGTERM');
    await within(exited, grace);
  }
  await tree.kill();
  return reason;
}
