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
