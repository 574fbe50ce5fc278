import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { chat } from '../../../test/provider-server.js';
import { createAgentWorld, rulesFor, writeInProject, writeScript } from './agent-world.js';
import { hasSandbox } from './has-sandbox.js';
import { harmful, nasty } from './hostile-world.js';
import { makeSkill } from './make-skill.js';
import { startModelServer } from './model-server.js';
import { finished, type World } from './run-skills.js';
import { hasTmux, openTmux } from './tmux-terminal.js';

let world: World;
beforeEach(() => {
  world = createAgentWorld();
});
afterEach(() => world.remove());

// What a terminal is sent of ours: colours, and line ends.
// oxlint-disable-next-line eslint/no-control-regex -- finding control characters is what it is for
const ours = /\u001B\[(?:0|1|2|22|31|32|33|36|39)m|\r(?=\r*\n)/gu;

describe.skipIf(!hasTmux)('at a terminal', { timeout: 60_000 }, () => {
  test('SPEC-10: a person is asked with the names of its skills whether a project is trusted, until yes or never', async () => {
    const words = ['run', 'Something for local.', '--model', 'scripted'];
    const list = join(world.home, '.agents', 'trusted-projects.json');
    for (const reply of ['', 'n', 'yes please', 'ja', 'C-d']) {
      using terminal = openTmux(world, words);
      await terminal.see('This project brings 1 skill: local.');
      await terminal.see('Trust them? [y]es, [n]ot now, ne[v]er:');
      expect(terminal.screen()).toContain('What a skill says: skills inspect local --body\n');
      if (reply === 'C-d') terminal.press(reply);
      else {
        terminal.type(reply);
        terminal.press('Enter');
      }
      expect(await terminal.ended(), reply).toBe(0);
      expect(terminal.screen()).not.toContain('Secret of the project');
      expect(terminal.screen()).toContain(
        'That is a no for now: 1 skill of this project is left out. You are asked again',
      );
      expect(existsSync(list), reply).toBe(false);
    }
    expect((await world.run(['inspect', 'local', '--body'])).stdout).toContain('Secret of the project.');
    {
      using terminal = openTmux(world, words);
      await terminal.see('Trust them?');
      terminal.type('never');
      terminal.press('Enter');
      expect(await terminal.ended()).toBe(0);
      expect(terminal.screen()).toContain('1 skill of this project is left out. You are not asked again;');
    }
    {
      using terminal = openTmux(world, words);
      expect(await terminal.ended()).toBe(0);
      expect(terminal.screen()).not.toContain('Trust them?');
      expect(terminal.screen()).toMatch(/1 skill of this project is left out, since you said no\./u);
    }
    rmSync(list);
    {
      using terminal = openTmux(world, words);
      await terminal.see('Trust them?');
      terminal.type('y');
      terminal.press('Enter');
      expect(await terminal.ended()).toBe(0);
      expect(terminal.screen()).toContain('Secret of the project.');
    }
    expect(JSON.parse(readFileSync(list, 'utf8'))).toEqual({ formatVersion: 1, projects: [world.project] });
    expect(statSync(list).mode & 0o777).toBe(0o600);
    using terminal = openTmux(world, words);
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen()).not.toContain('Trust them?');
  });

  test.skipIf(!hasSandbox)(
    'AGIO-16: whoever is asked for trust is told which scripts run without a question then; the step says why none was asked',
    async () => {
      makeSkill(join(world.project, '.agents', 'skills', 'local'), {
        frontMatter: 'name: local\ndescription: Does local.\nallowed-tools: Bash(scripts/hello.sh:*) Read write_file',
        files: { 'scripts/hello.sh': '#!/bin/sh\necho "hello $1"\n' },
      });
      const words = ['run', 'Greet.', '--model', writeScript(world, rulesFor('local', 'scripts/hello.sh', ['Ada']))];
      using terminal = openTmux(world, words);
      await terminal.see(
        'In a sandbox, scripts that a skill lists in its allowed-tools run without a question:\n  local: Bash(scripts/hello.sh:*)\nA model would do what they say. Trust them?',
      );
      terminal.type('y');
      terminal.press('Enter');
      expect(await terminal.ended()).toBe(0);
      expect(terminal.screen()).not.toContain('Allow it?');
      expect(terminal.screen()).toMatch(/run local\/scripts\/hello\.sh Ada … ok \S+ s, allowed by its skill\n/u);
    },
  );

  test('a run goes on only where the project is trusted, since its record is the project’s, too', async () => {
    const slow = '#!/bin/sh\ntouch begun\nsleep 60\n';
    makeSkill(join(world.home, '.agents', 'skills', 'greet'), { files: { 'scripts/slow.sh': slow } });
    rmSync(join(world.project, '.agents'), { recursive: true });
    const model = writeScript(world, rulesFor('greet', 'scripts/slow.sh'));
    const child = world.start(['run', 'Greet.', '--model', model, '--approve', 'run_script']);
    const ended = finished(child);
    await expect.poll(() => existsSync(join(world.project, 'begun')), { timeout: 20_000 }).toBe(true);
    child.kill('SIGKILL');
    await ended;
    for (const [answer, exitCode] of [
      ['n', 4],
      ['y', 0],
    ] as const) {
      using terminal = openTmux(world, ['runs', 'resume', 'last']);
      await terminal.see('This project brings the record of the run 20');
      await terminal.see(/What the run did: skills runs show 20[\s\S]*Trust them\? \[y\]es, \[n\]o: $/mu);
      terminal.type(answer);
      terminal.press('Enter');
      expect(await terminal.ended()).toBe(exitCode);
    }
  });

  test('what needs a yes is asked for, with what would be done; a no is an answer, and a yes may last for the run', async () => {
    const model = writeScript(world, [
      ...rulesFor('greet', 'scripts/hello.sh', ['Ada']).slice(0, 2),
      {
        when: { after: 'run_script', turn: 3 },
        decide: rulesFor('greet', 'scripts/hello.sh', ['Bob'])[1]?.decide ?? { action: {} },
      },
      ...rulesFor('greet', 'scripts/hello.sh').slice(2),
    ]);
    const words = ['run', 'Greet them.', '--model', model];
    {
      using terminal = openTmux(world, [...words, '--trust-project']);
      await terminal.see(
        /run_script of the skill greet \(\S+\) runs code:\s+scripts\/hello\.sh Ada\s+To read it first: \S+hello\.sh\s+(?:NOT confined|In a sandbox)[^?]*\s+Allow it\?/u,
      );
      terminal.type('n');
      terminal.press('Enter');
      await terminal.see('scripts/hello.sh Bob');
      terminal.type('y');
      terminal.press('Enter');
      expect(await terminal.ended()).toBe(0);
      expect(terminal.screen()).toContain('refused by person');
    }
    using terminal = openTmux(world, [...words, '--trust-project']);
    await terminal.see('Allow it?');
    terminal.type('a');
    terminal.press('Enter');
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen().match(/Allow it\?/gu)).toHaveLength(1);
    expect(terminal.screen()).toMatch(/run greet\/scripts\/hello\.sh Bob … ok/u);
  });

  test.skipIf(!hasSandbox)('in the home folder, which a sandbox hides, nobody is asked in vain', async () => {
    writeScript(world, rulesFor('greet', 'scripts/hello.sh', ['Ada']));
    const model = `scripted:${join(world.project, 'model.json')}`;
    using terminal = openTmux(world, ['--cwd', world.home, 'run', 'Greet.', '--model', model]);
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen()).not.toContain('Allow it?');
    expect(terminal.screen()).toMatch(/warning: No program is run in your home folder: [^:]*, or say --sandbox off:/u);
    expect(terminal.screen()).toMatch(/hello\.sh Ada … refused by the sandbox/u);
  });

  test('what was typed before a question could be seen is no answer to it', async () => {
    const slow = '#!/bin/sh\ntouch begun\nwhile [ ! -e go ]; do sleep 0.1; done\n';
    makeSkill(join(world.home, '.agents', 'skills', 'greet'), { files: { 'scripts/slow.sh': slow } });
    const [read, run, answer] = rulesFor('greet', 'scripts/slow.sh').map(({ decide }) => ({ decide }));
    writeInProject(world, 'list.json', JSON.stringify({ formatVersion: 1, replies: [read, run, run, answer] }));
    using terminal = openTmux(world, ['run', 'Greet.', '--model', 'scripted:list.json', '--trust-project']);
    await terminal.see('Allow it?');
    terminal.type('y');
    terminal.press('Enter');
    await expect.poll(() => existsSync(join(world.project, 'begun'))).toBe(true);
    terminal.type('y');
    terminal.press('Enter');
    terminal.type('a');
    terminal.press('Enter');
    writeInProject(world, 'go', '');
    await terminal.see(/Allow it\?[\s\S]*Allow it\?/u);
    terminal.type('n');
    terminal.press('Enter');
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen().match(/slow\.sh … ok/gu)).toHaveLength(1);
    expect(terminal.screen()).toContain('refused by person');
  });

  test('PSA-14: a yes for the run holds for the skill as it was; of one that was changed, the question names the files', async () => {
    const slow = '#!/bin/sh\ntouch begun\nwhile [ ! -e go ]; do sleep 0.1; done\n';
    const skill = makeSkill(join(world.home, '.agents', 'skills', 'greet'), { files: { 'scripts/slow.sh': slow } });
    const [read, run, answer] = rulesFor('greet', 'scripts/slow.sh').map(({ decide }) => ({ decide }));
    const replies = [read, run, run, run, answer];
    writeInProject(world, 'list.json', JSON.stringify({ formatVersion: 1, replies }));
    using terminal = openTmux(world, ['run', 'Greet.', '--model', 'scripted:list.json', '--trust-project']);
    await terminal.see('Allow it?');
    terminal.type('a');
    terminal.press('Enter');
    await expect.poll(() => existsSync(join(world.project, 'begun')), { timeout: 20_000 }).toBe(true);
    writeFileSync(join(skill, 'scripts', 'hello.sh'), '#!/bin/sh\necho changed\n');
    writeFileSync(join(skill, 'more.md'), 'More.');
    writeInProject(world, 'go', '');
    await terminal.see(
      /The skill is not what you allowed before:\s+changed: scripts\/hello\.sh\s+added: more\.md\s+Allow it\?/u,
    );
    terminal.type('a');
    terminal.press('Enter');
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen().match(/Allow it\?/gu)).toHaveLength(2);
    expect(terminal.screen().match(/slow\.sh … ok/gu)).toHaveLength(3);
    expect((await world.run(['runs', 'show', 'last'])).stdout).toContain(', allowed before');
  });

  test('what the agent asks is answered at the terminal; without an answer the run can be gone on with', async () => {
    const model = writeScript(world, [
      { when: { request: 'Greet' }, decide: { action: { kind: 'ask_user', question: `Whom${nasty}?` } } },
      { when: { request: 'Ada' }, decide: { action: { kind: 'final_answer', content: 'Hello, Ada.' } } },
    ]);
    const words = ['run', 'Greet.', '--model', model, '--trust-project'];
    for (const [key, exitCode, shown] of [
      ['Enter', 1, 'The agent asks. To answer: skills runs resume '],
      ['C-d', 1, 'The agent asks. To answer: skills runs resume '],
      ['C-c', 130, 'The agent asks. To answer: skills runs resume '],
    ] as const) {
      using terminal = openTmux(world, words);
      await terminal.see(/Whom[\s\S]*\n>/u);
      terminal.press(key);
      expect(await terminal.ended(), key).toBe(exitCode);
      expect(terminal.screen()).toContain(shown);
    }
    {
      using terminal = openTmux(world, ['runs', 'resume', 'last', '--trust-project']);
      await terminal.see(/Whom[\s\S]*\n>/u);
      terminal.type('Ada');
      terminal.press('Enter');
      expect(await terminal.ended()).toBe(0);
      expect(terminal.screen()).toContain('Hello, Ada.');
    }
    using terminal = openTmux(world, words);
    await terminal.see(/Whom[\s\S]*\n>/u);
    terminal.type('Ada');
    terminal.press('Enter');
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen()).toContain('Hello, Ada.');
    expect(terminal.raw().replaceAll(ours, '')).not.toMatch(harmful);
  });

  test('Ctrl-C at a question, and Ctrl-D, end it without a yes', async () => {
    const model = writeScript(world, rulesFor('greet', 'scripts/hello.sh'));
    const words = ['run', 'Greet.', '--model', model, '--trust-project'];
    {
      using terminal = openTmux(world, words);
      await terminal.see('Allow it?');
      terminal.press('C-c');
      expect(await terminal.ended()).toBe(130);
      expect(terminal.screen()).toMatch(/^error\[INTERRUPTED\]/mu);
      expect(terminal.screen()).toMatch(/this run: (?:\^C)?\n/u);
      const shown = await world.run(['runs', 'show', 'last']);
      expect(shown.stdout).toContain('hello.sh … no yes: cancelled at the question\n');
      expect(shown.stdout).not.toMatch(/APPROVAL_REQUIRED|nobody can be asked/u);
      expect((await world.run(['runs', 'replay', 'last'])).exitCode).toBe(0);
    }
    using terminal = openTmux(world, words);
    await terminal.see('Allow it?');
    terminal.press('C-d');
    expect(await terminal.ended()).toBe(4);
  });

  test('a task may be typed to its end, and Ctrl-C ends the waiting for it', async () => {
    {
      using terminal = openTmux(world, ['run', '-', '--model', 'scripted', '--trust-project']);
      await terminal.see('Type the task.');
      terminal.type('Greet Ada,');
      terminal.press('Enter');
      terminal.type('please.');
      terminal.press('Enter', 'C-d');
      expect(await terminal.ended()).toBe(0);
      expect(terminal.screen()).toContain('Greet kindly.');
    }
    using terminal = openTmux(world, ['run', '-', '--model', 'scripted']);
    await terminal.see('Type the task.');
    terminal.type('Greet');
    terminal.press('Enter', 'C-c');
    expect(await terminal.ended()).toBe(130);
    expect(terminal.screen()).toContain('error[INTERRUPTED]');
  });

  test('names, arguments and answers that a terminal would act on come out visible', async () => {
    makeSkill(join(world.project, '.agents', 'skills', 'evil'), {
      frontMatter: `name: ${JSON.stringify(nasty)}\ndescription: ${JSON.stringify(nasty)}`,
      body: nasty,
      files: { 'scripts/x.sh': `#!/bin/sh\nprintf '\\033[2J'\n` },
    });
    const model = writeScript(world, [
      { when: { after: 'run_script' }, decide: { action: { kind: 'final_answer', content: `${nasty}\n${nasty}` } } },
      ...rulesFor('greet', 'scripts/hello.sh', [nasty]).slice(0, 2),
    ]);
    using terminal = openTmux(world, ['run', nasty.replaceAll('\u001B', ''), '--model', model]);
    await terminal.see('Trust them?');
    terminal.type('y');
    terminal.press('Enter');
    await terminal.see('Allow it?');
    terminal.type('y');
    terminal.press('Enter');
    expect(await terminal.ended()).toBe(0);
    expect(terminal.raw().replaceAll(ours, '')).not.toMatch(harmful);
    expect(terminal.raw()).toContain('<U+202E>gpj.exe');
    for (const words of [
      ['runs', 'list'],
      ['runs', 'show', 'last'],
      ['runs', 'replay', 'last'],
    ]) {
      using shown = openTmux(world, words);
      expect(await shown.ended()).toBe(0);
      expect(shown.raw().replaceAll(ours, '')).not.toMatch(harmful);
    }
  });
});

test.skipIf(!hasTmux)(
  'a person sees that a model is asked, as long as it says nothing',
  { timeout: 60_000 },
  async () => {
    const provider = await startModelServer(chat, async () => new Promise(() => undefined));
    const model = `openai-compatible:${provider.origin}/v1#small`;
    {
      using terminal = openTmux(world, ['run', 'Hello.', '--model', model, '--trust-project']);
      await terminal.see('Asking the model, Ctrl-C ends it');
      terminal.press('C-c');
      expect(await terminal.ended()).toBe(130);
      expect(terminal.screen()).not.toContain('Asking the model');
    }
    await provider.close();
  },
);

test.skipIf(!hasTmux)('skills mcp at a terminal says that it waits for a client', { timeout: 60_000 }, async () => {
  using terminal = openTmux(world, ['mcp']);
  await terminal.see('Waiting for a client of the Model Context Protocol');
  terminal.press('C-c');
  expect(await terminal.ended()).toBe(0);
});
