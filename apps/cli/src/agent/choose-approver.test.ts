import type { ApprovalRequest, Digest } from '@skillpack/core';
import { expect, test } from 'vitest';
import { chooseApprover, type ApproverPorts } from './choose-approver.js';

const ports = { tools: ['run_script'], programs: [], workspace: '/work', originOf: async () => undefined };

/** A person who says yes to everything. */
function credulous(more: Partial<ApproverPorts> = {}) {
  const asked: string[] = [];
  const ask = async (question: string): Promise<string> => {
    asked.push(question);
    return 'y';
  };
  return { asked, approver: chooseApprover('ask', { ...ports, ...more, person: { ask } }) };
}

function request(change: Partial<ApprovalRequest>): ApprovalRequest {
  const input = { relative_path: 'a.sh', args: ['--title', 'A title', '--then', 'rm -rf ~'] };
  return {
    run: 'one',
    id: 'a1',
    action: 'run_script',
    tool: 'run_script',
    risk: 'medium',
    skill: { name: 'greet', location: '/skills/greet' },
    summary: "a.sh --title 'A title' --then 'rm -rf ~'",
    input,
    ...change,
  };
}

test('a person is shown in a line what would be done, where it fits one', async () => {
  const { asked, approver } = credulous();
  expect(await approver.decide(request({}), {})).toMatchObject({ kind: 'approved', scope: 'once' });
  expect(asked).toEqual([
    "run_script of the skill greet (/skills/greet) runs code:\n  a.sh --title 'A title' --then 'rm -rf ~'\nTo read it first: /skills/greet/a.sh\nNOT confined: it can do whatever you can do, and read whatever you can read.\nAllow it? [y]es, [n]o, any script of greet [a]lways in this run: ",
  ]);
});

test('a person is shown all of what would be done where the line has only its beginning and its end', async () => {
  const { asked, approver } = credulous();
  const summary = 'a.sh --title [… 900 characters left out …] end';
  const args = ['--title', 'A harmless title. '.repeat(40), '--then', 'rm -rf ~\u001B[2J\u202E', 'end'];
  await approver.decide(request({ summary, input: { relative_path: 'a.sh', args } }), {});
  expect(asked[0]).toContain('\n      "rm -rf ~');
  expect(asked[0]).toContain('A harmless title. A harmless');
  // Who asks, and how far it is confined, stand below it, where they are in sight.
  expect(asked[0]?.indexOf('rm -rf ~')).toBeLessThan(asked[0]?.indexOf('run_script of the skill greet') ?? -1);
  for (const hidden of ['\u001B', '\u202E']) expect(asked[0]).not.toContain(hidden);
});

test('nobody is asked for a yes to more than they would read', async () => {
  const { asked, approver } = credulous();
  const summary = 'a.sh x[… 30000 characters left out …]x';
  const decision = await approver.decide(request({ summary, input: { args: ['x'.repeat(30_000)] } }), {});
  expect(decision).toMatchObject({ kind: 'denied', by: 'terminal' });
  expect(asked).toEqual([]);
});

test('what would be done, by whom and of which skill is shown without a character that a terminal obeys', async () => {
  const { asked, approver } = credulous();
  const skill = { name: 'gr\u001B[2Jeet', location: '/skills/\u202Egreet\u0007' };
  await approver.decide(
    request({ action: 'call_tool', tool: 'wi\u001B]0;x\u0007pe\u2066', skill, summary: 'a\u001B[1A.sh' }),
    {},
  );
  expect(asked[0]).toContain(
    'wi<U+001B>]0;x<U+0007>pe<U+2066> of the skill gr<U+001B>[2Jeet (/skills/<U+202E>greet<U+0007>)',
  );
  expect(asked[0]).toContain('a<U+001B>[1A.sh');
  // oxlint-disable-next-line eslint/no-control-regex -- what has to be gone
  expect(asked[0]).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F\u202A-\u202E\u2066-\u2069]/u);
});

