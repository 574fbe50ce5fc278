import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SkillsError } from '@skillpack/core';
import { expect, onTestFinished, test } from 'vitest';
import { openRunFolder } from '../src/index.js';
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

test.runIf(linux)(
  'while somebody exchanges the folder of the runs for a link all the time, no run is made behind it',
  async () => {
    const root = temporaryFolder();
    const outside = join(root, 'outside');
    mkdirSync(outside);
    mkdirSync(join(root, 'runs'));
    const swapper = await swapping(join(root, 'runs'), outside);
    const counts = { made: 0, refused: 0 };
    const runs = openRunFolder(join(root, 'runs'));
    for (let number = 0; (counts.made < 20 || counts.refused < 5) && number < 400; number += 1) {
      const made = await done(
        runs.create(`r${number}`).then(async (journal) => {
          await journal.append(seal(`r${number}`, shortRun)[0]!);
          await journal.close();
        }),
      ).catch((error: unknown) => {
        // Between the two there is no folder at all, and a new one is in the way of the other process.
        if (SkillsError.is(error, 'IO_ERROR')) return false;
        throw error;
      });
      counts[made ? 'made' : 'refused'] += 1;
    }
    await ended(swapper);
    expect(counts.refused).toBeGreaterThan(0);
    expect(readdirSync(outside)).toStrictEqual([]);
  },
  120_000,
);
