import { mkdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { SkillsError } from '@skillpack/core';
import { holdFolder, releaseFolder, type HeldFolder } from './held-folder.js';
import { asIoError, errnoOf } from './io-error.js';
import type { RunPaths } from './run-paths.js';

/** The folders of a record that is written: each was looked up in the one above it, and none can be exchanged. */
export interface HeldRun {
  /** That of all runs. */
  readonly runs: HeldFolder;
  readonly folder: HeldFolder;
  readonly observations: HeldFolder;
}

/** Makes the folders of a new run, in that of the runs. @throws `USAGE` where there is one; `PATH_TRAVERSAL_BLOCKED`, `IO_ERROR`. */
export function makeRun(paths: RunPaths): HeldRun {
  return hold(paths, (runs) => {
    // Whoever makes it has the run: nobody else can.
    if (makeIn(runs, paths.folder)) return;
    throw new SkillsError('USAGE', `There is a run ${paths.id} already.`, {
      hint: 'Choose another id, or resume that run; where it was cut off before its first event, remove the folder.',
      data: { path: paths.folder },
    });
  });
}

/** Holds those of a run that is there. @throws `PATH_TRAVERSAL_BLOCKED`, `IO_ERROR`. */
export function holdRun(paths: RunPaths): HeldRun {
  return hold(paths, () => {});
}

function hold(paths: RunPaths, prepare: (runs: HeldFolder) => void): HeldRun {
  const held: HeldFolder[] = [];
  const keep = (folder: HeldFolder): HeldFolder => {
    held.push(folder);
    return folder;
  };
  try {
    const runs = keep(holdFolder(dirname(paths.folder)));
    prepare(runs);
    const folder = keep(holdFolder(paths.folder, runs));
    makeIn(folder, paths.observations);
    return { runs, folder, observations: keep(holdFolder(paths.observations, folder)) };
  } catch (error) {
    for (const folder of held) releaseFolder(folder);
    throw error;
  }
}

/** @returns whether it was not there. */
function makeIn(above: HeldFolder, path: string): boolean {
  try {
    mkdirSync(`${above.handle}/${basename(path)}`, { mode: 0o700 });
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw asIoError(error, path);
  }
}

/** Lets all of them go. */
export function releaseRun({ runs, folder, observations }: HeldRun): void {
  for (const held of [observations, folder, runs]) releaseFolder(held);
}