test('a tool that is called run_script is no script: its name is not approved by that, and the question says so', async () => {
  const tool = request({ action: 'call_tool', risk: 'high', skill: undefined });
  const named = chooseApprover('run_script', { ...ports, person: undefined });
  expect(await named.decide(request({}), {})).toMatchObject({ kind: 'approved', scope: 'run' });
  expect(await named.decide(tool, {})).toMatchObject({
    kind: 'unavailable',
    reason: expect.stringContaining('no tool'),
  });
  const { asked, approver } = credulous();
  await approver.decide(tool, {});
  expect(asked[0]).toMatch(/^the tool run_script may change or send something:/u);
});

// Cast: it is one.
const digest = `sha256:${'1a2b3c4d'.repeat(8)}` as Digest;
const content = request({ digest });

test('PSA-14: a yes said beforehand is to a tool, to it for a skill, or to it for one content of that skill', async () => {
  const lists: readonly (readonly [list: string, asked: ApprovalRequest, allowed: boolean])[] = [
    ['run_script', content, true],
    ['run_script(greet)', content, true],
    ['run_script( greet )', content, true],
    ['run_script(greet@1a2b3c4d1a2b)', content, true],
    [`run_script(greet@${digest.slice(7).toUpperCase()})`, content, true],
    ['run_script(other),run_script(greet@1A2B3C4D1A2B)', content, true],
    ['run_script(other)', content, false],
    ['run_script(greet@1a2b3c4d1a2c)', content, false],
    ['run_script(greet@1a2b3c4d1a2b)', request({}), false],
    ['run_script(greet@1a2b3c4d1a2b)', { ...content, skill: undefined }, false],
    ['run_script(greet)', { ...content, action: 'call_tool' }, false],
    ['run_script(Greet)', content, false],
    ['run_script(gre%65t)', content, true],
  ];
  for (const [list, asked, allowed] of lists) {
    const { kind } = await chooseApprover(list, { ...ports, person: undefined }).decide(asked, {});
    expect(kind, list).toBe(allowed ? 'approved' : 'unavailable');
  }
});

test('PSA-14: a yes to another content is none', async () => {
  const approver = chooseApprover('run_script(greet@1a2b3c4d1a2c)', { ...ports, person: undefined });
  const decision = await approver.decide(content, {});
  expect(decision).toMatchObject({ kind: 'unavailable', reason: expect.stringContaining('sha256:1a2b3c4d1a2c') });
});

test('PSA-14: a list that cannot be read is refused, with what it may be', () => {
  const lists = [
    '',
    ' ',
    ',',
    'run_script,',
    'run_script()',
    'run_script(greet',
    'run_script greet',
    'rm',
    'run_script(a)(b)',
  ];
  const digests = ['', '1a2b3c4d1a2', 'g'.repeat(12), '1'.repeat(65), 'sha256:1a2b3c4d1a2b'].map(
    (hex) => `run_script(greet@${hex})`,
  );
  for (const list of [...lists, ...digests, 'run_script(100%)', 'run_script(a@b@1a2b3c4d1a2b)']) {
    expect(() => chooseApprover(list, { ...ports, person: undefined }), list).toThrow(
      expect.objectContaining({ code: 'USAGE', hint: expect.stringMatching(/^It is never, ask, or a list/u) }),
    );
  }
});

test('PSA-14: the question says where the skill is from, how a script is confined, and what differs from what was allowed', async () => {
  const { asked, approver } = credulous({ originOf: async () => 'acme/greet 1.2.0', leaves: ['ask name servers'] });
  const paths = Array.from({ length: 40 }, (_, at) => `scripts/${at}${'x'.repeat(200)}.sh`);
  const changes = { changed: ['scripts/a.sh\u001B[2J'], added: paths, removed: [], more: 7 };
  await approver.decide(request({ confinement: 'bubblewrap', changes }), {});
  expect(asked[0]).toContain('of the skill greet (acme/greet 1.2.0, /skills/greet) runs code:');
  expect(asked[0]).toContain(
    '\nIn a sandbox (bubblewrap): no network, it writes only to /work. It can ask name servers all the same.\n',
  );
  expect(asked[0]).toContain(
    '\nThe skill is not what you allowed before:\n  changed: scripts/a.sh<U+001B>[2J\n  added: ',
  );
  expect(asked[0]).toMatch(/… and 35 more\n {2}and 7 more\nAllow it\?/u);
  expect(asked[0]?.length).toBeLessThan(1_500);
});

