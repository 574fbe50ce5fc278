import { constants } from 'node:fs';
import { mkdir, open, stat, type FileHandle } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { SkillsError } from '@skillpack/core';
import type { EvalResult } from './eval-result.js';
import { formatResult } from './format-result.js';
import { isCutOff } from './is-cut-off.js';
import { lockFile } from './lock-file.js';
import { parseResult, parseResults } from './parse-results.js';
import { resultLimits } from './result-limits.js';
import type { ResultsLog } from './results-log.js';

/** A log in a file. */
export interface ResultsFile extends ResultsLog, AsyncDisposable {
  /** Absolute. */
  readonly path: string;
  /** Takes the lock before there is anything to append. @throws as `append`. */
  lock(): Promise<void>;
}

/**
 * A log in a file, one result a line. The first `append` takes a lock, which goes with the process or with disposing, and
 * mends a line that a crash cut off; each result is on the disk when its `append` ends. A file that is not there is made,
 * with its folder, for its owner alone.
 *
 * Reading takes no lock. `append` throws `BUSY` while another process writes to the file, `INVALID_RESULTS` for a file
 * that holds something else, and `IO_ERROR`.
 */
export function resultsFile(path: string): ResultsFile {
  return new FileLog(resolve(path));
}

// Windows has neither.
const withoutLinks = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

class FileLog implements ResultsFile {
  readonly path: string;
  #handle: FileHandle | undefined;
  /** Bytes of whole lines. */
  #length = 0;
  #lines = 0;
  /** One after another: lines of two results must not mix. */
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(path: string) {
    this.path = path;
  }

  async read(): Promise<readonly EvalResult[]> {
    return this.#alone(async () => parseResults(decode(await this.#bytes()), { what: this.path }));
  }

  async lock(): Promise<void> {
    await this.#alone(async () => {
      if (this.#closed) throw new SkillsError('USAGE', `The results ${this.path} were closed.`);
      this.#handle ??= await this.#open();
    });
  }

  async append(result: EvalResult): Promise<void> {
    const line = formatResult(result);
    if (line.length > resultLimits.line) {
      throw new SkillsError(
        'FILE_TOO_LARGE',
        `The result of ${result.suite}/${result.case} has ${line.length} characters; at most ${resultLimits.line} are written.`,
      );
    }
    // What could not be read again would cost all others: a worker elsewhere may give anything.
    parseResult(line, 'The result');
    await this.#alone(async () => {
      if (this.#closed) throw new SkillsError('USAGE', `The results ${this.path} were closed.`);
      this.#handle ??= await this.#open();
      const bytes = new TextEncoder().encode(line);
      this.#expectRoom(bytes);
      await this.#expectUntouched(this.#handle);
      await this.#write(this.#handle, bytes);
      this.#lines += 1;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#alone(async () => {
      this.#closed = true;
      const handle = this.#handle;
      this.#handle = undefined;
      await handle?.close();
    });
  }

  async #alone<Value>(work: () => Promise<Value>): Promise<Value> {
    const mine = this.#last.then(work, work);
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  async #bytes(): Promise<Uint8Array> {
    let handle: FileHandle;
    try {
      handle = await open(this.path, constants.O_RDONLY | withoutLinks);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return new Uint8Array();
      throw ioError(error, this.path);
    }
    try {
      return await bytesOf(handle, this.path);
    } finally {
      await handle.close();
    }
  }

  /** Opens it for writing, behind the last whole line. @throws what {@link resultsFile} says of `append`. */
  async #open(): Promise<FileHandle> {
    let handle: FileHandle;
    try {
      await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
      handle = await open(this.path, constants.O_RDWR | constants.O_CREAT | withoutLinks, 0o600);
    } catch (error) {
      throw ioError(error, this.path);
    }
    try {
      await lockFile(handle.fd, this.path);
      await this.#mend(handle, await bytesOf(handle, this.path));
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async #mend(handle: FileHandle, bytes: Uint8Array): Promise<void> {
    // What holds something else is left as it is.
    parseResults(decode(bytes), { what: this.path });
    const newline = bytes.lastIndexOf(0x0a) + 1;
    const whole = isCutOff(decode(bytes.subarray(newline))) ? bytes.subarray(0, newline) : bytes;
    this.#length = whole.length;
    this.#lines = linesIn(bytes);
    try {
      await handle.truncate(this.#length);
      // A whole line of which only the newline is missing counts.
      if (whole.length > newline) await this.#write(handle, new Uint8Array([0x0a]));
    } catch (error) {
      throw ioError(error, this.path);
    }
  }

  #expectRoom({ length }: Uint8Array): void {
    if (this.#lines < resultLimits.lines && this.#length + length <= resultLimits.length) return;
    throw new SkillsError(
      'FILE_TOO_LARGE',
      `${this.path} is full: a log has at most ${resultLimits.lines} lines and ${resultLimits.length} bytes.`,
      { hint: 'Begin in another folder.', data: { path: this.path } },
    );
  }

  /** A lock keeps out those who ask for it; an editor does not. */
  async #expectUntouched(handle: FileHandle): Promise<void> {
    const held = await handle.stat();
    const there = await stat(this.path).catch(() => undefined);
    if (there?.ino === held.ino && there.dev === held.dev && held.size === this.#length) return;
    throw new SkillsError('IO_ERROR', `${this.path} was changed by somebody else while it was written.`, {
      hint: 'Run it again: it goes on with the results that are there.',
      data: { path: this.path },
    });
  }

  /** What could not be written whole is not there: then the next line does not stand behind a part of one. */
  async #write(handle: FileHandle, bytes: Uint8Array): Promise<void> {
    try {
      for (let written = 0; written < bytes.length;) {
        const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, this.#length + written);
        written += bytesWritten;
      }
      await handle.datasync();
      this.#length += bytes.length;
    } catch (error) {
      await handle.truncate(this.#length).catch(() => undefined);
      throw ioError(error, this.path);
    }
  }
}

async function bytesOf(handle: FileHandle, path: string): Promise<Uint8Array> {
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw noFile(path);
    if (stats.size > resultLimits.length) {
      throw new SkillsError(
        'FILE_TOO_LARGE',
        `${path} has ${stats.size} bytes; at most ${resultLimits.length} are read.`,
        {
          hint: 'Begin in another folder.',
          data: { path, size: stats.size },
        },
      );
    }
    const bytes = new Uint8Array(stats.size);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return bytes.subarray(0, length);
  } catch (error) {
    throw ioError(error, path);
  }
}

function linesIn(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1)) lines += 1;
  // One without its newline gets it.
  return bytes.at(-1) === 0x0a || bytes.length === 0 ? lines : lines + 1;
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

function noFile(path: string): SkillsError {
  return new SkillsError('PATH_TRAVERSAL_BLOCKED', `${path} is a link or no file; no results are kept there.`, {
    hint: 'Remove it, or take another folder.',
    data: { path },
  });
}

function ioError(error: unknown, path: string): SkillsError {
  if (SkillsError.is(error)) return error;
  const code = codeOf(error);
  if (code === 'ELOOP' || code === 'EISDIR' || code === 'ENXIO') return noFile(path);
  const why = error instanceof Error ? error.message : String(error);
  return new SkillsError('IO_ERROR', `${path} cannot be used for results: ${why}.`, { cause: error, data: { path } });
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
