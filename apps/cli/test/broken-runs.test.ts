import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAgentWorld, writeScript } from './agent-world.js';
import type { SkillsRun, World } from './run-skills.js';

// A test runs several commands, each of which is a process.
vi.setConfig({ testTimeout: 90_000 });

let world: World;
beforeEach(() => {
  world = createAgentWorld();
});
afterEach(() => world.remove());

const runFolder = (...parts: string[]): string => join(world.project, '.agents', 'runs', ...parts);

/** Asks something that is answered at once. @returns the id of the run. */
async function ask(task: string): Promise<string> {
  const model = writeScript(world, [{ decide: { action: { kind: 'final_answer', content: 'Yes.' } } }]);
  const run = await world.run(['run', task, '--model', model, '--json']);
  expect(run.exitCode, run.stderr).toBe(0);
  return run.json().data.id as string;
}

function change(path: string, from: string | RegExp, to: string): void {
  const before = readFileSync(path, 'utf8');
  const after = before.replace(from, to);
  expect(after).not.toBe(before);
  writeFileSync(path, after);
}

const codeOf = ({ exitCode, stderr }: SkillsRun): readonly unknown[] => [
  exitCode,
  /^error\[(\w+)\]/mu.exec(stderr)?.[1],
];

/** What the list says in its lines of a run: the second column. */
async function states(): Promise<ReadonlyMap<string, string>> {
  const { stdout } = await world.run(['runs', 'list']);
  return new Map(
    stdout
      .split('\n')
      .map((line) => line.split(/ {2,}/u))
      .map(([id = '', state = '']) => [id, state]),
  );
}

test('PSA-25: a record that was changed in its middle is broken in the list, with exit code 1, and nothing is done with it', async () => {
  const whole = await ask('Whole');
  expect((await world.run(['runs', 'list'])).exitCode).toBe(0);
  const id = await ask('Changed');
  // Its end is as it was, and so is its run.json.
  change(runFolder(id, 'events.jsonl'), '"text":"Changed"', '"text":"Forged!"');
  expect(await states()).toEqual(
    new Map([
      [whole, 'answered'],
      [id, 'broken'],
      ['', ''],
    ]),
  );
  const list = await world.run(['runs', 'list', '--json']);
  expect([list.exitCode, list.json().data]).toEqual([
    1,
    {
      runs: [expect.objectContaining({ id: whole, problem: null, torn: false })],
      older: 0,
      others: 0,
      broken: [
        {
          id,
          folder: runFolder(id),
          code: 'INVALID_RECORD',
          message: expect.stringContaining('was changed'),
          hint: expect.any(String),
        },
      ],
    },
  ]);
  for (const words of [
    ['show', id],
    ['replay', id],
    ['resume', id],
    ['show', 'last'],
    ['resume', 'last', '--trust-project'],
  ]) {
    const run = await world.run(['runs', ...words]);
    expect(codeOf(run), words.join(' ')).toEqual([2, 'INVALID_RECORD']);
    expect(run.stderr).toContain(`hint: Nothing is done with it. Look at ${runFolder(id)}, and remove that`);
  }
  // What the hint says helps.
  rmSync(runFolder(id), { recursive: true });
  expect((await world.run(['runs', 'list'])).exitCode).toBe(0);
  expect((await world.run(['runs', 'show', 'last'])).stdout).toContain('> Whole');
});

test('PSA-25: events that were cut away, an empty file and a run.json that says otherwise are told; the events count', async () => {
  const [cut, emptied, forged] = [await ask('Cut'), await ask('Emptied'), await ask('Forged')];
  const events = readFileSync(runFolder(cut, 'events.jsonl'), 'utf8').split('\n');
  writeFileSync(runFolder(cut, 'events.jsonl'), `${events.slice(0, -3).join('\n')}\n`);
  truncateSync(runFolder(emptied, 'events.jsonl'));
  change(runFolder(forged, 'run.json'), '"text": "Forged"', '"text": "Something else"');
  const { exitCode, stdout, stderr } = await world.run(['runs', 'list']);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(new RegExp(`^${forged} .*  Forged; run\\.json says otherwise$`, 'mu'));
  expect(stdout).toMatch(new RegExp(`^${cut} +cut off .*; run\\.json says otherwise$`, 'mu'));
  expect(stdout).toMatch(new RegExp(`^${emptied} +broken +.* has no events, and its run\\.json counts \\d+\\.$`, 'mu'));
  expect(codeOf(await world.run(['runs', 'show', emptied]))).toEqual([2, 'INVALID_RECORD']);
  expect(stdout).not.toContain('Something else');
  expect(stderr).toContain('says otherwise than the events. Nothing is taken from it; it can be removed.');
  const shown = await world.run(['runs', 'show', forged]);
  expect([shown.exitCode, shown.stdout, shown.stderr]).toEqual([
    0,
    expect.stringContaining('> Forged'),
    expect.stringContaining('warning: '),
  ]);
  // Without any run.json there is nothing to contradict, and everything to tell.
  rmSync(runFolder(forged, 'run.json'));
  const { data } = (await world.run(['runs', 'list', '--json', '--limit', '1'])).json();
  expect(data.runs).toMatchObject([{ id: forged, request: 'Forged', status: 'finished', problem: null }]);
});

