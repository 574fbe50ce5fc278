import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAgentWorld, rulesFor, writeScript } from './agent-world.js';
import { makeSkill } from './make-skill.js';
import { finished, type SkillsRun, type World } from './run-skills.js';

// A test runs several commands, each of which is a process.
vi.setConfig({ testTimeout: 90_000 });

let world: World;
/** A folder of no project, from which the commands are typed. */
let elsewhere: string;
/** What says there where the project and its records are. */
let where: readonly string[];
beforeEach(() => {
  world = createAgentWorld();
  elsewhere = world.path('elsewhere');
  mkdirSync(join(elsewhere, '.git'), { recursive: true });
  where = ['--cwd', '../home/project', '--runs-dir=kept runs'];
});
afterEach(() => world.remove());

const windows = process.platform === 'win32';
const recordOf = (id: string, ...parts: string[]): string => join(world.project, 'kept runs', id, ...parts);

/** The commands that a hint tells of, as one types them, without the program. */
function told({ stderr }: SkillsRun): readonly string[] {
  const hint = /^(?:hint: |The agent asks\. )(.*)$/mu.exec(stderr)?.[1] ?? '';
  const within = [...hint.matchAll(/`skills ([^`]*)`/gu)].map(([, line = '']) => line);
  const last = /: skills ([^`]*)$/u.exec(hint)?.[1];
  return [...within, ...(last === undefined ? [] : [last])];
}

/** Does what was told, in the folder where it was told. */
async function paste(line: string | undefined, folder: string = elsewhere): Promise<SkillsRun> {
  expect(line).toBeDefined();
  return world.runShell(`cd '${folder}' && "$NODE" "$SKILLS" ${line}`);
}

/** A run that was cut off after it had read the skill, before it ran the script. @returns its id. */
async function cutOff(): Promise<string> {
  const model = writeScript(world, rulesFor('greet', 'scripts/hello.sh', ['Ada']));
  const words = ['run', 'Greet Ada.', '--model', model, '--approve', 'run_script', '--json', '--runs-dir', 'kept runs'];
  const { id } = (await world.run(words)).json().data as { readonly id: string };
  const events = readFileSync(recordOf(id, 'events.jsonl'), 'utf8').split('\n');
  const end = events.findIndex((line) => line.includes('"type":"turn_finished"'));
  writeFileSync(recordOf(id, 'events.jsonl'), events.slice(0, end + 1).join('\n') + '\n');
  for (const name of ['run.json', 'final.md']) rmSync(recordOf(id, name));
  return id;
}

test.skipIf(windows)(
  'a run that goes on and needs a yes stays open, and goes on with the command in the hint',
  async () => {
    const id = await cutOff();
    const words = ['runs', 'resume', 'last', '--trust-project', ...where];
    for (const approve of [[], ['--approve', 'never'], ['--approve=ask']]) {
      const left = await world.run([...words, ...approve], { cwd: elsewhere });
      expect([left.exitCode, left.stderr]).toEqual([4, expect.stringContaining(`The run ${id} waits for a yes`)]);
    }
    const events = readFileSync(recordOf(id, 'events.jsonl'), 'utf8').trimEnd().split('\n');
    expect(events.at(-1)).toContain('"stop":"approval_required"');
    expect(events.join('\n')).not.toContain('run_finished');
    const left = await world.run([...words, '--json'], { cwd: elsewhere });
    expect(left.json().error).toMatchObject({ data: { run: id, tool: 'run_script', summary: 'scripts/hello.sh Ada' } });
    const [show, allow] = told(await world.run(words, { cwd: elsewhere }));
    const shown = await paste(show);
    expect(shown.stdout).toContain(`\nTo go on: skills runs resume ${id} --trust-project --cwd `);
    expect(shown.stdout).toContain('run greet/scripts/hello.sh Ada … no yes: Nobody sits at a terminal.\n');
    // Both lines together are as good as the hint.
    const added = /^It asks for the yes at a terminal; to say it beforehand, add: (--approve \S+)$/mu.exec(
      shown.stdout,
    )?.[1];
    expect(allow).toContain(added);
    const replayed = await world.run(['runs', 'replay', id, ...where], { cwd: elsewhere });
    expect(replayed.stdout).toMatch(/^The same: .*, which is not finished\.$/mu);
    const done = await paste(allow);
    expect([done.exitCode, done.stdout], done.stderr).toEqual([0, 'All is done.\nIn two lines.\n']);
    expect(done.stderr).not.toContain('Nobody knows');
    expect((await paste(show)).stdout).toContain('hello.sh Ada … ok ');
    expect((await world.run(['runs', 'replay', id, ...where], { cwd: elsewhere })).exitCode).toBe(0);
  },
);

