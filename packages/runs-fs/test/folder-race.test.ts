import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SkillsError } from '@skillpack/core';
import { expect, onTestFinished, test } from 'vitest';
import { openRunFolder, type OpenRun, type RunFolder } from '../src/index.js';
import { seal, shortRun, temporaryFolder, write } from './sample-run.js';

const linux = process.platform === 'linux';

/** A process that exchanges a folder for a link to another one all the time. */
async function swapping(path: string, target: string): Promise<ChildProcess> {
  const swapper = spawn(process.execPath, [join(import.meta.dirname, 'children/swap-for-link.ts'), path, target], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void swapper.kill('SIGKILL'));
  await once(swapper.stdout, 'data');
  return swapper;
}

async function ended(swapper: ChildProcess): Promise<void> {
  const exit = once(swapper, 'exit');
  swapper.kill('SIGKILL');
  await exit;
}

/** Whether something was done; the link in its way may be seen. */
async function done(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (SkillsError.is(error, 'PATH_TRAVERSAL_BLOCKED')) return false;
    throw error;
  }
}

test.runIf(linux).each(['observations', ''])(
  'while somebody exchanges the folder %j of a run for a link all the time, nothing is written behind it',
  async (part) => {
    const root = temporaryFolder();
    const outside = join(root, 'outside');
    mkdirSync(join(outside, 'observations'), { recursive: true });
    const target = join(outside, part);
    const journal = await openRunFolder(join(root, 'runs')).create('r1');
    await write(journal, seal('r1', shortRun).slice(0, 2));
    const swapper = await swapping(join(root, 'runs/r1', part), target);
    const counts = { kept: 0, refused: 0 };
    for (let number = 0; (counts.kept < 200 || counts.refused < 20) && number < 5_000; number += 1) {
      const kept = await done(journal.keep(new TextEncoder().encode(`private ${number}`)));
      counts[kept ? 'kept' : 'refused'] += 1;
      if (number % 50 === 0) await journal.sync();
    }
    // It was seen often enough, and came between often enough.
    expect(counts.kept).toBeGreaterThan(0);
    expect(counts.refused).toBeGreaterThan(0);
    await done(journal.finish());
    await ended(swapper);
    expect(readdirSync(outside)).toStrictEqual(['observations']);
    expect(readdirSync(join(outside, 'observations'))).toStrictEqual([]);
  },
  120_000,
);

/** A folder of runs, one beside it whose runs have the same ids, and a process that exchanges the first for a link to it. */
async function swappedRuns(ids: readonly string[], before: (runs: RunFolder) => Promise<void> = async () => {}) {
  const root = temporaryFolder();
  const [inside, outside] = [join(root, 'runs'), join(root, 'outside')];
  mkdirSync(inside);
  for (const id of ids) mkdirSync(join(outside, id, 'observations'), { recursive: true });
  const runs = openRunFolder(inside);
  await before(runs);
  const swapper = await swapping(inside, outside);
  const counts = { done: 0, refused: 0 };
  const attempt = async (work: Promise<unknown>): Promise<void> => {
    const well = await done(work).catch((error: unknown) => {
      // Between the two there is no folder at all, or what was just made is in the other one: how it fails is a matter of luck.
      if (SkillsError.is(error)) return false;
      throw error;
    });
    counts[well ? 'done' : 'refused'] += 1;
  };
  return { outside, runs, swapper, counts, attempt };
}

/** Everything that is no folder. */
const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [] : [join(entry.parentPath, entry.name)],
  );

test.runIf(linux)(
  'while somebody exchanges the folder of the runs for a link all the time, no run is made behind it',
  async () => {
    const ids = Array.from({ length: 400 }, (_, number) => `r${number}`);
    const { outside, runs, swapper, counts, attempt } = await swappedRuns(ids);
    for (const id of ids) {
      await attempt(
        runs.create(id).then(async (journal) => {
          await journal.append(seal(id, shortRun)[0]!);
          await journal.close();
        }),
      );
    }
    await ended(swapper);
    expect(counts.refused).toBeGreaterThan(0);
    expect(filesIn(outside)).toStrictEqual([]);
  },
  120_000,
);

test.runIf(linux)(
  'while somebody exchanges the folder of the runs for a link all the time, no run is finished behind it',
  async () => {
    const ids = Array.from({ length: 150 }, (_, number) => `r${number}`);
    const journals: OpenRun[] = [];
    const { outside, swapper, counts, attempt } = await swappedRuns(ids, async (runs) => {
      for (const id of ids) {
        const journal = await runs.create(id);
        for (const event of seal(id, shortRun)) await journal.append(event);
        journals.push(journal);
      }
    });
    for (const journal of journals) await attempt(journal.finish());
    await ended(swapper);
    expect(counts.done).toBeGreaterThan(0);
    expect(counts.refused).toBeGreaterThan(0);
    expect(filesIn(outside)).toStrictEqual([]);
  },
  120_000,
);
