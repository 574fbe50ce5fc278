import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAgentWorld, rulesFor, writeInProject, writeScript, type ScriptedRule } from './agent-world.js';
import { chatWith, startChatProcess } from './chat-process.js';
import { harmful, nasty } from './hostile-world.js';
import { makeSkill } from './make-skill.js';
import type { World } from './run-skills.js';

let world: World;
beforeEach(() => {
  world = createAgentWorld();
});
afterEach(() => world.remove());

const answer = (content: string): ScriptedRule => ({ decide: { action: { kind: 'final_answer', content } } });

/** Answers a request with what is in it, behind “Heard:”. */
const echo: readonly ScriptedRule[] = [
  { when: { request: { regex: '(?<words>[^\\n]+)\\n*$' } }, decide: { action: { kind: 'final_answer', content: 'Heard: ${words}' } } },
]; // prettier-ignore

const records = (): readonly string[] =>
  readdirSync(join(world.project, '.agents', 'runs')).filter((name) => name !== '.gitignore');

test('each line of a pipe is a request, and stdout holds the answers and nothing else', async () => {
  const model = writeScript(world, echo);
  const { exitCode, stdout, stderr } = await chatWith(world, ['one', '', 'two'], ['--model', model, '--trust-project']);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'Heard: one\nHeard: two\n' });
  expect(stderr).toMatch(/^recorded in .*\.agents[\\/]runs[\\/]\S+$/mu);
  expect(stdout + stderr).not.toContain('\u001B');
  expect(stdout + stderr).not.toContain('> ');
});

test('--quiet prints the answers and nothing else', async () => {
  const model = writeScript(world, echo);
  const quiet = await chatWith(world, ['one', '/skills', 'two'], ['--model', model, '--quiet']);
  expect(quiet).toMatchObject({ exitCode: 0, stdout: 'Heard: one\nHeard: two\n', stderr: '' });
});

test('all requests of a chat are one run with one record, which replays', async () => {
  const model = writeScript(world, echo);
  await chatWith(world, ['one', '/greet two'], ['--model', model, '--trust-project']);
  expect(records()).toHaveLength(1);
  const [id = ''] = records();
  const summary = JSON.parse(readFileSync(join(world.project, '.agents', 'runs', id, 'run.json'), 'utf8')) as object;
  expect(summary).toMatchObject({ status: 'finished', requests: [{ text: 'one' }, { text: 'two', skill: 'greet' }] });
  rmSync(join(world.home, '.agents', 'skills'), { recursive: true });
  expect((await world.run(['runs', 'replay', id])).exitCode).toBe(0);
});

test('H9-05: /skill-name loads the skill for the words, and the model is told its body', async () => {
  // This model answers a skill that is called by name with its body.
  const { stdout, stderr } = await chatWith(world, ['/greet the world', '/skill greet'], ['--model', 'scripted']);
  expect(stdout.match(/^The skill “greet” says:\n\nGreet kindly\.$/gmu)).toHaveLength(2);
  expect(stderr).toContain('reading greet');
  const [id = ''] = records();
  const read = await world.run(['runs', 'show', id, '--json']);
  expect(read.json().data.skills).toMatchObject([{ name: 'greet', by: 'user' }, { by: 'user' }]);
});

test('H9-10: an unknown slash name is an error on stderr with the nearest name, and the chat goes on', async () => {
  const model = writeScript(world, echo);
  const { exitCode, stdout, stderr } = await chatWith(
    world,
    ['/gret you', '/nothing', 'still here'],
    ['--model', model],
  );
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: 'Heard: still here\n' });
  expect(stderr).toMatch(
    /error\[SKILL_NOT_FOUND\]: There is no skill and no command “gret”\.\nhint: Did you mean \/greet\?/u,
  );
  expect(stderr).toContain('“nothing”');
  const others = await chatWith(world, ['/exit', '/', '/q now'], ['--model', model]);
  expect([...others.stderr.matchAll(/Did you mean (\/\w+)\?/gu)].map(([, name]) => name)).toEqual([
    '/quit',
    '/help',
    '/quit',
  ]);
});

