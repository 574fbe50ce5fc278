import { spawn } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { foldEvents, replayRun, SkillsError } from '@skillpack/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRunFolder } from '../src/index.js';
import { sha256 } from '../src/sha256.js';
import { bundleRecordedRun } from './bundle-child.js';
import { finalText, question, type RecordedTask } from './children/recorded-run.js';
import { temporaryFolder } from './sample-run.js';

let bundle = '';

beforeAll(async () => {
  bundle = await bundleRecordedRun();
});

afterAll(() => rmSync(bundle, { force: true }));

async function inProcess(
  task: RecordedTask,
): Promise<{ readonly code: number | null; readonly signal: string | null }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bundle, JSON.stringify(task)], { stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
}

test('SAA-27, PSA-27: wherever the process of a run is killed, its record reads, and the run resumes to its answer and replays', async () => {
  let finished = false;
  let deaths = 0;
  for (let dieBefore = 1; !finished; dieBefore += 4) {
    const root = temporaryFolder();
    const { code, signal } = await inProcess({ root, dieBefore, tear: deaths % 2 === 1 });
    finished = code === 0;
    expect(finished || signal === 'SIGKILL').toBe(true);
    if (!finished) deaths += 1;
    const runs = openRunFolder(root);
    const before = await runs.read('r1');
    if (before.events.length === 0) {
      await expect(runs.resume('r1')).rejects.toSatisfy((error) => SkillsError.is(error, 'INVALID_RECORD'));
      continue;
    }
    // One that was killed before anything was asked is passed over.
    const asked = before.events.some(({ type }) => type === 'request_received');
    const ended = before.events.at(-1)?.type === 'run_finished';
    expect(before.cutOff).toBe(!ended);
    expect(await runs.list()).toMatchObject(
      asked
        ? [
            {
              kind: 'run',
              cutOff: !ended,
              summary: { status: ended ? 'finished' : expect.stringMatching(/^(?:open|working)$/u) },
            },
          ]
        : [],
    );
    if (!finished) expect(await inProcess({ root, resume: true })).toStrictEqual({ code: 0, signal: null });
    const after = await runs.read('r1');
    expect(after.events.slice(0, before.events.length)).toStrictEqual(before.events);
    expect(foldEvents(after.events)).toMatchObject({
      request: { text: question },
      answer: { text: finalText, stop: 'final_answer', degraded: false },
      finished: true,
    });
    expect(await replayRun(after, { sha256 })).toMatchObject({ same: true, events: after.events.length });
    expect(readdirSync(join(root, 'r1')).filter((name) => name.startsWith('events.torn'))).toHaveLength(
      before.torn === undefined ? 0 : 1,
    );
  }
  expect(deaths).toBeGreaterThan(8);
}, 120_000);

test('SAA-27: a run that is killed again and again while it resumes comes to its answer', async () => {
  const root = temporaryFolder();
  await inProcess({ root, dieBefore: 16 });
  let lives = 0;
  for (; lives < 30; lives += 1) {
    const { code } = await inProcess({ root, resume: true, dieBefore: 9 + lives, tear: true });
    if (code === 0) break;
  }
  expect(lives).toBeGreaterThan(1);
  const record = await openRunFolder(root).read('r1');
  expect(foldEvents(record.events).answer?.text).toBe(finalText);
  expect(await replayRun(record, { sha256 })).toMatchObject({ same: true });
}, 60_000);
