import { closeSync, constants, fstatSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  parseJson,
  parseRunSummary,
  quoted,
  recordLimits,
  SkillsError,
  summariseRun,
  type RecordedError,
  type RunSummary,
} from '@skillpack/core';
import { asIoError, errnoOf } from './io-error.js';
import { readDescriptor, readOwnFile } from './own-file.js';
import { openEvents, readRecord, type RecordPorts } from './read-record.js';
import type { ListedRun } from './run-folder.js';
import { isRunId, runPaths, type RunPaths } from './run-paths.js';

/** Everything in the folder of the runs, the newest first. @throws `IO_ERROR`. */
export function listRuns(root: string, ports: RecordPorts): readonly ListedRun[] {
  return namesIn(root)
    .map((name) => ({ at: timeOf(join(root, name)), run: listedRun(root, name, ports) }))
    .map(({ at, run }) => ({ at: run.kind === 'run' ? run.summary.started : at, run }))
    .toSorted((left, right) => compare(right.at, left.at) || compare(left.run.id, right.run.id))
    .map(({ run }) => run);
}

function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function namesIn(root: string): readonly string[] {
  try {
    return readdirSync(root);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw asIoError(error, root);
  }
}

/** Of what cannot be read as a run, when it was made is not known; when it was last changed is. */
function timeOf(path: string): string {
  const milliseconds = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return new Date(Math.max(0, milliseconds)).toISOString();
}

function listedRun(root: string, name: string, ports: RecordPorts): ListedRun {
  const folder = join(root, name);
  try {
    if (!isRunId(name)) throw new SkillsError('INVALID_RECORD', `${quoted(name)} is no name of a run.`);
    return { kind: 'run', id: name, folder, summary: summaryOf(runPaths(root, name), ports) };
  } catch (error) {
    return { kind: 'broken', id: name, folder, error: recordedError(error) };
  }
}

function recordedError(error: unknown): RecordedError {
  if (!SkillsError.is(error)) throw error;
  const { code, message, hint } = error;
  return { code, message, hint };
}

/** From `run.json`, where that was made of the events as they end; else from all of them. */
function summaryOf(paths: RunPaths, ports: RecordPorts): RunSummary {
  const hash = lastHash(paths);
  const written = hash === undefined ? undefined : writtenSummary(paths);
  if (written !== undefined && written.hash === hash && written.id === paths.id) return written;
  const { events } = readRecord(paths, ports);
  if (events.length === 0) {
    throw new SkillsError('INVALID_RECORD', `The run ${paths.id} has no events.`, {
      hint: 'It was cut off before it began: remove the folder.',
    });
  }
  return summariseRun(events);
}

function writtenSummary(paths: RunPaths): RunSummary | undefined {
  try {
    const bytes = readOwnFile(paths.summary, 4 * recordLimits.summary);
    return bytes === undefined ? undefined : parseRunSummary(new TextDecoder().decode(bytes), paths.summary);
  } catch (error) {
    // The events say the same.
    if (SkillsError.is(error)) return undefined;
    throw error;
  }
}

const lineEnd = 0x0a;

/** What the last line says is its hash; `undefined` where there is no whole line at the end, or one of great length. */
function lastHash(paths: RunPaths): string | undefined {
  const descriptor = openEvents(paths, constants.O_RDONLY);
  try {
    const start = Math.max(0, fstatSync(descriptor).size - lastLineBytes);
    const bytes = readDescriptor(descriptor, { path: paths.events, maxBytes: 2 * lastLineBytes, start });
    if (bytes.at(-1) !== lineEnd) return undefined;
    const begin = bytes.lastIndexOf(lineEnd, bytes.length - 2) + 1;
    if (begin === 0 && start > 0) return undefined;
    return hashIn(new TextDecoder().decode(bytes.subarray(begin)));
  } finally {
    closeSync(descriptor);
  }
}

function hashIn(line: string): string | undefined {
  try {
    const event = parseJson(line);
    return typeof event === 'object' && event !== null && 'hash' in event ? String(event.hash) : undefined;
  } catch {
    return undefined;
  }
}

// A run ends with a short event.
const lastLineBytes = 64 * 1024;