test('H9-11: AGENTS.md is in the prompt where the project is trusted, and nothing is said where there is none', async () => {
  const told = { when: { system: 'Always use tabs.' }, decide: answer('Told.').decide };
  const model = writeScript(world, [told, answer('Not told.')]);
  const flags = ['--model', model, '--trust-project'];
  expect((await chatWith(world, ['hello'], flags)).stdout).toBe('Not told.\n');
  writeInProject(world, 'AGENTS.md', 'Always use tabs.\n');
  expect((await chatWith(world, ['hello'], flags)).stdout).toBe('Told.\n');
  expect((await chatWith(world, ['hello'], ['--model', model])).stdout).toBe('Not told.\n');
});

test('the slash commands are told on stderr', async () => {
  const model = writeScript(world, echo);
  const lines = [
    '/help',
    '/skills',
    '/skills greet',
    '/plan',
    '/disable greet',
    '/greet x',
    '/enable greet',
    '/quit',
    'never',
  ];
  const { exitCode, stdout, stderr } = await chatWith(world, lines, ['--model', model]);
  // One of them could not be done.
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toMatch(/^ {2}\/quit +leave/mu);
  expect(stderr).toMatch(/^ {2}\/greet +user +Does greet\./mu);
  expect(stderr).toContain('There is no plan.');
  expect(stderr).toMatch(/switched off in this chat\.\nhint: Type \/enable greet/u);
  expect(stderr).toContain('greet is switched on again.');
});

test('SPEC-10: the skills of a project that nobody trusts are neither offered nor called', async () => {
  const seen = { when: { system: 'Does local.' }, decide: answer('Offered.').decide };
  const model = writeScript(world, [seen, answer('Not offered.')]);
  const { stdout, stderr } = await chatWith(world, ['hello', '/local x', '/skill local x'], ['--model', model]);
  expect(stdout).toBe('Not offered.\n');
  expect(stderr.match(/--trust-project says so for this once/gu)).toHaveLength(1);
  expect(stderr.match(/error\[APPROVAL_REQUIRED\]: The skill “local” is one of this project/gu)).toHaveLength(2);
  expect(stderr).not.toContain('Secret of the project');
  const trusted = await chatWith(world, ['hello'], ['--model', model, '--trust-project']);
  expect(trusted.stdout).toBe('Offered.\n');
});

test('PSA-15: on a pipe nobody is asked: what needs a yes is not done, and --approve is one', async () => {
  const model = writeScript(world, [...rulesFor('greet', 'scripts/hello.sh', ['you'])]);
  const refused = await chatWith(world, ['greet me', 'y'], ['--model', model]);
  expect(refused.exitCode).toBe(1);
  expect(refused.stdout).toContain('Something needs a yes, and nobody could be asked.');
  expect(refused.stderr).toContain('approval_required');
  // It stays open, and goes on with what was refused last.
  const waiting = await chatWith(world, ['greet me'], ['--model', model]);
  const [, line = ''] = /^It waits for a yes\. To allow that: skills (.*)$/mu.exec(waiting.stderr) ?? [];
  expect(line).toMatch(/--approve 'run_script\(greet@[0-9a-f]{64}\)'$/u);
  const done = await world.runShell(`"$NODE" "$SKILLS" ${line}`);
  expect([done.exitCode, done.stdout], done.stderr).toEqual([0, 'All is done.\nIn two lines.\n']);
  const approved = await chatWith(world, ['greet me'], ['--model', model, '--approve', 'run_script']);
  expect(approved).toMatchObject({ exitCode: 0, stdout: 'All is done.\nIn two lines.\n' });
  expect(approved.stderr).toMatch(/^run greet\/scripts\/hello\.sh you … ok/mu);
});

test('PSA-15: of several requests of a pipe that needed a yes, each is told with what gives it', async () => {
  const [read] = rulesFor('greet', 'scripts/hello.sh');
  const greet = (name: string): ScriptedRule => ({
    when: { request: `greet ${name}` },
    decide: {
      action: { kind: 'run_script', skill: { name: 'greet' }, relative_path: 'scripts/hello.sh', args: [name] },
    },
  });
  const model = writeScript(world, [read!, greet('Ada'), greet('Bob'), answer('Fine.')]);
  const waiting = await chatWith(world, ['greet Ada', 'greet Bob'], ['--model', model]);
  expect(waiting.stderr.match(/^Not done for want of a yes: .*$/gmu)).toEqual([
    expect.stringMatching(
      /: scripts\/hello\.sh Ada of greet\. Ask for it again, with --approve 'run_script\(greet@[0-9a-f]{64}\)'\.$/u,
    ),
  ]);
  expect(waiting.stderr).toMatch(/^It waits for a yes\. To allow that: skills /mu);
  const left = await chatWith(world, ['greet Ada', 'hello'], ['--model', model]);
  expect(left.stderr).toContain('\nNot done for want of a yes: scripts/hello.sh Ada of greet. ');
  expect(left.stderr).not.toContain('It waits for a yes');
});

