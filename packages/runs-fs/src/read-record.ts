import { closeSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { readRunEvents, recordLimits, SkillsError, type Digest, type ReadRun, type Sha256 } from '@skillpack/core';
import { openOwnFile, readDescriptor, readOwnFile, type OpenFileOptions } from './own-file.js';
import { isOwnFolder, keptPath, type RunPaths } from './run-paths.js';

/** What a record is read with. */
export interface RecordPorts {
  /** Hashes what is read, to compare. */
  readonly sha256: Sha256;
  /**
   * Told where `run.json` or `final.md` could not be written when a record was finished, as on a full disk: both are made
   * of the events, and these are on the disk.
   *
   * @default to finish it throws then
   */
  readonly onUnwritten?: ((error: SkillsError) => void) | undefined;
}

/** Events of a record, and how many bytes of the file they are. */
export interface RecordOnDisk extends ReadRun {
  readonly bytes: number;
  /** What stands after them, to the byte: a line that was torn may end within a character. */
  readonly rest: Uint8Array;
}

/** @throws `RUN_NOT_FOUND` where there is no folder of that run; `PATH_TRAVERSAL_BLOCKED`, `IO_ERROR`. */
export function checkThere({ id, folder }: RunPaths): void {
  if (isOwnFolder(folder)) return;
  throw new SkillsError('RUN_NOT_FOUND', `There is no run ${id} in ${dirname(folder)}.`, {
    hint: 'Use `skills runs list` to see those that are there.',
  });
}

/** Opens the events of a run. @throws `RUN_NOT_FOUND`, `INVALID_RECORD`, and as `openOwnFile`. */
export function openEvents(paths: RunPaths, options: OpenFileOptions): number {
  checkThere(paths);
  const file = openOwnFile(paths.events, options);
  if (file !== undefined) return file.descriptor;
  throw new SkillsError('INVALID_RECORD', `The run ${paths.id} has no events.jsonl.`, {
    hint: 'It was cut off before it began, or somebody removed the file: remove the folder.',
    data: { path: paths.folder },
  });
}

/** Reads the events of a run. @throws as `openEvents`; `INVALID_RECORD`. */
export function readRecord(paths: RunPaths, ports: RecordPorts): RecordOnDisk {
  const descriptor = openEvents(paths, { flags: constants.O_RDONLY });
  try {
    return readOpenRecord(descriptor, paths, ports);
  } finally {
    closeSync(descriptor);
  }
}

/** As {@link readRecord}, of a file that is open. */
export function readOpenRecord(descriptor: number, paths: RunPaths, ports: RecordPorts): RecordOnDisk {
  const bytes = readDescriptor(descriptor, { path: paths.events, maxBytes: recordLimits.bytes, start: 0 });
  const whole = bytes.lastIndexOf(0x0a) + 1;
  const what = `events.jsonl of run ${paths.id}`;
  // Bytes that are no UTF-8 become other characters, and an event that has them another hash. A line that was cut off
  // may end within a character.
  const { events } = readRunEvents(decode(bytes.subarray(0, whole)), ports, { what, run: paths.id });
  const rest = bytes.subarray(whole);
  return { events, torn: rest.length === 0 ? undefined : decode(rest), bytes: whole, rest };
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** What was kept. @returns `undefined` when it is missing. @throws `INVALID_RECORD`, `IO_ERROR`. */
export function readKept(paths: RunPaths, digest: Digest, ports: RecordPorts): Uint8Array | undefined {
  return isOwnFolder(paths.observations) ? readKeptFile(keptPath(paths, digest), { digest }, ports) : undefined;
}

/** Something that was kept, and where. */
export interface KeptFile {
  readonly digest: Digest;
  /** What leads to the folder around it. @default its path */
  readonly handle?: string | undefined;
}

/** As {@link readKept}, of a folder that was looked at. */
export function readKeptFile(
  path: string,
  { digest, handle }: KeptFile,
  { sha256 }: RecordPorts,
): Uint8Array | undefined {
  const bytes = readOwnFile(path, recordLimits.bytes, handle);
  if (bytes === undefined) return undefined;
  const actual = sha256(bytes);
  if (actual === digest) return bytes;
  throw new SkillsError(
    'INVALID_RECORD',
    `${path} was changed: its content is ${actual}, and its name says ${digest}.`,
    {
      hint: 'What it says cannot be relied on.',
      data: { path, expected: digest, actual },
    },
  );
}
