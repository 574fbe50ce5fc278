import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAgentWorld, rulesFor, writeScript } from './agent-world.js';
import { finished, type SkillsRun, type World } from './run-skills.js';
import { hasTmux, openTmux } from './tmux-terminal.js';

// A test runs several commands, each of which is a process.
vi.setConfig({ testTimeout: 90_000 });

let world: World;
beforeEach(() => {
  world = createAgentWorld();
});
afterEach(() => world.remove());

const windows = process.platform === 'win32';
const model = () => writeScript(world, rulesFor('greet', 'scripts/hello.sh', ['Ada']));

/** What is typed to go on, as a command told it, without the program. */
function told({ stderr, stdout }: SkillsRun): string {
  const [, line = ''] =
    /(?:To let it go on: |[Tt]o go on: |To let it take more: )skills (.*)$/mu.exec(stderr + stdout) ?? [];
  return line;
}

const paste = async (line: string, folder: string = world.project): Promise<SkillsRun> =>
  world.runShell(`cd '${folder}' && "$NODE" "$SKILLS" ${line}`);

test.skipIf(windows)('SAA-27: a run that ended at a limit stays open, and goes on with more, as it tells', async () => {
  const run = await world.run(['run', 'Greet Ada.', '--model', model(), '--approve', 'run_script', '--max-turns', '1']);
  expect([run.exitCode, run.stderr]).toEqual([1, expect.stringContaining('The agent did not finish: max_turns.')]);
  expect(told(run)).toMatch(
    /^runs resume \S+ --trust-project --model scripted:model\.json --approve run_script --max-turns 2$/u,
  );
  const list = await world.run(['runs', 'list']);
  expect(list.stdout).toMatch(/ max_turns .*; skills runs resume \S+ --trust-project --max-turns 2$/mu);
  const shown = await world.run(['runs', 'show', 'last']);
  expect(shown.stdout).toMatch(/not finished: max_turns, .*\nTo go on: skills runs resume /u);
  expect((await world.run(['runs', 'replay', 'last'])).exitCode).toBe(0);
  // Without more room nothing would come of it.
  const full = await world.run(['runs', 'resume', 'last', '--trust-project']);
  expect([full.exitCode, full.stderr]).toEqual([
    2,
    expect.stringContaining('--max-turns is 1, and its request took 1'),
  ]);
  const again = await paste(told(run));
  expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining('hello.sh Ada … ok')]);
  const done = await paste(told(again));
  expect([done.exitCode, done.stdout], done.stderr).toEqual([0, 'All is done.\nIn two lines.\n']);
  expect(done.stderr).not.toContain('hello.sh');
  const whole = await world.run(['runs', 'show', 'last']);
  expect(whole.stdout).toContain('it was given up here, and went on');
  expect(whole.stdout).not.toContain('cut off');
  expect((await world.run(['runs', 'replay', 'last'])).exitCode).toBe(0);
  const over = await world.run(['runs', 'resume', 'last', '--trust-project']);
  expect([over.exitCode, over.stderr]).toEqual([2, expect.stringContaining('has ended; nothing of it is open')]);
});

test.skipIf(windows)('a run whose time was up, or that was cancelled, goes on as it tells', async () => {
  const slow = '#!/bin/sh\ntouch started\n[ -e fast ] || sleep 60\necho "hello $1"\n';
  const script = join(world.home, '.agents', 'skills', 'greet', 'scripts', 'hello.sh');
  writeFileSync(script, slow);
  const words = ['run', 'Greet Ada.', '--model', model(), '--approve', 'run_script'];
  const late = await world.run([...words, '--timeout', '1']);
  expect([late.exitCode, late.stderr]).toEqual([
    1,
    expect.stringContaining('The agent did not finish: max_wall_time.'),
  ]);
  expect(told(late)).toMatch(/ --timeout 2$/u);
  writeFileSync(join(world.project, 'fast'), '');
  const more = await paste(told(late).replace(/--timeout 2$/u, '--timeout 600'));
  expect([more.exitCode, more.stdout], more.stderr).toEqual([0, 'All is done.\nIn two lines.\n']);
  rmSync(join(world.project, 'fast'));
  rmSync(join(world.project, 'started'));
  const child = world.start(words);
  await vi.waitFor(() => expect(existsSync(join(world.project, 'started'))).toBe(true), 60_000);
  child.kill('SIGINT');
  const stopped = await finished(child);
  expect([stopped.exitCode, stopped.stderr]).toEqual([130, expect.stringContaining('was cancelled')]);
  writeFileSync(join(world.project, 'fast'), '');
  const done = await paste(told(stopped));
  expect([done.exitCode, done.stdout], done.stderr).toEqual([0, 'All is done.\nIn two lines.\n']);
});