test('AGIO-17: a skill that changes on the disk is told of while the chat goes on, and holds from the next request', async () => {
  const model = writeScript(world, [
    { when: { system: 'Does fresh.' }, decide: answer('Offered.').decide },
    answer('Not offered.'),
  ]);
  const chat = startChatProcess(world, ['--model', model]);
  chat.say('hello');
  await chat.seen(/Not offered\./u);
  makeSkill(join(world.home, '.agents', 'skills', 'fresh'));
  await chat.seen(/^Skills on the disk: new fresh\.$/mu);
  chat.say('hello');
  await chat.seen(/^Offered\./mu);
  rmSync(join(world.home, '.agents', 'skills', 'fresh'), { recursive: true });
  await chat.seen(/^Skills on the disk: gone fresh\.$/mu);
  expect((await chat.end()).exitCode).toBe(0);
});

test('--json prints one document at the end: the summary of the run, answers included', async () => {
  const model = writeScript(world, echo);
  const ended = await chatWith(world, ['one', '/nothing'], ['--model', model, '--json']);
  expect(ended.json()).toMatchObject({
    ok: true,
    data: { status: 'finished', requests: [{ text: 'one', answer: { text: 'Heard: one', stop: 'final_answer' } }] },
  });
  expect(ended.stderr).toContain('“nothing”');
});

test('a request that cannot be finished is answered honestly, the chat goes on, and the exit code says so', async () => {
  const model = writeScript(world, [
    { when: { request: 'loop' }, decide: { action: { kind: 'search_skills', query: 'greet' } } },
    ...echo,
  ]);
  const { exitCode, stdout, stderr } = await chatWith(world, ['loop', 'end'], ['--model', model, '--max-turns', '2']);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/^This is not finished\.[\s\S]*Heard: end\n$/u);
  expect(stderr).toContain('max_turns');
});

test('a chat that ends with a question is left open, says how to answer, and goes on with the answer', async () => {
  const model = writeScript(world, [
    { when: { request: 'ask' }, decide: { action: { kind: 'ask_user', question: 'Which one?' } } },
    ...echo,
  ]);
  const words = ['--model', model, '--trust-project'];
  expect(await chatWith(world, ['ask', 'the red one'], words)).toMatchObject({ exitCode: 0 });
  const chat = await chatWith(world, ['first', 'ask'], words);
  expect([chat.exitCode, chat.stdout]).toEqual([1, 'Heard: first\nWhich one?\n']);
  const [, line = ''] = /^The agent asks\. To answer: skills (.*)$/mu.exec(chat.stderr) ?? [];
  expect(line).toMatch(/^runs resume \S+ 'your answer' --trust-project --model /u);
  expect((await world.run(['runs', 'list'])).stdout).toContain('your answer');
  const resumed = await world.runShell(`"$NODE" "$SKILLS" ${line}`);
  expect([resumed.exitCode, resumed.stdout]).toEqual([0, 'Heard: your answer\n']);
  expect((await world.run(['runs', 'replay', 'last'])).exitCode).toBe(0);
});

test('a chat whose last request ended at a limit is left open, and goes on with more, as it tells', async () => {
  const search = { kind: 'search_skills', query: 'anything', limit: 1 };
  const model = writeScript(world, [
    { when: { request: 'loop', after: 'search_skills' }, decide: answer('Found.').decide },
    { when: { request: 'loop' }, decide: { action: search } },
    ...echo,
  ]);
  const words = ['--model', model, '--trust-project', '--max-turns', '1'];
  const chat = await chatWith(world, ['first', 'loop'], words);
  expect(chat.exitCode).toBe(1);
  const [, line = ''] = /^To let it go on: skills (.*)$/mu.exec(chat.stderr) ?? [];
  expect(line).toMatch(/^runs resume \S+ --trust-project --model \S+ --max-turns 2$/u);
  const resumed = await world.runShell(`"$NODE" "$SKILLS" ${line}`);
  expect([resumed.exitCode, resumed.stdout], resumed.stderr).toEqual([0, 'Found.\n']);
  expect((await world.run(['runs', 'replay', 'last'])).exitCode).toBe(0);
});

