import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAgentWorld, rulesFor, writeInProject, writeScript, type ScriptedRule } from './agent-world.js';
import { hasTmux, openTestTerminal, type TestTerminal } from './chat-terminal.js';
import { nasty } from './hostile-world.js';
import { makeSkill } from './make-skill.js';
import type { World } from './run-skills.js';

let world: World;
let terminal: TestTerminal;

beforeEach(() => {
  world = createAgentWorld();
});
afterEach(() => {
  terminal.close();
  world.remove();
});

const prompt = /^>$/mu;
const echo: readonly ScriptedRule[] = [
  { when: { request: { regex: '(?<words>[\\s\\S]+)' } }, decide: { action: { kind: 'final_answer', content: 'Heard: ${words}' } } },
]; // prettier-ignore

/** Starts a chat in a terminal, and waits for its prompt. */
async function startChat(
  rules: readonly ScriptedRule[] = echo,
  words = '--trust-project',
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  terminal = openTestTerminal(world, env);
  await terminal.seen(/^\$$/mu);
  terminal.type(`clear; echo BEGUN; skills chat --model ${writeScript(world, rules)} ${words}; echo EXIT $?`);
  terminal.press('Enter');
  await terminal.seen(/^BEGUN$/mu);
}

function summary(): unknown {
  const runs = join(world.project, '.agents', 'runs');
  const [id = ''] = readdirSync(runs).toSorted().toReversed();
  return JSON.parse(readFileSync(join(runs, id, 'run.json'), 'utf8'));
}

/** A skill whose script takes longer than any test. */
function makeSlowSkill(): readonly ScriptedRule[] {
  makeSkill(join(world.home, '.agents', 'skills', 'slow'), { files: { 'scripts/slow.sh': '#!/bin/sh\nsleep 60\n' } });
  const [first, second] = rulesFor('slow', 'scripts/slow.sh');
  return [
    { when: { request: 'slow', skillInactive: 'slow' }, decide: (first as ScriptedRule).decide },
    { when: { request: 'slow' }, decide: (second as ScriptedRule).decide },
    ...echo,
  ];
}

