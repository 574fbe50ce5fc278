import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync, unlinkSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** A pipe: what a program writes into its end comes out of the stream. */
export interface OutputPipe {
  /** The descriptor that a program is given; to be closed here once it has it. */
  readonly end: number;
  readonly stream: Readable;
}

/** What pipes are made with. */
export interface OutputPipesOptions {
  /** A folder that is there as long as they are made. */
  readonly folder: string;
  /** Absolute; `undefined` where there is none. */
  readonly mkfifo: string | undefined;
}

/**
 * Two real pipes, for what a program writes; `undefined` where they are not needed or cannot be made. What Node calls a
 * pipe is a socket, and on Linux nobody can open `/dev/stdout` or `/dev/stderr` where that is one.
 */
export function openOutputPipes({ folder, mkfifo }: OutputPipesOptions): readonly [OutputPipe, OutputPipe] | undefined {
  if (process.platform !== 'linux' || mkfifo === undefined) return undefined;
  const paths = [join(folder, 'stdout'), join(folder, 'stderr')];
  if (spawnSync(mkfifo, ['-m', '600', ...paths], { env: {}, stdio: 'ignore' }).status !== 0) return undefined;
  const made: OutputPipe[] = [];
  try {
    for (const path of paths) made.push(openPipe(path));
    const [out, err] = made;
    return out === undefined || err === undefined ? undefined : [out, err];
  } catch {
    // Too many files are open: what Node makes may still be had, or says so.
    for (const pipe of made) closePipe(pipe);
    return undefined;
  } finally {
    for (const path of paths) unlinkSync(path);
  }
}

function closePipe({ end, stream }: OutputPipe): void {
  stream.destroy();
  closeSync(end);
}

function openPipe(path: string): OutputPipe {
  // Read first: without a reader, who opens it for writing waits.
  const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const end = openSync(path, constants.O_WRONLY);
    return { end, stream: new Socket({ fd: reading, readable: true, writable: false }) };
  } catch (error) {
    closeSync(reading);
    throw error;
  }
}