test.skipIf(windows)('in a folder of records that projects share, a command keeps to the runs of its own', async () => {
  const shared = world.path('shared');
  const other = world.path('other project');
  mkdirSync(join(other, '.git'), { recursive: true });
  const where = ['--runs-dir', shared];
  const words = ['run', 'Greet Ada.', '--model', model(), '--approve', 'run_script', ...where];
  await world.run([...words, '--max-turns', '2']);
  const there = await world.run(['runs', 'list', ...where], { cwd: other });
  expect(there.stdout).toBe('1 run of other projects lies here, too.\n');
  const none = await world.run(['runs', 'resume', 'last', '--trust-project', ...where], { cwd: other });
  expect([none.exitCode, none.stderr]).toEqual([3, expect.stringContaining('are of other projects')]);
  const here = (await world.run(['runs', 'list', '--json', ...where])).json().data as { runs: { id: string }[] };
  expect(here).toMatchObject({ others: 0, runs: [{ project: world.project }] });
  const id = here.runs[0]?.id ?? '';
  const record = readFileSync(join(shared, id, 'events.jsonl'), 'utf8');
  const resume = ['runs', 'resume', id, '--trust-project', '--max-turns', '9', '--approve', 'run_script', ...where];
  const refused = await world.run(resume, { cwd: other });
  expect([refused.exitCode, refused.stderr]).toEqual([
    2,
    expect.stringContaining(`is one of the project ${world.project}`),
  ]);
  expect(readFileSync(join(shared, id, 'events.jsonl'), 'utf8')).toBe(record);
  const [, line = ''] = /To go on with it there: skills (.*)$/mu.exec(refused.stderr) ?? [];
  const done = await paste(line, other);
  expect([done.exitCode, done.stdout], done.stderr).toEqual([0, 'All is done.\nIn two lines.\n']);
  expect((await world.run(['runs', 'replay', id, ...where])).exitCode).toBe(0);
});

test.skipIf(windows)(
  'a run that was answered before it was cut off is told as such, and a skill that is gone',
  async () => {
    const { id } = (
      await world.run(['run', 'Greet Ada.', '--model', model(), '--approve', 'run_script', '--json'])
    ).json().data as { id: string };
    const folder = join(world.project, '.agents', 'runs', id);
    const events = readFileSync(join(folder, 'events.jsonl'), 'utf8').trimEnd().split('\n');
    const cutTo = (count: number): void => {
      writeFileSync(join(folder, 'events.jsonl'), `${events.slice(0, count).join('\n')}\n`);
      rmSync(join(folder, 'run.json'), { force: true });
      rmSync(join(folder, 'final.md'), { force: true });
    };
    cutTo(events.length - 1);
    const idle = await world.run(['runs', 'resume', id, '--trust-project']);
    expect([idle.exitCode, idle.stderr]).toEqual([0, expect.stringContaining('Nothing of it was open')]);
    expect((await world.run(['runs', 'show', id])).stdout).toContain('it was taken up again here');
    cutTo(events.findIndex((line) => line.includes('"type":"turn_finished"')) + 1);
    rmSync(join(world.home, '.agents', 'skills', 'greet'), { recursive: true });
    const gone = await world.run(['runs', 'resume', id, '--trust-project', '--approve', 'run_script']);
    expect(gone.stderr).toContain('greet, which the run had read, is not there any more');
    expect((await world.run(['runs', 'show', id])).stdout).toContain(
      'greet, which the run had read, is not there any more',
    );
  },
);

test.skipIf(!hasTmux)('what a script is at is shown at a terminal while it works, and not afterwards', async () => {
  const slow = '#!/bin/sh\nwhile [ ! -e fast ]; do sleep 0.1; done\necho "hello $1"\n';
  writeFileSync(join(world.home, '.agents', 'skills', 'greet', 'scripts', 'hello.sh'), slow);
  rmSync(join(world.project, '.agents', 'skills'), { recursive: true });
  using terminal = openTmux(world, ['run', 'Greet Ada.', '--model', model()]);
  await terminal.see('Allow it?');
  expect(terminal.screen()).not.toContain('Ctrl-C cancels');
  terminal.type('y');
  terminal.press('Enter');
  await terminal.see('run greet/scripts/hello.sh Ada, Ctrl-C cancels (');
  writeFileSync(join(world.project, 'fast'), '');
  expect(await terminal.ended()).toBe(0);
  expect(terminal.screen()).not.toContain('Ctrl-C cancels');
  expect(terminal.screen()).toContain('hello.sh Ada … ok');
});

test.skipIf(windows)(
  'a command that goes on says that the project is trusted only where nobody has said so',
  async () => {
    await world.run(['run', 'Greet Ada.', '--model', model(), '--max-turns', '1']);
    expect((await world.run(['runs', 'list'])).stdout).toMatch(/ --trust-project /u);
    const trusted = { formatVersion: 1, projects: [realpathSync(world.project)] };
    writeFileSync(join(world.home, '.agents', 'trusted-projects.json'), JSON.stringify(trusted), { mode: 0o600 });
    const list = await world.run(['runs', 'list']);
    expect(list.stdout).toMatch(/; skills runs resume \S+ --max-turns 2$/mu);
    expect((await world.run(['runs', 'show', 'last'])).stdout).toMatch(
      /^To go on: skills runs resume \S+ --max-turns 2$/mu,
    );
  },
);