test('PSA-14: of a tool that starts programs it is said how far they are confined, and of no other', async () => {
  const { asked, approver } = credulous({ programs: ['run_command'] });
  const tool = { action: 'call_tool', risk: 'high', skill: undefined } as const;
  await approver.decide(request({ ...tool, tool: 'write_file' }), {});
  await approver.decide(request({ ...tool, tool: 'run_command' }), {});
  await approver.decide(request({ ...tool, tool: 'run_command', confinement: 'bubblewrap' }), {});
  expect(asked.map((question) => /NOT confined|In a sandbox/u.exec(question)?.[0])).toEqual([
    undefined,
    'NOT confined',
    'In a sandbox',
  ]);
});

test('PSA-14: a yes that lasts holds for the run, and in a chat, which is one run, for the session', async () => {
  for (const [chat, scope, word] of [
    [false, 'run', 'run'],
    [true, 'session', 'chat'],
  ] as const) {
    const asked: string[] = [];
    const ask = async (question: string): Promise<string> => {
      asked.push(question);
      return 'A';
    };
    const approver = chooseApprover(undefined, { ...ports, chat, person: { ask } });
    expect(await approver.decide(content, {})).toEqual({ kind: 'approved', scope, by: 'person' });
    expect(asked[0]).toMatch(new RegExp(`any script of greet \\[a\\]lways in this ${word}: $`, 'u'));
  }
});

/** A person who types these lines, one after another. */
function typing(lines: readonly (string | undefined)[], more: Partial<ApproverPorts> = {}, approve?: string) {
  const asked: string[] = [];
  const ask = async (question: string): Promise<string | undefined> => {
    asked.push(question);
    return lines[asked.length - 1];
  };
  return { asked, approver: chooseApprover(approve, { ...ports, ...more, person: { ask } }) };
}

test('what is neither yes nor no is asked about once more', async () => {
  for (const [lines, decision, questions] of [
    [['', 'y'], { kind: 'approved', scope: 'once' }, 2],
    [['maybe', 'always'], { kind: 'approved', scope: 'run' }, 2],
    [['maybe', 'NO'], { kind: 'denied', reason: 'The person said no.' }, 2],
    [['no'], { kind: 'denied', reason: 'The person said no.' }, 1],
    [['', '\u001B[2Jwhat', 'y'], { kind: 'denied', reason: 'The person did not say yes.' }, 2],
    [['s', 's', 'y'], { kind: 'denied', reason: 'The person did not say yes.' }, 2],
    [['', undefined], { kind: 'unavailable', reason: 'The person went away.' }, 2],
  ] as const) {
    const { asked, approver } = typing(lines);
    expect(await approver.decide(request({}), {}), lines.join()).toMatchObject(decision);
    expect(asked).toHaveLength(questions);
  }
  const { asked, approver } = typing(['ye\u001B[2J', 'n']);
  await approver.decide(request({}), {});
  expect(asked[1]).toBe(
    '“ye<U+001B>[2J” is no answer; without one, it is not done.\nAllow it? [y]es, [n]o, any script of greet [a]lways in this run: ',
  );
});

