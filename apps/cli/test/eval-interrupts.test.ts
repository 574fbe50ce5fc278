import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { chooseByWords, createEvalWorld, resultsIn, startChoosingServer, write, writeSkill } from './eval-world.js';
import { sentKey } from './model-server.js';
import { finished, type World } from './run-skills.js';
import { hasTmux, openTmux } from './tmux-terminal.js';

vi.setConfig({ testTimeout: 90_000 });

let world: World;
beforeEach(() => {
  world = createEvalWorld();
});
afterEach(() => world.remove());

const env = { SKILLS_MODEL_API_KEY: sentKey };
const out = (...parts: readonly string[]): string => join(world.project, '.agents', 'evals', ...parts);

test.skipIf(process.platform === 'win32').each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s keeps what has a result, leaves no folder behind, and the same command goes on',
  async (signal, code) => {
    const temporary = world.path('tmp');
    mkdirSync(temporary);
    const held = Promise.withResolvers<undefined>();
    let waiting = true;
    const provider = await startChoosingServer(async (call, turn) => {
      if (turn >= 3 && waiting) {
        held.resolve(undefined);
        // Until the connection is given up.
        await new Promise((resolve) => setTimeout(resolve, 30_000).unref());
      }
      return chooseByWords(call);
    });
    onTestFinished(async () => provider.close());
    const model = `openai-compatible:${provider.origin}/v1#small`;
    const words = ['eval', 'skills', '--filter', 'triggers', '--model', model, '--max-calls', '100', '--json'];
    const child = world.start([...words, '--concurrency', '1'], { env });
    await held.promise;
    child.kill(signal);
    const ended = await finished(child);
    expect(ended.exitCode).toBe(code);
    expect(ended.json()).toMatchObject({ ok: false, error: { code: 'INTERRUPTED', data: { planned: 15 } } });
    expect(ended.json().error?.hint).toContain('goes on from there');
    expect(resultsIn(out()).filter(({ outcome }) => outcome === 'passed')).toHaveLength(3);
    expect(readdirSync(temporary)).toEqual([]);
    waiting = false;
    const rest = await world.run(words, { env });
    expect(rest.exitCode, rest.stdout).toBe(0);
    expect(rest.json().data.report.counts).toMatchObject({ passed: 15, reused: 3 });
  },
);

test('two runs into one folder: the second is told that the first is at it', async () => {
  const told = Promise.withResolvers<undefined>();
  const provider = await startChoosingServer(async (call, turn) => {
    // The first run has a result, and is at the next trial until the second one has ended.
    if (turn === 1) await told.promise;
    return chooseByWords(call);
  });
  onTestFinished(async () => provider.close());
  const model = `openai-compatible:${provider.origin}/v1#small`;
  const words = ['eval', 'skills/table', '--model', model, '--max-calls', '100', '--json'];
  const first = world.start([...words, '--concurrency', '1'], { env });
  await expect.poll(() => provider.calls.length, { timeout: 20_000 }).toBe(2);
  const second = await world.run(words, { env });
  expect([second.exitCode, second.json().error?.code]).toEqual([6, 'BUSY']);
  told.resolve(undefined);
  expect((await finished(first)).exitCode).toBe(0);
});

describe.skipIf(!hasTmux)('at a terminal', () => {
  test('--watch runs again what a change concerns, tells what is wrong with a file, and ends with Ctrl-C', async () => {
    using terminal = openTmux(world, ['eval', 'skills', '--watch', '--approve', 'run_script,run_check'], { rows: 60 });
    await terminal.see('Waiting for changes');
    await terminal.see('✓ passed');
    expect(resultsIn(out())).toHaveLength(1);
    const tasks = join(world.project, 'skills', 'pdf', 'evals', 'tasks.json');
    const good = readFileSync(tasks, 'utf8');
    write(tasks, good.replace('3 pages', '4 pages'));
    await terminal.see('✗ failed');
    expect(resultsIn(out()).map(({ outcome }) => outcome)).toEqual(['passed', 'failed']);
    write(tasks, good.replace('"formatVersion":1,', '"formatVersion":1,,'));
    await terminal.see('tasks.json');
    write(tasks, good);
    await terminal.see('1 trial known from before');
    // What it came to is known from the first time.
    expect(resultsIn(out())).toHaveLength(2);
    writeSkill(world, 'pdf', 'Does something.');
    writeSkill(world, 'table', 'Counts and merges the pages of PDF documents, and of tables.');
    await terminal.see('✗ failed: Ranks: ');
    await terminal.see(/table took \d+ queries from pdf/u);
    terminal.press('C-c');
    expect(await terminal.ended()).toBe(0);
  });
});