describe.skipIf(!hasTmux)('skills chat on a terminal', { timeout: 90_000 }, () => {
  test('H9-12: there is a prompt on a terminal, and none where CI is set or the terminal is dumb', async () => {
    await startChat();
    await terminal.seen(/^Chat with scripted:model\.json, \d+ skills\./mu);
    await terminal.seen(prompt);
    terminal.type('hello');
    terminal.press('Enter');
    expect(await terminal.seen(/Heard: hello\n>/u)).toContain('> hello\nHeard: hello\n>');
    terminal.press('C-d');
    await terminal.seen(/^EXIT 0$/mu);
    for (const env of [{ CI: 'true' }, { TERM: 'dumb' }]) {
      terminal.close();
      await startChat(echo, '--trust-project', env);
      terminal.type('hello');
      terminal.press('Enter');
      expect(await terminal.seen(/Heard: hello/u)).not.toMatch(/^>|Chat with/mu);
      terminal.press('C-d');
      await terminal.seen(/^EXIT 0$/mu);
    }
  });

  test('H9-06: /skill and a name load a skill here as well, and Tab completes both', async () => {
    await startChat();
    await terminal.seen(prompt);
    terminal.type('/skill gr');
    terminal.press('Tab');
    await terminal.seen(/^> \/skill greet$/mu);
    terminal.type('you');
    terminal.press('Enter');
    await terminal.seen(/reading greet\nHeard: you/u);
    terminal.type('/gree');
    terminal.press('Tab');
    terminal.type('me');
    await terminal.seen(/^> \/greet me$/mu);
    terminal.press('Enter');
    await terminal.seen(/Heard: (?:[^>]*\n)?me$/mu);
    terminal.type('/s');
    terminal.press('Tab', 'Tab');
    await terminal.seen(/^\/skill +\/skill-author +\/skills$/mu);
    terminal.press('C-c');
    terminal.type('/gret');
    terminal.press('Enter');
    expect(await terminal.seen(/Did you mean/u)).toMatch(/“gret”\.\nhint: Did you mean \/greet\?\n>/u);
  });

  test('the line is edited as in a shell, wide characters too, and earlier lines come back', async () => {
    await startChat();
    await terminal.seen(prompt);
    terminal.type('漢字と👍かな');
    terminal.press('Left', 'Left', 'BSpace');
    terminal.type('x');
    terminal.press('Home');
    terminal.type('A');
    terminal.press('End');
    terminal.type('Z');
    terminal.press('M-Enter', 'Left', 'C-d');
    terminal.type('Z');
    await terminal.seen(/^> A漢字とxかなZ$/mu);
    terminal.press('Enter');
    await terminal.seen(/^Heard: A漢字とxかなZ$/mu);
    terminal.type('second');
    terminal.press('Enter');
    await terminal.seen(/^Heard: second$/mu);
    terminal.press('Up', 'Up', 'Enter');
    const shown = await terminal.seen(/Heard: second\n> .*\nHeard: .*\n>/u);
    expect(shown).toContain('Heard: second\n> A漢字とxかなZ\nHeard: A漢字とxかなZ\n>');
  });

  test('a long line of wide characters stays whole when the terminal is resized', async () => {
    await startChat();
    await terminal.seen(prompt);
    const text = '漢字かな交じり文'.repeat(8);
    terminal.type(text);
    await terminal.seen(/文$/u);
    terminal.resize(41, 24);
    terminal.type('!');
    terminal.resize(100, 30);
    terminal.type('?');
    terminal.press('Enter');
    const shown = await terminal.seen(/Heard: [\s\S]*\?\n>/u);
    expect(shown.slice(shown.indexOf('Heard:')).replaceAll('\n', '')).toBe(`Heard: ${text}!?>`);
  });

  test('a text of several lines that is pasted is one request, and no key of it is pressed', async () => {
    await startChat();
    await terminal.seen(prompt);
    terminal.type('look: ');
    terminal.paste('one\ntwo\u0003\n\tthree\u001B[A\n');
    await terminal.seen(/^> look: \[pasted 1: 3 lines\]$/mu);
    terminal.press('Enter');
    await terminal.seen(/^Heard: look: one\ntwo\n\s+three\[A\n>/mu);
    terminal.paste('single');
    expect(await terminal.seen(/single/u)).toMatch(/^> single$/mu);
  });

  test('PSA-15: what needs a yes is asked for: no is no, yes is once, always is for this chat', async () => {
    const [, run, done] = rulesFor('greet', 'scripts/hello.sh', ['漢字']);
    const decisions = [
      { when: { skillInactive: 'greet' }, decide: rulesFor('greet', '')[0]?.decide },
      { when: { turn: 1 }, decide: run?.decide },
      { when: { after: 'select_skills' }, decide: run?.decide },
      { when: { ok: false }, decide: { action: { kind: 'final_answer', content: 'It was refused.' } } },
      { decide: done?.decide },
    ] as readonly ScriptedRule[];
    await startChat(decisions);
    await terminal.seen(prompt);
    for (const [key, outcome] of [['n', /It was refused\.\n>/u], ['y', /All is done\.\nIn two lines\.\n>/u], ['a', /All is done\.\nIn two lines\.\n>/u]] as const) {
      terminal.type('go');
      terminal.press('Enter');
      await terminal.seen(/scripts\/hello\.sh .?漢字.?\nTo read it first: \S+hello\.sh\n(?:NOT confined|In a sandbox)[^?]*\nAllow it\? \[y\]es, \[n\]o, any script of greet \[a\]lways in this chat:$/u);
      terminal.type(key);
      terminal.press('Enter');
      await terminal.seen(outcome);
      terminal.press('C-l');
      await terminal.seen(/^>$/u);
    }
    terminal.type('go');
    terminal.press('Enter');
    expect(await terminal.seen(/All is done\./u)).not.toContain('Allow it?');
    terminal.press('C-d');
    await terminal.seen(/^EXIT 0$/mu);
    expect(summary()).toMatchObject({
      approvals: [
        { decision: { kind: 'denied' } },
        { decision: { kind: 'approved', scope: 'once' } },
        { decision: { kind: 'approved', scope: 'session' } },
      ],
    });
  }); // prettier-ignore

  test('what was typed before a question came up does not answer it, and is the next line', async () => {
    makeSkill(join(world.home, '.agents', 'skills', 'wait'), {
      files: { 'scripts/wait.sh': '#!/bin/sh\nwhile [ ! -e go ]; do sleep 0.1; done\n' },
    });
    const [select, run] = rulesFor('wait', 'scripts/wait.sh');
    await startChat([
      { when: { request: 'y' }, decide: { action: { kind: 'final_answer', content: 'That was a line.' } } },
      ...([select, run] as readonly ScriptedRule[]),
      { when: { turn: 3 }, decide: (run as ScriptedRule).decide },
      ...echo,
    ]);
    await terminal.seen(prompt);
    terminal.type('go');
    terminal.press('Enter');
    await terminal.seen(/lways in this chat:$/u);
    terminal.type('y');
    terminal.press('Enter');
    await terminal.seen(/run wait\/scripts\/wait\.sh … /u);
    terminal.type('y');
    terminal.press('Enter');
    writeInProject(world, 'go', '');
    await terminal.seen(/ok \d[\s\S]*lways in this chat:$/u);
    await new Promise((resolve) => {
      setTimeout(resolve, 700);
    });
    expect(terminal.screen()).toMatch(/lways in this chat:$/u);
    terminal.type('n');
    terminal.press('Enter');
    await terminal.seen(/^> y\nThat was a line\.$/mu);
  });

  test('Ctrl-C cancels a request and the chat goes on; twice on an empty line it leaves', async () => {
    await startChat(makeSlowSkill(), '--trust-project --approve run_script');
    await terminal.seen(prompt);
    terminal.type('slow');
    terminal.press('Enter');
    await terminal.seen(/^run slow\/scripts\/slow\.sh … \d+ s, Ctrl-C cancels$/mu);
    terminal.press('C-c');
    const shown = await terminal.seen(/Cancelled\.\n>/u);
    expect(shown).not.toContain('Ctrl-C cancels');
    terminal.type('still here');
    terminal.press('C-c');
    await terminal.seen(/^> still here\n>$/mu);
    terminal.type('hello');
    terminal.press('Enter');
    await terminal.seen(/Heard: hello\n>/u);
    terminal.press('C-c');
    await terminal.seen(/Ctrl-C once more leaves/u);
    terminal.press('C-c');
    await terminal.seen(/recorded in [\s\S]*^EXIT 0$/mu);
    expect(summary()).toMatchObject({
      status: 'finished',
      requests: [{ answer: { stop: 'cancelled' } }, { answer: { stop: 'final_answer' } }],
    });
  });

  test('Ctrl-C at a question cancels the request that asked', async () => {
    await startChat(makeSlowSkill());
    await terminal.seen(prompt);
    terminal.type('slow');
    terminal.press('Enter');
    await terminal.seen(/lways in this chat:$/u);
    terminal.press('C-c');
    expect(await terminal.seen(/Cancelled\.\n>$/u)).not.toContain('Ctrl-C cancels');
  });

  test('an answer that turns out to be none is told so, and the one that counts follows', async () => {
    const half = '{"action":{"kind":"final_answer","content":"Half an answer';
    const replies = [{ say: half }, { decide: { kind: 'final_answer', content: 'The answer,\nin two lines.\n' } }, { decide: { kind: 'ask_user', question: 'Which one?' } }];
    writeInProject(world, 'replies.json', JSON.stringify({ formatVersion: 1, replies }));
    await startChat(echo, '--trust-project --model scripted:replies.json');
    await terminal.seen(prompt);
    terminal.type('go');
    terminal.press('Enter');
    const shown = await terminal.seen(/in two lines\.\n+>/u);
    expect(shown).toMatch(/> go\n(?:Half an answer\n)?the model’s answer was no decision: [\s\S]*\nThe answer,\nin two lines\.\n>$/u);
    terminal.type('and?');
    terminal.press('Enter');
    expect(await terminal.seen(/Which one\?\n>$/u)).toMatch(/> and\?\nWhich one\?\n>$/u);
  }); // prettier-ignore

  test('a skill that appears is told of above the line that is edited, which stays', async () => {
    await startChat();
    await terminal.seen(prompt);
    const line = `half a line, ${'which is longer than the terminal is wide, '.repeat(3)}`;
    terminal.type(line);
    makeSkill(join(world.home, '.agents', 'skills', 'fresh'));
    const shown = await terminal.seen(/Skills on the disk: new fresh\.\n> half a line/u);
    expect(shown.replaceAll('\n', '').match(/half a line/gu)).toHaveLength(1);
    terminal.type('done');
    terminal.press('Enter');
    await terminal.seen(/Heard: half a line/u);
    terminal.type('/fre');
    terminal.press('Tab');
    await terminal.seen(/^> \/fresh$/mu);
  });

  test('SPEC-10: whether a project is trusted is asked until a person says yes or never, and that is remembered', async () => {
    writeInProject(world, 'AGENTS.md', 'Be kind.\n');
    const rules = [
      { when: { system: 'Does local.' }, decide: { action: { kind: 'final_answer', content: 'Offered.' } } },
      { decide: { action: { kind: 'final_answer', content: 'Not offered.' } } },
    ];
    const rounds = [['n', /^Not offered\./mu], ['never', /^Not offered\./mu], ['', /^Not offered\./mu], ['y', /^Offered\./mu], ['', /^Offered\./mu]] as const;
    for (const [reply, outcome] of rounds) {
      const asked = reply !== '';
      // Whoever wants to be asked again removes what they said.
      if (asked) rmSync(join(world.home, '.agents', 'trusted-projects.json'), { force: true });
      await startChat(rules, '');
      if (asked) {
        await terminal.seen(/This project brings AGENTS\.md and 1 skill: local\.?\n[\s\S]*Trust them\? \[y\]es, \[n\]ot now, ne\[v\]er:$/u);
        terminal.type(reply);
        terminal.press('Enter');
      }
      await terminal.seen(prompt);
      terminal.type('hello');
      terminal.press('Enter');
      expect((await terminal.seen(outcome)).includes('Trust them?')).toBe(asked);
      terminal.close();
    }
  }); // prettier-ignore

  test('what was typed before the chat began is no answer to the question of trust, and is its first line', async () => {
    terminal = openTestTerminal(world);
    await terminal.seen(/^\$$/mu);
    terminal.type(`clear; sleep 1; skills chat --model ${writeScript(world, echo)}`);
    terminal.press('Enter');
    await terminal.seen(/^$/u);
    terminal.type('y');
    terminal.press('Enter');
    await terminal.seen(/Trust them\?.*:$/u);
    await new Promise((resolve) => {
      setTimeout(resolve, 700);
    });
    expect(terminal.screen()).toMatch(/Trust them\?.*:$/u);
    terminal.type('n');
    terminal.press('Enter');
    await terminal.seen(/^> y\nHeard: y$/mu);
    expect(existsSync(join(world.home, '.agents', 'trusted-projects.json'))).toBe(false);
  });

  test('Ctrl-C at the question of trust ends the chat with 130, and Ctrl-D is a no for now', async () => {
    await startChat(echo, '');
    await terminal.seen(/Trust them\?.*:$/u);
    terminal.press('C-c');
    await terminal.seen(/^error\[INTERRUPTED\][\s\S]*^EXIT 130$/mu);
    terminal.close();
    await startChat(echo, '');
    await terminal.seen(/Trust them\?.*:$/u);
    terminal.press('C-d');
    await terminal.seen(/^warning: That is a no for now: 1 skill of this project is left out\.[\s\S]*\n>$/mu);
    expect(existsSync(join(world.home, '.agents', 'trusted-projects.json'))).toBe(false);
  });

  test('after the terminal was resized, a question still shows what it is about', async () => {
    const [select, run] = rulesFor('greet', 'scripts/hello.sh', ['Ada']);
    await startChat([select, run] as readonly ScriptedRule[]);
    await terminal.seen(prompt);
    for (const columns of [40, 70, 33, 100]) {
      terminal.resize(columns, 24);
      if (columns === 40) {
        terminal.type('go');
        terminal.press('Enter');
      }
      const whole =
        /scripts\/hello\.sh Ada\nTo read it first: \S+hello\.sh\n(?:NOT confined|In a sandbox)[^?]*\nAllow it\? [^?]*:$/u;
      expect(await terminal.seen(whole), String(columns)).toContain('run_script of the skill greet');
    }
  });

  test('Ctrl-Z stops the chat also while a script runs, and leaves the keyboard to the shell', async () => {
    await startChat(makeSlowSkill(), '--trust-project --approve run_script');
    await terminal.seen(prompt);
    terminal.type('slow');
    terminal.press('Enter');
    await terminal.seen(/^run slow\/scripts\/slow\.sh … \d+ s, Ctrl-C cancels$/mu);
    terminal.press('C-z');
    await terminal.seen(/Stopped/u);
    terminal.type('echo in the shell');
    terminal.press('Enter');
    await terminal.seen(/^in the shell$/mu);
    terminal.type('fg');
    terminal.press('Enter');
    await terminal.seen(/\n.*run slow\/scripts\/slow\.sh … \d+ s, Ctrl-C cancels$/u);
    terminal.press('C-c');
    expect(await terminal.seen(/Cancelled\.\n>$/u)).toContain('Stopped');
  });

  test('on a narrow terminal, what a skill is for has a row of its own', async () => {
    makeSkill(join(world.home, '.agents', 'skills', 'help'), {
      frontMatter: 'name: help\ndescription: Tells how to go on from here.',
    });
    await startChat();
    await terminal.seen(prompt);
    terminal.resize(40, 60);
    terminal.type('/skills');
    terminal.press('Enter');
    const shown = await terminal.seen(/\/skill help[\s\S]*\n>$/u);
    expect(shown).toMatch(/^ {2}\/skill help {2}user\n {6}Tells how to go on from here\.$/mu);
    expect(shown).not.toMatch(/^ {2}\/help/mu);
  });

  test('nothing that a stranger wrote is written to the terminal as it is', async () => {
    makeSkill(join(world.home, '.agents', 'skills', 'evil'), {
      frontMatter: `name: ${JSON.stringify(`evil${nasty}`)}\ndescription: ${JSON.stringify(nasty)}`,
      body: `# ${nasty}\n`,
    });
    const rules = [
      { when: { request: 'ask' }, decide: { action: { kind: 'ask_user', question: nasty } } },
      { when: { request: 'run', skillInactive: 'greet' }, decide: (rulesFor('greet', '')[0] as ScriptedRule).decide },
      { when: { request: 'run', ok: false }, decide: { action: { kind: 'final_answer', content: 'Refused.' } } },
      { when: { request: 'run' }, decide: { action: { kind: 'run_script', skill: { name: 'greet' }, relative_path: 'scripts/hello.sh', args: [nasty] } } },
      { decide: { action: { kind: 'final_answer', content: nasty } } },
    ]; // prettier-ignore
    await startChat(rules);
    await terminal.seen(prompt);
    for (const [line, sign] of [['hello', '<U\\+202E>'], ['ask', '<U\\+202E>'], ['/skills', 'evil'], ['/skills evil', 'evil']] as const) {
      terminal.type(line);
      terminal.press('Enter');
      await terminal.seen(new RegExp(`\\n.*${sign}[\\s\\S]*\\n>$`, 'u'));
      terminal.press('C-l');
      await terminal.seen(/^>$/u);
    }
    terminal.type('/ev');
    terminal.press('Tab', 'Tab', 'C-c');
    terminal.type('run');
    terminal.press('Enter');
    await terminal.seen(/<U\+202E>[\s\S]*lways in this chat:$/u);
    terminal.type('n');
    terminal.press('Enter');
    await terminal.seen(prompt);
    terminal.press('C-d');
    await terminal.seen(/EXIT 0/u);
    await expect.poll(() => terminal.written()).toContain('<U+001B>]0;owned');
    const written = terminal.written();
    for (const part of ['\u001B[2J\u001B]0', '\u001B]0;owned', '\u009B', '\u202E', '\u200B', '\u{E0041}', '\u2066', '\uFEFF']) {
      expect(written.includes(part), JSON.stringify(part)).toBe(false);
    }
  }); // prettier-ignore

  test('the terminal is as it was when the chat is over, however it ends, and while it is stopped', async () => {
    await startChat();
    await terminal.seen(prompt);
    terminal.type('half');
    terminal.press('C-z');
    await terminal.seen(/Stopped/u);
    // What was written arrives a moment after it is on the screen; after that, the shell has pastes marked, too.
    await expect.poll(() => terminal.written()).toContain('Stopped');
    const [before = ''] = terminal.written().split('Stopped');
    expect(before.lastIndexOf('\u001B[?2004l')).toBeGreaterThan(before.lastIndexOf('\u001B[?2004h'));
    terminal.type('echo in the shell');
    terminal.press('Enter');
    await terminal.seen(/^in the shell$/mu);
    terminal.type('fg');
    terminal.press('Enter');
    await terminal.seen(/> half$/u);
    terminal.press('Enter');
    await terminal.seen(/Heard: half/u);
    terminal.press('C-z');
    await terminal.seen(/Stopped[\s\S]*Stopped/u);
    // By its job it would go on in the background, and might have ended before it comes to the front.
    terminal.type('kill $(jobs -p); fg');
    terminal.press('Enter');
    await terminal.seen(/error\[INTERRUPTED\][\s\S]*\$$/u);
    terminal.type('echo code $?');
    terminal.press('Enter');
    await terminal.seen(/^code 143$/mu);
    expect(summary()).toMatchObject({ status: 'finished' });
  });
});
