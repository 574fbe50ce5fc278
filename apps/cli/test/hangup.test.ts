import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAgentWorld, rulesFor, writeScript } from './agent-world.js';
import { hasSandbox } from './has-sandbox.js';
import { hasTmux, openTestTerminal, type TestTerminal } from './chat-terminal.js';
import { makeSkill } from './make-skill.js';
import { finished, type World } from './run-skills.js';

let world: World;
let model: string;

beforeEach(() => {
  world = createAgentWorld();
  // Its name is there once all of it is.
  const script = '#!/bin/sh\necho $$ > part\necho "$TMPDIR" >> part\nmv part begun\nwhile :; do sleep 0.1; done\n';
  makeSkill(join(world.home, '.agents', 'skills', 'slow'), { files: { 'scripts/slow.sh': script } });
  model = writeScript(world, rulesFor('slow', 'scripts/slow.sh'));
  // There, no process is called by the number that it has here.
  writeFileSync(join(world.home, '.agents', 'config.json'), JSON.stringify({ sandbox: 'off' }));
});
afterEach(() => world.remove());

/** The process of the script and its temporary folder, once it runs. */
async function begun(): Promise<{ readonly pid: number; readonly folder: string }> {
  const path = join(world.project, 'begun');
  await expect.poll(() => existsSync(path), { timeout: 30_000 }).toBe(true);
  const [pid = '', folder = ''] = readFileSync(path, 'utf8').split('\n');
  expect([Number(pid) > 1, existsSync(folder)]).toEqual([true, true]);
  return { pid: Number(pid), folder };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function record(): string {
  const runs = join(world.project, '.agents', 'runs');
  const [id = ''] = readdirSync(runs).filter((name) => !name.startsWith('.'));
  return readFileSync(join(runs, id, 'events.jsonl'), 'utf8');
}

// A chat is over then; a run can go on.
const finishedRecord = /"stop":"cancelled"[^\n]*\n(?:[^\n]*"type":"run_finished"[^\n]*\n)?$/u;

describe.skipIf(process.platform === 'win32')('a signal while a script runs', { timeout: 90_000 }, () => {
  test.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGQUIT', 131],
  ] as const)('%s ends the script, removes its folder and closes the record', async (signal, code) => {
    const child = world.start(['run', 'slow', '--model', model, '--approve', 'run_script']);
    const ended = finished(child);
    const { pid, folder } = await begun();
    child.kill(signal);
    // A shell says it to its jobs, and the system to those in the foreground.
    if (signal === 'SIGHUP') child.kill(signal);
    expect(await ended).toMatchObject({ exitCode: code, stderr: expect.stringContaining('error[INTERRUPTED]') });
    expect([isRunning(pid), existsSync(folder)]).toEqual([false, false]);
    expect(record()).toMatch(finishedRecord);
  });

  test('a second one ends the command at once, and the script with it', async () => {
    makeSkill(join(world.home, '.agents', 'skills', 'deaf'), {
      files: {
        'scripts/deaf.sh':
          '#!/bin/sh\ntrap "touch heard" TERM\necho $$ > part\necho "$TMPDIR" >> part\nmv part begun\nwhile :; do sleep 0.1; done\n',
      },
    });
    model = writeScript(world, rulesFor('deaf', 'scripts/deaf.sh'));
    const child = world.start(['run', 'deaf', '--model', model, '--approve', 'run_script']);
    const ended = finished(child);
    const { pid, folder } = await begun();
    child.kill('SIGINT');
    await expect.poll(() => existsSync(join(world.project, 'heard')), { timeout: 20_000 }).toBe(true);
    child.kill('SIGTERM');
    expect((await ended).exitCode).toBe(143);
    await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false);
    expect(existsSync(folder)).toBe(false);
  });
});

test.skipIf(!hasSandbox)('a signal ends all that a script started in a sandbox', { timeout: 90_000 }, async () => {
  const pipe = join(world.project, 'pipe');
  execFileSync('mkfifo', [pipe]);
  // Whatever is started has the pipe open as long as it runs.
  const deaf =
    '#!/bin/sh\ntrap "" TERM\nexec 3> pipe\n(setsid sleep 1000 &)\ntouch begun\nwhile :; do sleep 0.1; done\n';
  makeSkill(join(world.home, '.agents', 'skills', 'slow'), { files: { 'scripts/slow.sh': deaf } });
  const child = world.start(['run', 'slow', '--model', model, '--approve', 'run_script', '--sandbox', 'required']);
  const ended = finished(child);
  await using reading = await open(pipe, 'r');
  await expect.poll(() => existsSync(join(world.project, 'begun')), { timeout: 30_000 }).toBe(true);
  child.kill('SIGTERM');
  expect(await reading.readFile('utf8')).toBe('');
  expect((await ended).exitCode).toBe(143);
  expect(record()).toMatch(finishedRecord);
});

describe.skipIf(!hasTmux)('a terminal that is closed', { timeout: 90_000 }, () => {
  let terminal: TestTerminal;
  beforeEach(async () => {
    terminal = openTestTerminal(world);
    await terminal.seen(/^\$$/mu);
  });
  afterEach(() => terminal.close());

  const enter = (line: string): void => {
    terminal.type(line);
    terminal.press('Enter');
  };

  test.each([
    ['run', (): void => enter(`skills run slow --trust-project --model ${model} --approve run_script`)],
    ['chat', (): void => enter(`skills chat --trust-project --model ${model} --approve run_script`)],
  ])('under skills %s: the script ends, and the record is whole', async (name, start) => {
    start();
    if (name === 'chat') {
      await terminal.seen(/^>$/mu);
      enter('slow');
    }
    const { pid, folder } = await begun();
    terminal.close();
    await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false);
    await expect.poll(record, { timeout: 20_000 }).toMatch(finishedRecord);
    await expect.poll(() => existsSync(folder), { timeout: 20_000 }).toBe(false);
  });

  test('while a question waits: nothing runs, and the record is whole', async () => {
    enter(`skills run slow --trust-project --model ${model}`);
    await terminal.seen(/Allow it\?/u);
    terminal.close();
    // Nobody works on it any more, and it can go on.
    const left = async (): Promise<unknown> =>
      (await world.run(['runs', 'list', '--json'])).json().data.runs[0].cutOff as unknown;
    await expect.poll(left, { timeout: 20_000 }).toBe(true);
    expect(record()).toMatch(/"type":"request_answered"[^\n]*\n$/u);
    expect(existsSync(join(world.project, 'begun'))).toBe(false);
  });
});
