import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { SkillsError } from '@skillpack/core';
import type { Cassette, CassetteWriter } from './cassette.js';

/** How the file of a cassette is treated. */
export interface CassetteFileOptions {
  /** What messages call it. @default the path */
  readonly name?: string | undefined;
}

const maxBytes = 64 * 1024 * 1024;

// Windows has neither.
const withoutLinks = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * A cassette in a file, one JSON value a line (docs/cassettes.md). Only its owner may read a file that it makes. Anew, it is
 * written beside the old one, which it replaces once it is whole; lines that are added are written each in one go, so that
 * those of several processes do not mix on a local disk. A link or a FIFO in its place is refused.
 */
export function cassetteFile(path: string, { name = path }: CassetteFileOptions = {}): Cassette {
  const file: Place = { path: resolve(path), name };
  return {
    name,
    load: async () => withIoErrors(file, () => readWhole(file)),
    write: async (how, first) =>
      withIoErrors(file, () => (how === 'anew' ? writeAnew(file, first) : extend(file, first))),
  };
}

interface Place {
  readonly path: string;
  readonly name: string;
}

async function readWhole(file: Place): Promise<string | undefined> {
  const descriptor = openCassette(file, constants.O_RDONLY);
  if (descriptor === undefined) return undefined;
  try {
    const { size } = await settledEnd(descriptor);
    if (size > maxBytes) throw tooLarge(file, size, 'has');
    const bytes = new Uint8Array(size);
    let read = 0;
    for (let step = 1; read < size && step > 0; read += step)
      step = readSync(descriptor, bytes, read, size - read, read);
    return new TextDecoder().decode(bytes.subarray(0, read));
  } finally {
    closeSync(descriptor);
  }
}

function tooLarge({ name }: Place, size: number, has: string): SkillsError {
  return new SkillsError('FILE_TOO_LARGE', `The cassette ${name} ${has} ${size} bytes; at most ${maxBytes} are read.`, {
    data: { cassette: name, size, maxBytes },
  });
}

/** A link is not followed, and a FIFO not waited for. */
function openCassette(file: Place, flags: number): number | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file.path, flags | withoutLinks, 0o600);
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT') return undefined;
    if (code === 'ELOOP' || code === 'EMLINK' || code === 'EISDIR' || code === 'ENXIO') throw noFile(file);
    throw error;
  }
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw noFile(file);
}

function noFile({ name }: Place): SkillsError {
  return new SkillsError('PATH_TRAVERSAL_BLOCKED', `The cassette ${name} is a link or no file.`, {
    hint: 'Name a file, or what the link leads to.',
    data: { cassette: name },
  });
}

function writeAnew(file: Place, first: string): CassetteWriter {
  const refuseOther = (): void => {
    const stats = lstatSync(file.path, { throwIfNoEntry: false });
    if (stats === undefined) return;
    if (!stats.isFile()) throw noFile(file);
    if (stats.size > 0 && !beginsAsCassette(file)) throw otherFile(file);
  };
  refuseOther();
  const { descriptor, path: beside } = openBeside(file);
  let open = true;
  const end = (): void => {
    if (open) closeSync(descriptor);
    open = false;
  };
  const discard = (): void => {
    end();
    removeIfThere(beside);
  };
  const orDiscard = async (action: () => void): Promise<void> => {
    try {
      await withIoErrors(file, action);
    } catch (error) {
      discard();
      throw error;
    }
  };
  const writer: CassetteWriter = {
    append: async (lines) =>
      orDiscard(() => {
        const size = fstatSync(descriptor).size + Buffer.byteLength(lines);
        if (size > maxBytes) throw tooLarge(file, size, 'would have');
        writeAll(descriptor, lines);
      }),
    commit: async () => {
      if (!open) return;
      await orDiscard(() => {
        refuseOther();
        fsyncSync(descriptor);
        end();
        renameSync(beside, file.path);
      });
    },
    discard: async () => {
      if (open) discard();
    },
  };
  try {
    writeAll(descriptor, first);
  } catch (error) {
    discard();
    throw error;
  }
  return writer;
}

const mostOfFirstLine = 64 * 1024;

/** Whether it was made by a recording: nothing else is overwritten. */
function beginsAsCassette(file: Place): boolean {
  const descriptor = openCassette(file, constants.O_RDONLY);
  if (descriptor === undefined) return true;
  try {
    const bytes = new Uint8Array(mostOfFirstLine);
    const read = readSync(descriptor, bytes, 0, bytes.length, 0);
    const [line = ''] = new TextDecoder().decode(bytes.subarray(0, read)).split('\n', 1);
    return line.startsWith('{') && line.includes('"kind":"cassette"');
  } finally {
    closeSync(descriptor);
  }
}

