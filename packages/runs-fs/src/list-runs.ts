import { closeSync, constants, fstatSync, lstatSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  isRunId,
  parseJson,
  quoted,
  SkillsError,
  summariseRun,
  type RecordedError,
  type RunSummary,
} from '@skillpack/core';
import { asIoError, errnoOf, withIoErrors } from './io-error.js';
import { isCutOff } from './is-cut-off.js';
import { readDescriptor } from './own-file.js';
import { openEvents, readRecord, type RecordPorts } from './read-record.js';
import type { ListedRun } from './run-folder.js';
import { ignoreFile, isOwnFolder, runPaths, type RunPaths } from './run-paths.js';
import { writtenSummary } from './written-summary.js';

/** Everything in the folder of the runs, the newest first. @throws `IO_ERROR`. */
export async function listRuns(root: string, ports: RecordPorts): Promise<readonly ListedRun[]> {
  const listed: { readonly at: string; readonly run: ListedRun }[] = [];
  for (const name of namesIn(root)) {
    const run = await listedRun(root, name, ports);
    if (run !== undefined) listed.push({ at: timeOf(join(root, name)), run });
  }
  return listed
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
    return readdirSync(root).filter((name) => name !== ignoreFile);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw asIoError(error, root);
  }
}

const latest = 8_640_000_000_000_000;

/** Of what cannot be read as a run, when it was made is not known; when it was last changed is, unless it cannot be a time. */
function timeOf(path: string): string {
  const milliseconds = withIoErrors(path, () => lstatSync(path, { throwIfNoEntry: false }))?.mtimeMs ?? 0;
  return new Date(Math.min(Math.max(0, milliseconds), latest)).toISOString();
}

/** @returns `undefined` for one that was cut off before anything was asked. */
async function listedRun(root: string, name: string, ports: RecordPorts): Promise<ListedRun | undefined> {
  const folder = join(root, name);
  try {
    if (!isRunId(name)) throw new SkillsError('INVALID_RECORD', `${quoted(name)} is no name of a run.`);
    const paths = runPaths(root, name);
    if (isEmpty(paths)) return undefined;
    const summary = summaryOf(paths, ports);
    if (summary?.status === 'finished') return { kind: 'run', id: name, folder, summary, cutOff: false };
    const cutOff = await isCutOff(paths);
    // Between the two it may have been finished.
    const now = cutOff ? summaryOf(paths, ports) : summary;
    if (now === undefined || (cutOff && now.requests.length === 0)) return undefined;
    return { kind: 'run', id: name, folder, summary: now, cutOff: cutOff && now.status !== 'finished' };
  } catch (error) {
    return { kind: 'broken', id: name, folder, error: recordedError(error) };
  }
}

/** Whether the folder of a run was made, and nothing in it. */
function isEmpty(paths: RunPaths): boolean {
  if (!isOwnFolder(paths.folder)) return false;
  const names = withIoErrors(paths.folder, () => readdirSync(paths.folder));
  return names.every((name) => name === basename(paths.observations));
}

function recordedError(error: unknown): RecordedError {
  if (!SkillsError.is(error)) throw error;
  const { code, message, hint } = error;
  return { code, message, hint };
}

/** From `run.json`, where that was made of the events as they end; else from all of them. Of no event, nothing. */
function summaryOf(paths: RunPaths, ports: RecordPorts): RunSummary | undefined {
  const hash = lastHash(paths);
  const written = hash === undefined ? undefined : usableSummary(paths);
  if (written !== undefined && written.hash === hash && written.id === paths.id) return written;
  const { events } = readRecord(paths, ports);
  if (events.length > 0) return summariseRun(events);
  const counted = usableSummary(paths)?.events;
  if (counted === undefined) return undefined;
  throw new SkillsError('INVALID_RECORD', `The run ${paths.id} has no events, and its run.json counts ${counted}.`, {
    hint: 'Somebody removed them: what is left says nothing that can be relied on.',
    data: { path: paths.events, expected: counted },
  });
}

/** `run.json`, where it can be read: the events say the same. */
function usableSummary(paths: RunPaths): RunSummary | undefined {
  try {
    return writtenSummary(paths);
  } catch (error) {
    if (SkillsError.is(error)) return undefined;
    throw error;
  }
}

const lineEnd = 0x0a;

/** What the last line says is its hash; `undefined` where there is no whole line at the end, or one of great length. */
function lastHash(paths: RunPaths): string | undefined {
  const descriptor = openEvents(paths, { flags: constants.O_RDONLY });
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