test.skipIf(windows)('what a run may be resumed with is told for the place where the person was', async () => {
  const id = await cutOff();
  const approved = ['runs', 'resume', 'last', '--approve', 'run_script', ...where];
  const answer = await world.run([...approved, 'an', 'answer', '--trust-project'], { cwd: elsewhere });
  expect([answer.exitCode, answer.stderr]).toEqual([2, expect.stringContaining('asked nothing')]);
  const none = await world.run(['runs', 'show', 'nothing', ...where], { cwd: elsewhere });
  expect((await paste(told(none)[0])).stdout).toContain(id);
  const untrusted = await world.run(approved, { cwd: elsewhere });
  const [show, trusting, ...others] = told(untrusted);
  expect([untrusted.exitCode, others]).toEqual([4, []]);
  expect((await paste(show)).stdout).toContain('> Greet Ada.');
  const goOn = told(answer)[0];
  expect(goOn).toContain(' --trust-project --approve run_script ');
  expect(await paste(goOn)).toMatchObject({ exitCode: 0, stdout: 'All is done.\nIn two lines.\n' });
  // The other one was as good; it comes too late.
  expect((await paste(trusting)).stderr).toContain(`The run ${id} has ended`);
});

test.skipIf(windows)('a run that an untrusted project holds goes on with the command in the hint', async () => {
  await cutOff();
  const untrusted = await world.run(['runs', 'resume', 'last', '--approve=run_script', ...where], { cwd: elsewhere });
  expect(await paste(told(untrusted)[1])).toMatchObject({ exitCode: 0, stdout: 'All is done.\nIn two lines.\n' });
});

test.skipIf(windows)(
  'a project that is trusted for good is not trusted once more by the command in the hint',
  async () => {
    writeFileSync(
      join(world.home, '.agents', 'trusted-projects.json'),
      JSON.stringify({ formatVersion: 1, projects: [world.project] }),
      { mode: 0o600 },
    );
    const asks = writeScript(
      world,
      [{ decide: { action: { kind: 'ask_user', question: 'Which page?' } } }],
      'asks.json',
    );
    const model = writeScript(world, rulesFor('local', 'scripts/hello.sh', ['Ada']));
    const asked = await world.run(['run', 'Read it.', '--model', asks]);
    expect(told(asked)).toEqual([expect.stringMatching(/^runs resume \S+ 'your answer' --model /u)]);
    const left = await world.run(['run', 'Greet Ada.', '--model', model]);
    expect([left.exitCode, left.stderr]).toEqual([4, expect.not.stringContaining('--trust-project')]);
    expect(await paste(told(left).at(-1), world.project)).toMatchObject({
      exitCode: 0,
      stdout: 'All is done.\nIn two lines.\n',
    });
  },
);

test.skipIf(windows)('a question is answered with the command in the hint', async () => {
  const model = writeScript(world, [
    { when: { request: 'your answer' }, decide: { action: { kind: 'final_answer', content: 'Heard.' } } },
    { decide: { action: { kind: 'ask_user', question: 'Which page?' } } },
  ]);
  const run = ['run', 'Read it.', '--model', `scripted:${join(world.project, model.slice('scripted:'.length))}`];
  for (const ask of [run, ['runs', 'resume', 'last', '--trust-project']]) {
    if (ask !== run) await world.run([...run, ...where], { cwd: elsewhere });
    const asked = await world.run([...ask, ...where], { cwd: elsewhere });
    expect(asked.exitCode, asked.stderr).not.toBe(0);
    expect(await paste(told(asked)[0])).toMatchObject({ exitCode: 0, stdout: 'Heard.\n' });
  }
});

