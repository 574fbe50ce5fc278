import { randomUUID } from 'node:crypto';
import { SkillsError, visibleText } from '@skillpack/core';
import type { ConfinedStart, Sandbox, ShownPlace } from '../sandbox/sandbox.js';
import { watchNewPlaces } from '../sandbox/watch-new-places.js';
import { findTrustedProgram } from './find-trusted-program.js';
import { makeLimitMarker } from './limit-marker.js';
import { openOutputPipes } from './output-pipes.js';
import { makeRunFolder, removeRunFolder } from './run-folder.js';
import { runProgram, type ProgramEnd, type ProgramLimits } from './run-program.js';
import { markerName, scriptEnvironment, type Environment } from './script-environment.js';
import { removeStaleRunFolders } from './stale-run-folders.js';

/** What is to be run. */
export interface Launch {
  /** Absolute. */
  readonly file: string;
  readonly args: readonly string[];
  /** What it sees besides where it is confined. */
  readonly shown: readonly ShownPlace[];
}

/** Makes what is to be run, once there is a folder for what it needs. @param own absolute, entered by nobody else, removed afterwards. */
export type PrepareLaunch = (own: string) => Launch | Promise<Launch>;

/** How programs are run. */
export interface LaunchOptions {
  /** The variables of this process. */
  readonly environment: Environment;
  readonly workspace: string;
  readonly variables: readonly string[];
  readonly set: Readonly<Record<string, string>>;
  readonly sandbox: Sandbox | undefined;
  /** The folder that scripts write to: nothing that lies there is started unconfined. @default the workspace */
  readonly suspect?: string | undefined;
  readonly limits: ProgramLimits;
}

/** Looked for once in a process. */
let stale: Promise<void> | undefined;

/**
 * Runs a program in a folder, with few variables and a temporary folder of its own; confined, where there is a sandbox.
 *
 * @throws as `runProgram`, and what the sandbox throws; `IO_ERROR` where the sandbox itself does not start it.
 */
export async function launchProgram(prepare: PrepareLaunch, options: LaunchOptions): Promise<ProgramEnd> {
  const { environment, workspace, sandbox, limits, suspect = workspace } = options;
  const own = makeRunFolder();
  stale ??= removeStaleRunFolders();
  try {
    const launch = await prepare(own);
    const marker = randomUUID();
    // Unconfined, they are what confines: a script of before may have put its own where others look first.
    const [prlimit, mkfifo] = ['prlimit', 'mkfifo'].map((name) =>
      findTrustedProgram(name, { environment, workspace: suspect }),
    );
    const folder = sandbox?.temporaryFolder(own) ?? own;
    const given = scriptEnvironment(environment, { ...options, folder, marker });
    const shared = { folder: workspace, own, marker, limit: makeLimitMarker(prlimit) };
    if (sandbox === undefined) {
      const pipes = openOutputPipes({ folder: own, mkfifo });
      return await runProgram({ ...shared, file: launch.file, args: launch.args, environment: given, pipes }, limits);
    }
    await using start = await sandbox.confine({ ...launch, workspace, environment: given, own });
    const pipes = openOutputPipes({ folder: own, mkfifo });
    const places = watchNewPlaces(workspace);
    try {
      const end = await runProgram({ ...shared, ...start, environment: withMarker(start, given), pipes }, limits);
      checkStarted(start, end, sandbox);
      return withNote(end, places.setAside());
    } finally {
      places.setAside();
    }
  } finally {
    await removeRunFolder(own);
  }
}

/** What it wrote last on its standard error, as far as whoever reads that is concerned. */
function withNote(end: ProgramEnd, note: string): ProgramEnd {
  if (note === '') return end;
  const { bytes, size, cut } = end.stderr;
  const added = new TextEncoder().encode(note);
  return { ...end, stderr: { bytes: Buffer.concat([bytes, added]), size: size + added.length, cut } };
}

/** What starts it is found by the same marker. */
function withMarker({ environment }: ConfinedStart, given: Record<string, string>): Record<string, string> {
  return { ...environment, [markerName]: given[markerName] ?? '' };
}

function checkStarted(start: ConfinedStart, end: ProgramEnd, { confinement }: Sandbox): void {
  if (end.timedOut || end.signal !== undefined || start.started()) return;
  const said = visibleText(new TextDecoder().decode(end.stderr.bytes.subarray(0, 500)).trim());
  throw new SkillsError('IO_ERROR', `The sandbox ${confinement.name} did not start the program: ${said}`, {
    hint: 'Nothing was run.',
  });
}
