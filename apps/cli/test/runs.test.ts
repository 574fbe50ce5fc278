import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAgentWorld, rulesFor, writeScript } from './agent-world.js';
import { makeSkill } from './make-skill.js';
import { finished, type World } from './run-skills.js';

// A test runs several commands, each of which is a process.
vi.setConfig({ testTimeout: 90_000 });

let world: World;
beforeEach(() => {
  world = createAgentWorld();
});
afterEach(() => world.remove());

const windows = process.platform === 'win32';
const runFolder = (...parts: string[]): string => join(world.project, '.agents', 'runs', ...parts);

/** Runs the skill `greet` with its script. @returns the id of the run. */
async function greet(task: string): Promise<string> {
  const model = writeScript(world, rulesFor('greet', 'scripts/hello.sh', ['Ada']));
  const run = await world.run(['run', task, '--model', model, '--approve', 'run_script', '--json']);
  expect(run.exitCode, run.stderr).toBe(0);
  return run.json().data.id as string;
}

test.skipIf(windows)(
  'runs are listed, the newest first; one is shown by the beginning of its id, or as the last',
  async () => {
    const first = await greet('The first task');
    const second = await greet('The second task');
    const list = await world.run(['runs', 'list']);
    const lines = list.stdout.trimEnd().split('\n');
    expect(lines).toEqual([expect.stringContaining('The second task'), expect.stringContaining('The first task')]);
    expect(lines[0]).toMatch(/^\S+ {2}answered {2}greet {2}3 turns {2}\d\.\d s {2}The second task$/u);
    const { data } = (await world.run(['runs', 'list', '--json', '--limit', '1'])).json();
    expect(data).toMatchObject({
      older: 1,
      broken: [],
      runs: [{ id: second, skills: ['greet'], turns: 3, stop: 'final_answer' }],
    });
    const shown = await world.run(['runs', 'show', 'last']);
    expect(shown.stdout).toContain('> The second task');
    expect(shown.stdout).toMatch(/^ {2}read greet … ok \d\.\d s$/mu);
    expect(shown.stdout).toMatch(
      /^ {2}run greet\/scripts\/hello\.sh Ada … ok \d\.\d s, approved by --approve \(run\)$/mu,
    );
    expect(shown.stdout).toContain('< All is done.\n< In two lines.\n');
    expect(shown.stdout).toContain('3 turns (at most 12 a request), 2 actions (at most 30 a request), 1 script');
    const summary = JSON.parse(readFileSync(runFolder(first, 'run.json'), 'utf8')) as unknown;
    const asJson = (await world.run(['runs', 'show', first.slice(0, -1), '--json'])).json().data as unknown;
    const terms = { confinement: expect.toSatisfy((name) => name === null || name === 'bubblewrap') };
    expect(asJson).toEqual({
      ...(summary as object),
      ...terms,
      leaves: expect.any(Array),
      permissions: { configured: { allow: ['risk:low'], ask: ['risk:medium'], deny: [] } },
      cutOff: false,
      torn: false,
    });
  },
);

test.skipIf(windows)(
  'a run that is not there, and a beginning that several have, are told with what there is',
  async () => {
    const none = await world.run(['runs', 'show', 'last']);
    expect([none.exitCode, none.stderr]).toEqual([3, expect.stringContaining('error[RUN_NOT_FOUND]')]);
    expect((await world.run(['runs', 'list'])).stdout).toBe('No run was recorded here yet.\n');
    await greet('One');
    const id = await greet('Two');
    const several = await world.run(['runs', 'show', '20']);
    expect([several.exitCode, several.stderr]).toEqual([2, expect.stringContaining(id)]);
    for (const name of ['x', '../runs', `${id}x`, '']) {
      expect((await world.run(['runs', 'show', name])).exitCode, name).toBe(name === '' ? 2 : 3);
    }
  },
);

test.skipIf(windows)(
  'a run is replayed from its record alone, when its skills and its model are gone, too',
  async () => {
    const id = await greet('Replay me');
    rmSync(join(world.home, '.agents', 'skills'), { recursive: true });
    rmSync(join(world.project, 'model.json'));
    const same = await world.run(['runs', 'replay', 'last']);
    expect([same.exitCode, same.stdout]).toEqual([0, expect.stringMatching(/^The same: 2\d events of /u)]);
    const kept = runFolder(id, 'observations');
    const script =
      readdirSync(kept).find((name) => readFileSync(join(kept, name), 'utf8').includes('Greet kindly.')) ?? '';
    rmSync(join(kept, script));
    const differs = await world.run(['runs', 'replay', id, '--json']);
    expect([differs.exitCode, differs.json().data]).toEqual([1, expect.objectContaining({ run: id, same: false })]);
    expect(differs.json().data.reason).toContain(script);
  },
);