test.skipIf(windows)('what a cancelled run did is shown by the command in the hint', async () => {
  makeSkill(join(world.home, '.agents', 'skills', 'slow'), {
    files: { 'scripts/slow.sh': '#!/bin/sh\ntouch begun\nwhile :; do sleep 0.1; done\n' },
  });
  const model = writeScript(world, rulesFor('slow', 'scripts/slow.sh'));
  const words = ['run', 'Slowly.', '--model', model, '--approve', 'run_script', ...where];
  const child = world.start(words, { cwd: elsewhere });
  const ended = finished(child);
  await expect.poll(() => existsSync(join(world.project, 'begun')), { timeout: 60_000 }).toBe(true);
  child.kill('SIGINT');
  const cancelled = await ended;
  expect(cancelled.exitCode).toBe(130);
  expect((await paste(told(cancelled)[0])).stdout).toContain('run slow/scripts/slow.sh … cancelled');
});

test.skipIf(windows)('what needs a yes or trust in a folder of the project is told for that folder', async () => {
  const below = join(world.project, 'below');
  mkdirSync(below);
  const [, script, answer] = rulesFor('local', 'scripts/hello.sh', ['Ada']);
  writeScript(world, [{ when: { turn: 1 }, decide: script!.decide }, answer!], 'below/model.json');
  const run = ['run', 'Go on.', '--model', 'scripted:model.json'];
  const untrusted = await world.run([...run, '--skill', 'local'], { cwd: below });
  const [inspect, trusting] = told(untrusted);
  expect((await paste(inspect, below)).stdout).toContain('Secret of the project.');
  const unapproved = await paste(trusting, below);
  expect(unapproved.exitCode, unapproved.stderr).toBe(4);
  expect(await paste(told(unapproved).at(-1), below)).toMatchObject({
    exitCode: 0,
    stdout: 'All is done.\nIn two lines.\n',
  });
});

test.skipIf(windows)(
  'PSA-15: a run that needs a yes is completed by the command that is told, whatever its skill and its folders are called',
  async () => {
    const odd = `we're (odd), "$HOME" \`id\` 100% @1a2b; 日本`;
    const folder = join(world.home, '.agents', 'skills', 'odd');
    makeSkill(folder, {
      frontMatter: `name: ${JSON.stringify(odd)}\ndescription: Is odd.`,
      files: { 'scripts/hello.sh': '#!/bin/sh\necho "hello $1"\n' },
    });
    const records = `it's "kept" $HERE (all), \`here\``;
    const [read, ...others] = rulesFor(odd, 'scripts/hello.sh', [`'; rm -rf "$HOME" #`]);
    const model = writeScript(world, [{ when: { turn: 1 }, decide: read!.decide }, ...others]);
    const words = [
      'run',
      `It's "odd" $HOME\n\`now\` --`,
      '--model',
      model,
      '--runs-dir',
      records,
      '--',
      '--not-an-option',
    ];
    const run = await world.run(words);
    expect([run.exitCode, run.stderr]).toEqual([4, expect.stringContaining('waits for a yes')]);
    const [, line] = /; to allow it[^:]*: skills (.*)$/mu.exec(run.stderr) ?? [];
    const done = await paste(line, world.project);
    expect([done.exitCode, done.stdout], `${line}\n${done.stderr}`).toEqual([0, 'All is done.\nIn two lines.\n']);
    const shown = await world.run(['runs', 'show', 'last', '--runs-dir', records, '--json']);
    expect(shown.json().data).toMatchObject({
      requests: [{ text: `It's "odd" $HOME\n\`now\` -- --not-an-option` }],
    });
    expect(shown.json().data.scripts).toMatchObject([{ skill: odd }, { skill: odd, exitCode: 0 }]);
    expect((await world.run(['runs', 'list', '--runs-dir', records, '--json'])).json().data.runs).toHaveLength(1);
  },
);