test('PSA-25: a run that was cut off before its first event is no run in the list, and told to whoever asks for it', async () => {
  for (const id of ['empty', 'no-line']) mkdirSync(runFolder(id, 'observations'), { recursive: true });
  for (const id of ['no-line', 'torn']) {
    mkdirSync(runFolder(id), { recursive: true });
    writeFileSync(runFolder(id, 'events.jsonl'), '');
  }
  appendFileSync(runFolder('torn', 'events.jsonl'), '{"type":"run_sta');
  expect(await world.run(['runs', 'list'])).toMatchObject({ exitCode: 0, stdout: 'No run was recorded here yet.\n' });
  for (const id of ['empty', 'no-line', 'torn']) {
    for (const command of ['show', 'replay', 'resume']) {
      const run = await world.run(['runs', command, id]);
      expect(codeOf(run), id).toEqual([2, 'INVALID_RECORD']);
      expect(run.stderr).toMatch(/hint: .* (?:folder|Look at) .*\bremove/u);
    }
  }
});

test('PSA-25: something that was kept and changed ends a replay with what to do about it; what is missing is a difference', async () => {
  const id = await ask('Kept');
  const [kept = ''] = readdirSync(runFolder(id, 'observations'));
  appendFileSync(runFolder(id, 'observations', kept), 'more');
  const changed = await world.run(['runs', 'replay', id]);
  expect(codeOf(changed)).toEqual([2, 'INVALID_RECORD']);
  expect(changed.stderr).toContain(`hint: Nothing is done with it. Look at ${runFolder(id)}, and remove that`);
  rmSync(runFolder(id, 'observations', kept));
  const missing = await world.run(['runs', 'replay', id]);
  expect([missing.exitCode, missing.stdout]).toEqual([
    1,
    expect.stringMatching(/^It differs at event \d+ .*is missing/mu),
  ]);
});

test('a record of a newer version is told as such, and hides no other', async () => {
  const known = await ask('Known');
  const id = await ask('Newer');
  change(runFolder(id, 'events.jsonl'), '"formatVersion":1', '"formatVersion":2');
  const { exitCode, stdout } = await world.run(['runs', 'list']);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(new RegExp(`^${known} +answered`, 'mu'));
  expect(stdout).toMatch(new RegExp(`^${id} +broken .*formatVersion 2`, 'mu'));
  for (const command of ['show', 'replay', 'resume']) {
    const run = await world.run(['runs', command, id]);
    expect(codeOf(run), command).toEqual([2, 'UNSUPPORTED_FORMAT']);
    expect(run.stderr).toContain('hint: Update skillpack.');
  }
});

test('what is no record is told in the list, without a character that acts, and runs of other folders are not found', async () => {
  await ask('Mine');
  mkdirSync(runFolder('a\u001B[2Jb\u202Ec'));
  writeFileSync(runFolder('a file'), '');
  const { exitCode, stdout, stderr } = await world.run(['runs', 'list']);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/^a file +broken/mu);
  expect(stdout).toContain('a<U+001B>[2Jb<U+202E>c');
  // oxlint-disable-next-line eslint/no-control-regex
  expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u202E]/u);
  for (const name of ['a file', 'a\u001B[2Jb\u202Ec', '../runs', 'x']) {
    const run = await world.run(['runs', 'show', name]);
    expect(run.exitCode, name).toBeGreaterThan(1);
    // oxlint-disable-next-line eslint/no-control-regex
    expect(run.stderr).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u202E]/u);
  }
  const elsewhere = world.path('elsewhere');
  mkdirSync(join(elsewhere, '.git'), { recursive: true });
  const there = await world.run(['runs', 'show', 'last'], { cwd: elsewhere });
  expect(codeOf(there)).toEqual([3, 'RUN_NOT_FOUND']);
  // What the hint says helps.
  const named = await world.run(['runs', 'show', 'last', '--cwd', world.project], { cwd: elsewhere });
  expect([named.exitCode, named.stdout]).toEqual([0, expect.stringContaining('> Mine')]);
});