test.skipIf(windows)(
  'SAA-27: a run that is killed in the middle goes on, does nothing twice, and replays',
  { timeout: 60_000 },
  async () => {
    const slow = '#!/bin/sh\necho once >> calls\ntouch begun\nwhile [ ! -e go ]; do sleep 0.1; done\necho finished\n';
    makeSkill(join(world.home, '.agents', 'skills', 'slow'), {
      body: 'Be slow.\n',
      files: { 'scripts/slow.sh': slow },
    });
    const model = writeScript(world, [
      ...rulesFor('slow', 'scripts/slow.sh').slice(0, 1),
      { when: { observation: 'uncertain' }, decide: { action: { kind: 'final_answer', content: 'It may have run.' } } },
      ...rulesFor('slow', 'scripts/slow.sh').slice(1),
    ]);
    const child = world.start(['run', 'Do it slowly.', '--model', model, '--approve', 'run_script']);
    const ended = finished(child);
    await expect.poll(() => existsSync(join(world.project, 'begun')), { timeout: 20_000 }).toBe(true);
    for (const options of [[], ['--trust-project']]) {
      const busy = await world.run(['runs', 'resume', 'last', ...options]);
      expect([busy.exitCode, busy.stderr]).toEqual([6, expect.stringContaining('error[BUSY]')]);
    }
    const soFar = await world.run(['runs', 'replay', 'last']);
    expect([soFar.exitCode, soFar.stdout]).toEqual([
      0,
      expect.stringMatching(/^The same: .*, which is not finished\.$/mu),
    ]);
    expect((await world.run(['runs', 'show', 'last'])).stdout).toContain('run slow/scripts/slow.sh … under way\n');
    const [id = ''] = readdirSync(runFolder()).filter((name) => name !== '.gitignore');
    const said = async (): Promise<unknown> => ({
      list: (await world.run(['runs', 'list'])).stdout,
      show: (await world.run(['runs', 'show', id])).stdout.split('\n').slice(0, 2).join('\n'),
      cutOff: [
        (await world.run(['runs', 'list', '--json'])).json().data.runs[0].cutOff,
        (await world.run(['runs', 'show', id, '--json'])).json().data.cutOff,
      ],
    });
    expect(await said()).toEqual({
      list: expect.stringMatching(/^\S+ {2}working .*Do it slowly\.\n$/u),
      show: expect.stringMatching(/^\S+ {2}working, /u),
      cutOff: [false, false],
    });
    child.kill('SIGKILL');
    await ended;
    expect(await said()).toEqual({
      list: expect.stringMatching(
        new RegExp(`^\\S+ {2}cut off .*Do it slowly\\.; skills runs resume ${id} --trust-project\\n$`, 'u'),
      ),
      show: expect.stringMatching(
        new RegExp(`^\\S+ {2}cut off, .*\\nTo go on: skills runs resume ${id} --trust-project$`, 'u'),
      ),
      cutOff: [true, true],
    });
    writeFileSync(join(world.project, 'go'), '');
    appendFileSync(runFolder(id, 'events.jsonl'), '{"type":"torn');
    const lost = 'run slow/scripts/slow.sh … started, cut off: how it ended is not known\n';
    const torn = await world.run(['runs', 'show', id]);
    expect(torn.stdout).toContain(lost);
    expect(torn.stdout).toContain('The last line of its record was torn off while it was written');
    expect((await world.run(['runs', 'list', '--json'])).json().data.runs[0]).toMatchObject({
      torn: true,
      cutOff: true,
    });
    const skill = join(world.home, '.agents', 'skills', 'slow', 'SKILL.md');
    writeFileSync(skill, `${readFileSync(skill, 'utf8')}\nBe slower.\n`);
    const untrusted = await world.run(['runs', 'resume', id]);
    expect([untrusted.exitCode, untrusted.stderr]).toEqual([4, expect.stringContaining('--trust-project')]);
    const resumed = await world.run(['runs', 'resume', id, '--trust-project']);
    expect([resumed.exitCode, resumed.stdout], resumed.stderr).toEqual([
      0,
      expect.not.stringContaining('not finished'),
    ]);
    expect(readFileSync(join(world.project, 'calls'), 'utf8')).toBe('once\n');
    // The person is told what the model is told, and that the skill is another one now.
    expect(resumed.stderr).toMatch(
      /^warning: Nobody knows whether this took effect .*: run slow\/scripts\/slow\.sh\./mu,
    );
    const changed = /slow was changed meanwhile, and read anew: sha256:[0-9a-f]{12} instead of sha256:[0-9a-f]{12}$/mu;
    expect(resumed.stderr).toMatch(changed);
    const again = await world.run(['runs', 'resume', id, '--trust-project']);
    expect([again.exitCode, again.stderr]).toEqual([2, expect.stringContaining('has ended')]);
    const replayed = await world.run(['runs', 'replay', id]);
    expect([replayed.exitCode, replayed.stdout]).toEqual([0, expect.stringContaining('The same')]);
    const shown = (await world.run(['runs', 'show', id])).stdout;
    expect(shown).toContain(
      `${lost}  it was cut off here, and went on; the model was told that nobody knows whether that`,
    );
    expect(shown).toMatch(changed);
    expect(shown).not.toContain('torn off');
  },
);

