import type { ApprovalRequest } from '@skillpack/core';
import { expect, test } from 'vitest';
import { chooseApprover } from './choose-approver.js';

/** A person who says yes to everything. */
function credulous() {
  const asked: string[] = [];
  const ask = async (question: string): Promise<string> => {
    asked.push(question);
    return 'y';
  };
  return { asked, approver: chooseApprover('ask', { tools: ['run_script'], person: { ask } }) };
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
    "run_script of the skill greet (/skills/greet) runs code:\n  a.sh --title 'A title' --then 'rm -rf ~'\nAllow it? [y]es, [n]o, any script of greet [a]lways in this run: ",
  ]);
});

test('a person is shown all of what would be done where the line has only its beginning and its end', async () => {
  const { asked, approver } = credulous();
  const summary = 'a.sh --title [… 900 characters left out …] end';
  const args = ['--title', 'A harmless title. '.repeat(40), '--then', 'rm -rf ~\u001B[2J\u202E', 'end'];
  await approver.decide(request({ summary, input: { relative_path: 'a.sh', args } }), {});
  expect(asked[0]).toContain('\n      "rm -rf ~');
  expect(asked[0]).toContain('A harmless title. A harmless');
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
  const named = chooseApprover('run_script', { tools: ['run_script'], person: undefined });
  expect(await named.decide(request({}), {})).toMatchObject({ kind: 'approved', scope: 'run' });
  expect(await named.decide(tool, {})).toMatchObject({
    kind: 'unavailable',
    reason: expect.stringContaining('no tool'),
  });
  const { asked, approver } = credulous();
  await approver.decide(tool, {});
  expect(asked[0]).toMatch(/^the tool run_script may change or send something:/u);
});
