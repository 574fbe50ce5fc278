import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { messages, sayInForm, send } from '../../../test/provider-server.js';
import { createAgentWorld, rulesFor, writeInProject } from './agent-world.js';
import { refuse, sentKey, startModelServer } from './model-server.js';
import type { World } from './run-skills.js';

// A test runs several commands, each of which is a process.
vi.setConfig({ testTimeout: 90_000 });

let world: World;
beforeEach(() => {
  world = createAgentWorld();
});
afterEach(() => world.remove());

const task = ['run', 'Greet Ada, please.', '--model'];
const answer = 'Hello, Ada. – 三ページ\nIn two lines.\n';
const model = 'anthropic:claude-sonnet-4-5';

/** Records a run over HTTP, and ends the server. */
async function record(file: string): Promise<void> {
  const provider = await startModelServer(messages);
  const env = { ANTHROPIC_API_KEY: sentKey, ANTHROPIC_BASE_URL: provider.origin };
  const ran = await world.run([...task, model, '--trust-project', '--record', file], { env });
  await provider.close();
  expect([ran.exitCode, ran.stdout]).toEqual([0, answer]);
  expect(ran.stderr).toContain(`\nmodel calls kept in ${join(world.project, file)}\n`);
}

/** What happened in the newest run of a project: without when, and what follows from that. */
function eventsIn(project: string): readonly object[] {
  const runs = join(project, '.agents', 'runs');
  const newest =
    readdirSync(runs)
      .filter((name) => name !== '.gitignore')
      .toSorted()
      .at(-1) ?? '';
  const lines = readFileSync(join(runs, newest, 'events.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
  const varying = new Set(['run', 'at', 'prev', 'hash', 'duration', 'id', 'project', 'setup']);
  return lines.map((line) => {
    const text = line.replaceAll(project, '{project}').replaceAll(newest, '{run}');
    return JSON.parse(text, (name, value: unknown) => (varying.has(name) ? undefined : value)) as object;
  });
}

test('PSA-29: a run that was recorded once replays in another folder, without a server and without a key, to the same answer and events', async () => {
  await record('calls.jsonl');
  const other = join(world.home, 'elsewhere', 'copy of it');
  mkdirSync(join(other, '.git'), { recursive: true });
  cpSync(join(world.project, '.agents', 'skills'), join(other, '.agents', 'skills'), { recursive: true });
  cpSync(join(world.project, 'calls.jsonl'), join(other, 'calls.jsonl'));
  const replayed = await world.run([...task, 'recorded:calls.jsonl', '--trust-project'], { cwd: other });
  expect([replayed.exitCode, replayed.stdout, replayed.stderr]).toEqual([
    0,
    answer,
    expect.stringMatching(/read greet[^]* out.*, when it was recorded\n/u),
  ]);
  const recorded = eventsIn(world.project);
  expect(recorded.length).toBeGreaterThan(10);
  expect(eventsIn(other).map((event) => Object.keys(event))).toEqual(recorded.map((event) => Object.keys(event)));
  const said = (events: readonly object[]) =>
    events.filter((event) => 'type' in event && event.type === 'model_answered');
  expect(said(eventsIn(other))).toEqual(said(recorded));
  const cassette = readFileSync(join(world.project, 'calls.jsonl'), 'utf8');
  for (const text of [sentKey, world.home, world.project]) expect(cassette).not.toContain(text);
});

test('a recording is found where the command works, and replays for a person with another home', async () => {
  const provider = await startModelServer(messages);
  const env = { ANTHROPIC_API_KEY: sentKey, ANTHROPIC_BASE_URL: provider.origin };
  const words = ['--cwd', world.project, '--record', 'calls.jsonl', '--trust-project'];
  const ran = await world.run([...task, model, ...words], { env, cwd: world.path() });
  await provider.close();
  expect([ran.exitCode, existsSync(join(world.project, 'calls.jsonl'))]).toEqual([0, true]);
  const home = world.path('home of another');
  cpSync(world.home, home, { recursive: true });
  const there = ['--cwd', join(home, 'project'), '--trust-project'];
  const replayed = await world.run([...task, 'recorded:calls.jsonl', ...there], {
    env: { HOME: home, USERPROFILE: home },
    cwd: world.path(),
  });
  expect([replayed.exitCode, replayed.stdout], replayed.stderr).toEqual([0, answer]);
  renameSync(join(home, '.agents'), world.path('moved'));
  const moved = { HOME: home, USERPROFILE: home, SKILLS_HOME: world.path('moved') };
  const again = await world.run([...task, 'recorded:calls.jsonl', ...there], { env: moved, cwd: world.path() });
  expect([again.exitCode, again.stdout], again.stderr).toEqual([0, answer]);
});

test('what was not recorded ends the run: nobody is asked instead, and the difference to what was recorded is told', async () => {
  await record('calls.jsonl');
  const missed = await world.run(['run', 'Greet Bob, please.', '--model', 'recorded:calls.jsonl', '--trust-project']);
  expect([missed.exitCode, missed.stdout]).toEqual([3, '']);
  expect(missed.stderr).toContain('error[RECORDING_NOT_FOUND]: ');
  expect(missed.stderr).toMatch(/^\s*- .*Greet Ada, please\./mu);
  expect(missed.stderr).toMatch(/^\s*\+ .*Greet Bob, please\./mu);
});

test.skipIf(process.platform === 'win32')(
  'what scripts did is done again on replay, and comes to the same, however much time a run has',
  async () => {
    const decisions = rulesFor('greet', 'scripts/hello.sh', ['Ada']).map(({ decide }) => JSON.stringify(decide));
    const provider = await startModelServer(messages, async (call, out, turn) =>
      send(messages, { call, out }, sayInForm(call, decisions[turn] ?? '')),
    );
    const env = { ANTHROPIC_API_KEY: sentKey, ANTHROPIC_BASE_URL: provider.origin };
    const words = ['--approve', 'run_script'];
    const ran = await world.run([...task, model, ...words, '--record', 'calls.jsonl', '--timeout', '500'], { env });
    await provider.close();
    const replayed = await world.run([...task, 'recorded:calls.jsonl', ...words, '--timeout', '300']);
    for (const { exitCode, stdout, stderr } of [ran, replayed]) {
      expect([exitCode, stdout]).toEqual([0, 'All is done.\nIn two lines.\n']);
      expect(stderr).toContain('run greet/scripts/hello.sh Ada … ok');
    }
  },
);

test('a recording that was made with other skills is refused', async () => {
  await record('calls.jsonl');
  writeInProject(world, '.agents/skills/local/scripts/hello.sh', '#!/bin/sh\necho changed\n');
  const stale = await world.run([...task, 'recorded:calls.jsonl', '--trust-project']);
  expect([stale.exitCode, stale.stdout]).toEqual([4, '']);
  expect(stale.stderr).toContain('error[RECORDING_STALE]: ');
  expect(stale.stderr).toContain('local');
});

test('a run that comes to no answer leaves the recording as it was', async () => {
  await record('calls.jsonl');
  const path = join(world.project, 'calls.jsonl');
  const before = readFileSync(path, 'utf8');
  const provider = await startModelServer(messages, async (_call, out) =>
    refuse(out, { status: 401, body: { type: 'error', error: { type: 'authentication_error', message: 'No.' } } }),
  );
  const env = { ANTHROPIC_API_KEY: sentKey, ANTHROPIC_BASE_URL: provider.origin };
  const failed = await world.run([...task, model, '--record', 'calls.jsonl'], { env });
  await provider.close();
  expect([failed.exitCode, failed.stderr]).toEqual([4, expect.stringContaining(`${path} is as it was.`)]);
  expect(readFileSync(path, 'utf8')).toBe(before);
  expect(readdirSync(world.project).filter((name) => name.includes('calls'))).toEqual(['calls.jsonl']);
  const never = await world.run([...task, 'openai:gpt-5', '--record', 'new.jsonl']);
  expect([never.exitCode, existsSync(join(world.project, 'new.jsonl'))]).toEqual([4, false]);
});

test.skipIf(process.platform === 'win32')(
  'a recording that cannot be kept takes no answer with it, and one that has no folder asks no model',
  async () => {
    const path = join(world.project, 'kept', 'calls.jsonl');
    const provider = await startModelServer(messages, async (call, out) => {
      // What was a place for a file is one no more.
      mkdirSync(join(path, 'in-the-way'), { recursive: true });
      await send(messages, { call, out }, sayInForm(call, '{"action":{"kind":"final_answer","content":"Hello."}}'));
    });
    const env = { ANTHROPIC_API_KEY: sentKey, ANTHROPIC_BASE_URL: provider.origin };
    const none = await world.run([...task, model, '--record', 'kept/calls.jsonl'], { env });
    expect([none.exitCode, none.stderr]).toEqual([3, expect.stringContaining('error[FILE_NOT_FOUND]')]);
    expect(none.stderr).toContain(`hint: Make it first: mkdir -p ${join(world.project, 'kept')}`);
    expect([provider.calls, existsSync(join(world.project, '.agents', 'runs'))]).toEqual([[], false]);
    mkdirSync(join(world.project, 'kept'));
    const lost = await world.run([...task, model, '--record', 'kept/calls.jsonl'], { env });
    await provider.close();
    expect(lost.exitCode).not.toBe(0);
    const [, id = ''] = /^hint: .* not lost: `skills runs show (\S+)`$/mu.exec(lost.stderr) ?? [];
    expect((await world.run(['runs', 'show', id])).stdout).toContain('Hello.');
  },
);

test('what plays a recording is not recorded, and what is none is refused', async () => {
  writeFileSync(join(world.project, 'calls.jsonl'), 'no recording\n');
  const both = await world.run([...task, 'recorded:calls.jsonl', '--record', 'calls.jsonl']);
  expect([both.exitCode, both.stderr]).toEqual([2, expect.stringContaining('--record keeps what a model answers')]);
  const gone = await world.run([...task, 'recorded:gone.jsonl']);
  expect([gone.exitCode, gone.stderr]).toEqual([
    3,
    expect.stringContaining('hint: skills run … --record <file> makes'),
  ]);
  const none = await world.run([...task, 'recorded:calls.jsonl']);
  expect([none.exitCode, none.stderr]).toEqual([2, expect.stringContaining('error[INVALID_CASSETTE]')]);
});

test('the calls with which a run goes on are recorded, too, and replay where the same record is taken up', async () => {
  const decisions = [
    { action: { kind: 'ask_user', question: 'Whom?' } },
    { action: { kind: 'final_answer', content: 'Hello, Ada.' } },
  ];
  const provider = await startModelServer(messages, async (call, out, turn) =>
    send(messages, { call, out }, sayInForm(call, JSON.stringify(decisions[turn]))),
  );
  const env = { ANTHROPIC_API_KEY: sentKey, ANTHROPIC_BASE_URL: provider.origin };
  expect((await world.run(['run', 'Greet.', '--model', model], { env })).stdout).toBe('Whom?\n');
  const runs = join(world.project, '.agents', 'runs');
  cpSync(runs, world.path('before'), { recursive: true });
  const resume = ['runs', 'resume', 'last', 'Ada', '--trust-project'];
  const went = await world.run([...resume, '--model', model, '--record', 'rest.jsonl'], { env });
  await provider.close();
  expect([went.exitCode, went.stdout]).toEqual([0, 'Hello, Ada.\n']);
  expect(went.stderr).toContain(`\nmodel calls kept in ${join(world.project, 'rest.jsonl')}\n`);
  rmSync(runs, { recursive: true });
  cpSync(world.path('before'), runs, { recursive: true });
  const replayed = await world.run([...resume, '--model', 'recorded:rest.jsonl']);
  expect([replayed.exitCode, replayed.stdout]).toEqual([0, 'Hello, Ada.\n']);
});

test('a chat is recorded as a run is, and replays line by line', async () => {
  const provider = await startModelServer(messages);
  const line = '{ echo "Greet Ada."; echo "Once more."; } | "$NODE" "$SKILLS" chat --trust-project';
  const env = `ANTHROPIC_API_KEY=${sentKey} ANTHROPIC_BASE_URL=${provider.origin}`;
  const talked = await world.runShell(`export ${env}; ${line} --model ${model} --record calls.jsonl`);
  await provider.close();
  expect(talked.stderr).toContain('model calls kept in');
  const replayed = await world.runShell(`${line} --model recorded:calls.jsonl`);
  expect([replayed.exitCode, replayed.stdout]).toEqual([talked.exitCode, talked.stdout]);
  expect(replayed.stdout).toContain('Hello, Ada.');
});

test('a run that was played goes on with its recording: no provider is asked that nobody named', async () => {
  await record('calls.jsonl');
  const provider = await startModelServer(messages);
  const env = { ANTHROPIC_API_KEY: sentKey, ANTHROPIC_BASE_URL: provider.origin };
  const below = join(world.project, 'below');
  mkdirSync(below);
  const played = await world.run(['run', 'Greet Bob.', '--model', 'recorded:../calls.jsonl', '--trust-project'], {
    env,
    cwd: below,
  });
  expect(played.exitCode).toBe(3);
  expect((await world.run(['runs', 'show', 'last'])).stdout).toContain(', recorded:calls.jsonl, ');
  const went = await world.run(['runs', 'resume', 'last', '--trust-project'], { env, cwd: below });
  await provider.close();
  expect([went.exitCode, went.stderr]).toEqual([3, expect.stringContaining('error[RECORDING_NOT_FOUND]')]);
  expect(provider.calls).toEqual([]);
});

test('where the project is the person’s home, or their folder of skills, runs are recorded and played', async () => {
  const home = { HOME: world.project, USERPROFILE: world.project };
  for (const places of [home, { SKILLS_HOME: world.project }, { SKILLS_HOME: join(world.project, '.agents') }]) {
    const provider = await startModelServer(messages, async (call, out) =>
      send(messages, { call, out }, sayInForm(call, '{"action":{"kind":"final_answer","content":"Hello."}}')),
    );
    const env = { ...places, ANTHROPIC_API_KEY: sentKey, ANTHROPIC_BASE_URL: provider.origin };
    const ran = await world.run([...task, model, '--trust-project', '--record', 'calls.jsonl'], { env });
    await provider.close();
    expect([ran.exitCode, ran.stdout], ran.stderr).toEqual([0, 'Hello.\n']);
    const played = await world.run([...task, 'recorded:calls.jsonl', '--trust-project'], { env: places });
    expect([played.exitCode, played.stdout], played.stderr).toEqual([0, 'Hello.\n']);
  }
});

test('with --scope project, a recording replays where other skills are the person’s own, and not where one of its own changed', async () => {
  const decisions = [
    { action: { kind: 'select_skills', skills: [{ name: 'local' }], reason: 'It fits.' } },
    { action: { kind: 'final_answer', content: 'Hello.' } },
  ].map((decision) => JSON.stringify(decision));
  const provider = await startModelServer(messages, async (call, out, turn) =>
    send(messages, { call, out }, sayInForm(call, decisions[turn] ?? '')),
  );
  const env = { ANTHROPIC_API_KEY: sentKey, ANTHROPIC_BASE_URL: provider.origin };
  const words = ['--trust-project', '--scope', 'project'];
  const ran = await world.run([...task, model, ...words, '--record', 'calls.jsonl'], { env });
  await provider.close();
  expect([ran.exitCode, ran.stdout], ran.stderr).toEqual([0, 'Hello.\n']);
  const machine = { HOME: world.path('ci'), USERPROFILE: world.path('ci') };
  mkdirSync(world.path('ci'));
  const played = await world.run([...task, 'recorded:calls.jsonl', ...words], { env: machine });
  expect([played.exitCode, played.stdout], played.stderr).toEqual([0, 'Hello.\n']);
  const all = await world.run([...task, 'recorded:calls.jsonl', '--trust-project'], { env: machine });
  expect([all.exitCode, all.stderr]).toEqual([4, expect.stringContaining('--scope')]);
  writeInProject(world, '.agents/skills/local/scripts/hello.sh', '#!/bin/sh\necho changed\n');
  const stale = await world.run([...task, 'recorded:calls.jsonl', ...words], { env: machine });
  expect([stale.exitCode, stale.stderr]).toEqual([4, expect.stringContaining('error[RECORDING_STALE]')]);
});