test.skipIf(windows)('SAA-27: a script of replies goes on with the reply after those that count', async () => {
  makeSkill(join(world.home, '.agents', 'skills', 'slow'), {
    files: { 'scripts/slow.sh': '#!/bin/sh\ntouch begun\nwhile [ ! -e go ]; do sleep 0.1; done\n' },
  });
  const decide = rulesFor('slow', 'scripts/slow.sh').map((rule) => ({ decide: rule.decide }));
  const [read, run, answer] = decide;
  writeFileSync(join(world.project, 'list.json'), JSON.stringify({ formatVersion: 1, replies: [read, run, answer] }));
  const child = world.start(['run', 'Slowly.', '--model', 'scripted:list.json', '--approve', 'run_script']);
  const ended = finished(child);
  await expect.poll(() => existsSync(join(world.project, 'begun')), { timeout: 20_000 }).toBe(true);
  child.kill('SIGKILL');
  await ended;
  writeFileSync(join(world.project, 'go'), '');
  const resumed = await world.run(['runs', 'resume', 'last', '--trust-project', '--approve', 'run_script', '--json']);
  expect(resumed.exitCode, resumed.stderr).toBe(0);
  const { data } = resumed.json();
  expect(data.requests[0].answer.text).toBe('All is done.\nIn two lines.');
  expect(data.skills).toMatchObject([{ name: 'slow' }]);
  expect(data.resumed).toBe(1);
});

test.skipIf(windows)(
  'a run that asked something is told as such, with the command that answers from where that was said',
  async () => {
    const model = writeScript(world, [
      { when: { request: 'your answer' }, decide: { action: { kind: 'final_answer', content: 'Heard.' } } },
      { decide: { action: { kind: 'ask_user', question: 'Which page?' } } },
    ]);
    const asked = await world.run(['run', 'Read it.', '--model', model, '--runs-dir', 'kept runs']);
    expect(asked.exitCode, asked.stderr).toBe(1);
    const elsewhere = world.path('elsewhere');
    mkdirSync(join(elsewhere, '.git'), { recursive: true });
    const where = ['--cwd', world.project, '--runs-dir=kept runs'];
    const list = await world.run(['runs', 'list', ...where], { cwd: elsewhere });
    const [, command = ''] = /^\S+ {2}question .* Read it\.; skills (.*)$/mu.exec(list.stdout) ?? [];
    expect(command).toMatch(/^runs resume \S+ 'your answer' --trust-project --cwd /u);
    const shown = await world.run(['runs', 'show', 'last', ...where], { cwd: elsewhere });
    expect(shown.stdout).toContain(`\nTo go on: skills ${command}\n`);
    const answered = await world.runShell(`cd '${elsewhere}' && "$NODE" "$SKILLS" ${command}`);
    expect([answered.exitCode, answered.stdout]).toEqual([0, 'Heard.\n']);
    const again = await world.run(['runs', 'resume', 'last', ...where], { cwd: elsewhere });
    const [, show = ''] = /^hint: Its answer: skills (.*)$/mu.exec(again.stderr) ?? [];
    const helped = await world.runShell(`cd '${elsewhere}' && "$NODE" "$SKILLS" ${show}`);
    expect([again.exitCode, helped.exitCode, helped.stdout]).toEqual([2, 0, expect.stringContaining('> Read it.')]);
  },
);

test('where the script of its model is gone, a run goes on with the one that --model names', async () => {
  const model = writeScript(
    world,
    [{ decide: { action: { kind: 'ask_user', question: 'Which page?' } } }],
    'gone.json',
  );
  await world.run(['run', 'Read it.', '--model', model]);
  rmSync(join(world.project, 'gone.json'));
  const resume = ['runs', 'resume', 'last', 'the third', '--trust-project'];
  const refused = await world.run(resume);
  expect([refused.exitCode, refused.stderr]).toEqual([
    3,
    expect.stringMatching(/^hint: .*--model scripted:<file>\.$/mu),
  ]);
  const other = writeScript(world, [{ decide: { action: { kind: 'final_answer', content: 'Read.' } } }]);
  expect(await world.run([...resume, '--model', other])).toMatchObject({ exitCode: 0, stdout: 'Read.\n' });
});

test('listing and installing load nothing of agents', async () => {
  const { loadedBy } = await import('./loaded-by.js');
  for (const words of [['list'], ['install', '--dry-run'], ['runs', 'list']]) {
    const libraries = await loadedBy(world, words);
    expect(libraries, words.join(' ')).not.toContain('model-adapters');
    expect(libraries, words.join(' ')).not.toContain('tools-shell');
    if (words[0] !== 'runs') expect(libraries).not.toContain('runs-fs');
  }
});