test('--skill begins the chat with skills that were read', async () => {
  const active = { when: { skillActive: 'greet' }, decide: answer('Active.').decide };
  const model = writeScript(world, [active, answer('Not active.')]);
  expect((await chatWith(world, ['hello'], ['--model', model, '--skill', 'greet'])).stdout).toBe('Active.\n');
  const unknown = await chatWith(world, ['hello'], ['--model', model, '--skill', 'nobody']);
  expect([unknown.exitCode, unknown.stdout]).toEqual([3, '']);
});

test('a chat without a model is wrong usage, and leaves no record', async () => {
  const { exitCode, stderr } = await chatWith(world, ['hello']);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^error\[USAGE\]/mu);
  expect(existsSync(join(world.project, '.agents', 'runs'))).toBe(false);
});

test('a chat in which nothing was asked leaves no record, however it ends', async () => {
  const model = ['--model', writeScript(world, echo), '--skill', 'greet'];
  const quiet = await chatWith(world, ['/skills', '', '/help'], model);
  expect([quiet.exitCode, quiet.stdout]).toEqual([0, '']);
  expect(quiet.stderr).toContain('greet');
  expect(quiet.stderr).not.toContain('recorded in');
  const chat = startChatProcess(world, model);
  chat.say('/skills');
  await chat.seen(/greet/u);
  chat.child.kill('SIGKILL');
  await chat.ended;
  expect(existsSync(join(world.project, '.agents', 'runs'))).toBe(false);
  expect((await world.run(['runs', 'list', '--json'])).json().data).toMatchObject({ runs: [], older: 0, broken: [] });
});

test('the text of a skill that is changed beside a chat holds from the next line on, and is told of', async () => {
  const folder = join(world.home, '.agents', 'skills', 'rules');
  makeSkill(folder, { body: 'Whisper.\n' });
  const read = { action: { kind: 'select_skills', skills: [{ name: 'rules' }], reason: 'Asked for.' } } as const;
  const changed = writeScript(world, [{ when: { request: 'one', turn: 1 }, decide: read }, answer('Done.')]);
  const chat = startChatProcess(world, ['--model', changed]);
  chat.say('one');
  await chat.seen(/^Done\.$/mu);
  makeSkill(folder, { body: 'Shout.\n' });
  chat.say('two');
  await chat.seen(/^rules was changed meanwhile, and read anew: /mu);
  writeFileSync(join(folder, 'SKILL.md'), 'No skill.\n');
  await chat.seen(/^Skills on the disk: gone rules\.\nrules: Its SKILL\.md was refused: /mu);
  expect((await chat.end()).exitCode).toBe(0);
  const shown = await world.run(['runs', 'show', 'last']);
  expect(shown.stdout).toContain('rules was changed meanwhile, and read anew');
  expect((await world.run(['runs', 'replay', 'last'])).stdout).toContain('The same');
});

test.skipIf(process.platform === 'win32').each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s in the middle of a request ends the chat with a whole record, and exits with %d',
  async (signal, code) => {
    makeSkill(join(world.home, '.agents', 'skills', 'slow'), { files: { 'scripts/slow.sh': '#!/bin/sh\nsleep 30\n' } });
    const model = writeScript(world, rulesFor('slow', 'scripts/slow.sh'));
    const chat = startChatProcess(world, ['--model', model, '--approve', 'run_script', '--verbose']);
    chat.say('slowly');
    await chat.seen(/begins: run slow/u);
    chat.child.kill(signal);
    const ended = await chat.end();
    expect(ended.exitCode).toBe(code);
    expect(ended.stderr).toMatch(/^recorded in \S+$[\s\S]*^error\[INTERRUPTED\]/mu);
    const shown = await world.run(['runs', 'show', 'last', '--json']);
    expect(shown.json().data).toMatchObject({ status: 'open', requests: [{ answer: { stop: 'cancelled' } }] });
  },
);

