import { expect, test } from 'vitest';
import { digestSchema } from '../digest/digest-schema.js';
import type { ApprovalDecision, ApprovalRequest, Approver } from './approver.js';
import { rememberApprovals } from './remember-approvals.js';

const request: ApprovalRequest = {
  run: 'a',
  id: '1',
  action: 'run_script',
  tool: 'run_script',
  risk: 'medium',
  skill: { name: 'pdf', location: '/skills/pdf' },
  summary: 'scripts/a.py',
  input: {},
  digest: digestSchema.parse(`sha256:${'1'.repeat(64)}`),
};
const yes: ApprovalDecision = { kind: 'approved', scope: 'session', by: 'Ada' };

/** How often the person was asked for the second request, after the answer to the first. */
async function asked(answer: unknown, first: ApprovalRequest, second: ApprovalRequest): Promise<number> {
  let times = 0;
  const person: Approver = {
    decide: async () => {
      times += 1;
      // Cast: an approver may be written in a language without types.
      return answer as ApprovalDecision;
    },
  };
  const approver = rememberApprovals(person);
  expect(await approver.decide(first, {})).toEqual(answer);
  times = 0;
  expect(await approver.decide(second, {})).toEqual(answer);
  return times;
}

test('PSA-14: a yes for the session holds in later runs, whatever the arguments', async () => {
  expect(await asked(yes, request, { ...request, run: 'b', id: '9', summary: 'x', input: { args: [1] } })).toBe(0);
});

const tool: ApprovalRequest = { ...request, action: 'call_tool', tool: 'convert', skill: undefined, digest: undefined };

test.each([
  ['a skill that was edited since', request, { digest: digestSchema.parse(`sha256:${'2'.repeat(64)}`) }],
  ['another skill of the same content', request, { skill: { name: 'pdf', location: '/other/pdf' } }],
  ['a tool that is called like an action', request, { action: 'call_tool' as const }],
  ['another tool', tool, { tool: 'other' }],
  ['a tool on behalf of a skill', tool, { skill: { name: 'pdf', location: '/skills/pdf' }, digest: request.digest }],
  ['a tool that does more harm than it did', tool, { risk: 'high' as const }],
  ['a script that nothing confines any more', { ...request, confinement: 'bubblewrap' }, { confinement: undefined }],
])('PSA-14: a yes for the session is none for %s', async (_, first, change) => {
  expect(await asked(yes, first, first)).toBe(0);
  expect(await asked(yes, first, { ...first, ...change })).toBe(1);
});

test('PSA-14: a yes for the session to a command is one for the same command, whatever the order of its fields', async () => {
  const command: ApprovalRequest = {
    ...tool,
    tool: 'run_command',
    covers: 'input',
    input: { command: 'ls', timeout: 1 },
  };
  expect(await asked(yes, command, { ...command, run: 'b', input: { timeout: 1, command: 'ls' } })).toBe(0);
  expect(await asked(yes, command, { ...command, input: { command: 'ls', timeout: 2 } })).toBe(1);
  expect(await asked(yes, command, { ...command, covers: undefined })).toBe(1);
  expect(await asked(yes, { ...command, covers: undefined }, command)).toBe(1);
});

test('a skill that nobody could measure is asked about each time', async () => {
  const unmeasured = { ...request, digest: undefined };
  expect(await asked(yes, unmeasured, unmeasured)).toBe(1);
});

test.each([
  { kind: 'approved', scope: 'once', by: 'Ada' },
  { kind: 'approved', scope: 'run', by: 'Ada' },
  { kind: 'denied', reason: 'No.', by: 'Ada' },
  { kind: 'unavailable', reason: 'Nobody is there.' },
  undefined,
  null,
  'approved',
  { scope: 'session' },
])('no other answer is remembered: %j', async (answer) => {
  expect(await asked(answer, request, request)).toBe(1);
});

test('what an approver remembers, nobody changes', async () => {
  const answer = { ...yes };
  const approver = rememberApprovals({ decide: async () => answer });
  Object.assign(await approver.decide(request, {}), { by: 'Eve' });
  const first = await approver.decide(request, {});
  expect(first).toEqual(yes);
  expect(() => Object.assign(first, { by: 'Eve' })).toThrow(TypeError);
});

test('the signal reaches whoever is asked', async () => {
  const { signal } = new AbortController();
  let heard: unknown;
  const approver = rememberApprovals({
    decide: async (_, options) => {
      heard = options.signal;
      return yes;
    },
  });
  await approver.decide(request, { signal });
  expect(heard).toBe(signal);
});