test('what would be written is shown by its path and its beginning, and whole when a person asks for it', async () => {
  const text = Array.from({ length: 100 }, (_, at) => `line ${at}`).join('\n');
  const write = request({
    action: 'call_tool',
    tool: 'write_file',
    risk: 'high',
    skill: undefined,
    summary: 'write_file {"content":"line 0[… 900 characters left out …]',
    input: { content: text, path: 'notes.md' },
  });
  const { asked, approver } = typing(['S', 'y']);
  expect(await approver.decide(write, {})).toMatchObject({ kind: 'approved', scope: 'once' });
  expect(asked).toHaveLength(2);
  expect(asked[0]).toMatch(/^write_file may change or send something:\n {2}notes\.md, 100 lines .*\n {2}\| line 0\n/u);
  expect(asked[0]).toMatch(
    /\n {2}\[… 88 more lines .*\nAllow it\? \[y\]es, \[n\]o, \[s\]how all, any write_file \[a\]l/u,
  );
  expect(asked[0]).not.toContain('line 50');
  expect(asked[1]).toMatch(/^What is to be allowed, all of it:\n {2}\| line 0\n[^]*\n {2}\| line 99\nwrite_file may/u);
  expect(asked[1]).not.toContain('[s]how');
  const huge = { ...write, input: { content: 'x'.repeat(30_000), path: 'notes.md' } };
  expect(await typing(['y']).approver.decide(huge, {})).toMatchObject({ kind: 'denied', by: 'terminal' });
});

test('PSA-14: at a terminal a list is a yes to what it names, and of all else the person is asked', async () => {
  const { asked, approver } = typing(['n', 'n'], {}, 'run_script(greet)');
  expect(await approver.decide(content, {})).toMatchObject({ kind: 'approved', by: '--approve' });
  const other = { ...content, skill: { name: 'other', location: '/skills/other' } };
  expect(await approver.decide(other, {})).toMatchObject({ kind: 'denied', by: 'person' });
  expect(asked).toHaveLength(1);
  const pinned = typing(['n'], {}, 'run_script(greet@1a2b3c4d1a2c)');
  await pinned.approver.decide(content, {});
  expect(pinned.asked[0]).toContain(
    '\nWhat --approve says is for another content of that skill, sha256:1a2b3c4d1a2c.\nAllow it?',
  );
  const never = typing(['y'], {}, 'never');
  expect(await never.approver.decide(content, {})).toEqual({
    kind: 'unavailable',
    reason: '--approve never says that nobody is asked.',
  });
  expect(never.asked).toEqual([]);
});

test('a yes to another use of a tool is told as that', async () => {
  const none = { ...ports, tools: ['write_file'], person: undefined };
  const write = request({ action: 'call_tool', tool: 'write_file', skill: undefined, input: { path: 'a.md' } });
  expect(await chooseApprover('write_file(@0123456789ab)', none).decide(write, {})).toEqual({
    kind: 'unavailable',
    reason: 'Nobody sits at a terminal, and what --approve says of write_file is for another use of it.',
  });
});

test('where there is no yes, the reason is what was said, and whether somebody could be asked', async () => {
  for (const [approve, reason] of [
    [undefined, 'Nobody sits at a terminal.'],
    ['ask', 'Nobody sits at a terminal.'],
    ['never', '--approve never says that nobody is asked.'],
    ['run_script(other)', 'Nobody sits at a terminal, and --approve does not name it.'],
  ] as const) {
    const approver = chooseApprover(approve, { ...ports, person: undefined });
    expect(await approver.decide(content, {}), approve).toEqual({ kind: 'unavailable', reason });
  }
});

test('of a program that nothing confines it is said what it can do, and why that is', async () => {
  const leaves = ['read files of others', 'reach hosts', 'start\u001B[2J more', 'stay', 'see all'];
  const { asked, approver } = credulous({ leaves, unconfined: 'No sandbox works here. Install bubblewrap.' });
  await approver.decide(request({}), {});
  expect(asked[0]).toContain(
    '\nIt can read files of others, reach hosts, start<U+001B>[2J more and 2 things more.\nNo sandbox works here. Install bubblewrap.\n',
  );
});

test('PSA-14: a yes that lasts for one input alone is offered as that', async () => {
  const { asked, approver } = typing(['a']);
  const input = { command: 'ls' };
  const command = request({ action: 'call_tool', tool: 'run_command', skill: undefined, input, covers: 'input' });
  expect(await approver.decide(command, {})).toMatchObject({ kind: 'approved', scope: 'run' });
  expect(asked[0]).toMatch(/Allow it\? \[y\]es, \[n\]o, just this run_command \[a\]lways in this run: $/u);
});