function otherFile({ name }: Place): SkillsError {
  return new SkillsError('INVALID_CASSETTE', `${name} is there and is no cassette: it is not overwritten.`, {
    hint: 'Name another file, or remove this one first.',
    data: { cassette: name },
  });
}

function openBeside({ path }: Place): { readonly descriptor: number; readonly path: string } {
  const beside = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  return { descriptor: openSync(beside, O_WRONLY | O_CREAT | O_EXCL | withoutLinks, 0o600), path: beside };
}

function extend(file: Place, first: string): CassetteWriter {
  const flags = constants.O_RDWR | constants.O_APPEND;
  let descriptor = openCassette(file, flags);
  if (descriptor === undefined) {
    createWith(file, first);
    descriptor = openCassette(file, flags);
  }
  if (descriptor === undefined) throw new SkillsError('IO_ERROR', `The cassette ${file.name} was removed meanwhile.`);
  const opened = descriptor;
  let open = true;
  const end = async (): Promise<void> => {
    if (open) closeSync(opened);
    open = false;
  };
  return {
    append: async (lines) =>
      withIoErrors(file, async () => {
        const { size, whole } = await settledEnd(opened);
        // A line behind one that was cut off would be a part of it.
        if (!whole) throw cutOff(file);
        const bytes = new TextEncoder().encode(lines);
        if (size + bytes.length > maxBytes) throw tooLarge(file, size + bytes.length, 'would have');
        const written = writeSync(opened, bytes);
        if (written < bytes.length) throw takeBack(opened, { file, size, written });
      }),
    commit: end,
    discard: end,
  };
}

/** With its first line in it, or not at all: somebody else may make it at the same time. */
function createWith(file: Place, first: string): void {
  const { descriptor, path: beside } = openBeside(file);
  try {
    try {
      writeAll(descriptor, first);
    } finally {
      closeSync(descriptor);
    }
    linkSync(beside, file.path);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  } finally {
    removeIfThere(beside);
  }
}

/**
 * Where the file ends, and whether that is the end of a line. Of a line that another process is writing at the moment, a part
 * may be there: so an end that is none is looked at again, until it stays as it is.
 */
async function settledEnd(descriptor: number): Promise<{ readonly size: number; readonly whole: boolean }> {
  const last = new Uint8Array(1);
  let before = -1;
  for (let same = 0; ;) {
    const { size } = fstatSync(descriptor);
    const whole = size === 0 || (readSync(descriptor, last, 0, 1, size - 1) === 1 && last[0] === lineFeed);
    same = size === before ? same + 1 : 0;
    if (whole || same === unchanged) return { size, whole };
    before = size;
    await setTimeout(pause);
  }
}

/** How often an end is looked at that does not change, and after how many milliseconds each time. */
const [unchanged, pause] = [10, 20];

const lineFeed = 0x0a;

/** The disk took a part of the lines. Where nobody has written behind them, they go again. */
function takeBack(
  descriptor: number,
  { file, size, written }: { readonly file: Place; readonly size: number; readonly written: number },
): SkillsError {
  if (fstatSync(descriptor).size === size + written) ftruncateSync(descriptor, size);
  return new SkillsError('IO_ERROR', `The cassette ${file.name} could not be written to the end of the line.`, {
    hint: 'Free some space on that disk.',
    data: { cassette: file.name },
  });
}

function cutOff({ name }: Place): SkillsError {
  return new SkillsError(
    'INVALID_CASSETTE',
    `The last line of the cassette ${name} does not end: nothing is added to it.`,
    {
      hint: 'Remove what is not a whole line, and end the last one with a line feed; or record the run anew.',
      data: { cassette: name },
    },
  );
}

/** A write may take less than all of it. */
function writeAll(descriptor: number, text: string): void {
  const bytes = new TextEncoder().encode(text);
  for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was never made, or cannot be removed either: the first error is the one to tell.
  }
}

function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Does something to the disk. @throws `IO_ERROR` where the disk refuses. */
async function withIoErrors<Value>({ name }: Place, action: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await action();
  } catch (error) {
    const code = errnoOf(error);
    if (SkillsError.is(error) || code === undefined) throw error;
    throw new SkillsError('IO_ERROR', `The cassette ${name} cannot be read or written (${code}).`, {
      cause: error,
      data: { cassette: name, errno: code },
    });
  }
}