test.skipIf(process.platform === 'win32')(
  'SAA-27: a chat that is killed in the middle of a request is resumed, with what was said before',
  async () => {
    makeSkill(join(world.home, '.agents', 'skills', 'slow'), { files: { 'scripts/slow.sh': '#!/bin/sh\nsleep 30\n' } });
    const [read, run] = rulesFor('slow', 'scripts/slow.sh') as [ScriptedRule, ScriptedRule];
    const model = writeScript(world, [
      { when: { request: 'first' }, decide: answer('The first answer.').decide },
      { when: { request: 'slowly', skillInactive: 'slow' }, decide: read.decide },
      { when: { request: 'slowly', after: 'select_skills', turn: 2 }, decide: run.decide },
      answer('The second answer.'),
    ]);
    const chat = startChatProcess(world, ['--model', model, '--approve', 'run_script', '--verbose']);
    chat.say('first');
    chat.say('slowly');
    await chat.seen(/begins: run slow/u);
    chat.child.kill('SIGKILL');
    await chat.ended;
    writeScript(world, [answer('The second answer.')]);
    const resumed = await world.run(['runs', 'resume', 'last', '--trust-project']);
    expect([resumed.exitCode, resumed.stdout], resumed.stderr).toEqual([0, 'The second answer.\n']);
    const { data } = (await world.run(['runs', 'show', 'last', '--json'])).json();
    expect(data).toMatchObject({
      status: 'finished',
      resumed: 1,
      requests: [{ answer: { text: 'The first answer.' } }, { answer: { text: 'The second answer.' } }],
    });
    expect((await world.run(['runs', 'replay', 'last'])).exitCode).toBe(0);
  },
);

test.skipIf(process.platform === 'win32')(
  'a chat whose answers nobody reads any more ends, with a whole record',
  async () => {
    const model = writeScript(world, echo);
    const line = `yes hello | "$NODE" "$SKILLS" chat --model ${model} -q | head -1`;
    expect(await world.runShell(line)).toMatchObject({ exitCode: 0, stdout: 'Heard: hello\n', stderr: '' });
    expect((await world.run(['runs', 'replay', 'last'])).exitCode).toBe(0);
  },
);

test.skipIf(process.platform === 'win32')('SIGINT while nobody says anything ends the chat as well', async () => {
  const chat = startChatProcess(world, ['--model', writeScript(world, echo)]);
  chat.say('hello');
  await chat.seen(/Heard: hello/u);
  chat.child.kill('SIGINT');
  expect((await chat.ended).exitCode).toBe(130);
});

test('a reader that goes away is no error', async () => {
  const chat = startChatProcess(world, ['--model', writeScript(world, echo)]);
  chat.child.stdout?.destroy();
  chat.say('hello');
  expect(await chat.end()).toMatchObject({ exitCode: 0 });
});

test.skipIf(process.platform === 'win32')('nothing that skills, models and files say comes out as it is', async () => {
  makeSkill(join(world.home, '.agents', 'skills', 'evil'), {
    frontMatter: `name: evil\ndescription: ${JSON.stringify(nasty)}`,
    body: `# ${nasty}\n`,
  });
  makeSkill(join(world.home, '.agents', 'skills', 'renamed'), {
    frontMatter: `name: ${JSON.stringify(`evil ${nasty}`)}\ndescription: Is called oddly.`,
  });
  const model = writeScript(world, [
    { when: { request: 'search' , turn: 1 }, decide: { action: { kind: 'search_skills', query: nasty } } },
    { when: { request: 'read', turn: 1 }, decide: { action: { kind: 'load_resource', skill: { name: nasty }, relative_path: nasty } } },
    { when: { request: 'plan', turn: 1 }, decide: { action: { kind: 'update_plan' }, plan_update: { kind: 'replace', plan: { goal: nasty, steps: [{ id: 'a', title: nasty, status: 'pending' }], assumptions: [], constraints: {} } } } as ScriptedRule['decide'] },
    { when: { request: 'ask' }, decide: { action: { kind: 'ask_user', question: nasty } } },
    answer(nasty),
  ]); // prettier-ignore
  const lines = ['search', 'read', 'plan', '/plan', 'ask', 'hello', '/evil x', '/skills', '/skills evil', `/${nasty}`, `/disable ${nasty}`]; // prettier-ignore
  for (const form of ['--verbose', '--json']) {
    const { exitCode, stdout, stderr } = await chatWith(world, lines, ['--model', model, form]);
    expect(exitCode).toBeLessThan(2);
    expect(stdout + stderr).not.toMatch(harmful);
    expect(stdout + stderr).toContain('<U+202E>');
  }
});
