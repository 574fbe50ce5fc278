import { expect, test } from 'vitest';
import { readRunEvents } from '../../src/agent/record/read-run-events.js';
import { formatRunEvent } from '../../src/agent/record/parse-run-event.js';
import { runAgent } from '../../src/agent/run-agent.js';
import type { AgentAction } from '../../src/model/action.js';
import type { ApprovalDecision } from '../../src/policy/approver.js';
import { sha256 } from '../sha256.js';
import { agentWorld, answer, asking, echoTool, named, select, skillFile, type AgentWorld } from './agent-world.js';
import { approver, echoRunner, yes } from './scripts-world.js';

const wipe: AgentAction = { kind: 'call_tool', tool: 'wipe', input: {} };

/** An approver that says anything at all. */
function saying(decision: unknown) {
  // Cast: whoever approves may be written in a language without types.
  return { decide: async () => decision as ApprovalDecision };
}

function reread({ events }: AgentWorld): number {
  const text = events.map(formatRunEvent).join('');
  return readRunEvents(text, { sha256 }, { what: 'it', run: 'run' }).events.length;
}

test.for([
  [undefined],
  [null],
  [true],
  ['approved'],
  [{}],
  [[]],
  [{ kind: 'yes' }],
  [{ kind: 'Approved', scope: 'once', by: 'test' }],
  [{ kind: ['approved'], scope: 'once', by: 'test' }],
  [{ kind: 'approved' }],
  [{ kind: 'approved', scope: 'always', by: 'test' }],
  [{ kind: 'approved', scope: 'toString', by: 'test' }],
  [{ kind: '__proto__' }],
])('PSA-15: %j is no clear yes: nothing is done, and the record can be read', async ([decision]) => {
  const tool = echoTool('wipe', { risk: 'high' });
  const world = agentWorld([wipe, answer('Never.')], { tools: [tool], approver: saying(decision) });
  const { stop, text } = await runAgent('Do it.', world.ports, named({ permissions: asking }));
  expect(tool.calls).toEqual([]);
  expect(stop).toBe('approval_required');
  expect(text).toContain('no clear answer');
  expect(world.of('approval_decided')).toMatchObject([{ decision: { kind: 'unavailable' } }]);
  expect(reread(world)).toBe(world.events.length);
});

test('a yes or a no without a name or a reason is one all the same, and the record can be read', async () => {
  for (const [decision, calls, recorded] of [
    [{ kind: 'approved', scope: 'once' }, 1, { kind: 'approved', scope: 'once', by: '' }],
    [{ kind: 'approved', scope: 'run', by: 7, more: 'x' }, 1, { kind: 'approved', scope: 'run', by: '' }],
    [{ kind: 'denied' }, 0, { kind: 'denied', reason: '', by: '' }],
    [{ kind: 'denied', reason: {}, by: null }, 0, { kind: 'denied', reason: '', by: '' }],
  ] as const) {
    const tool = echoTool('wipe', { risk: 'high' });
    const world = agentWorld([wipe, answer('Done.')], { tools: [tool], approver: saying(decision) });
    expect((await runAgent('Do it.', world.ports, named({ permissions: asking }))).stop).toBe('final_answer');
    expect(tool.calls).toHaveLength(calls);
    expect(world.of('approval_decided').map((event) => event.decision)).toEqual([recorded]);
    expect(reread(world)).toBe(world.events.length);
  }
});

const files = {
  'pdf/SKILL.md': skillFile('pdf', 'Run go.mjs.', { 'allowed-tools': 'run_script write' }),
  'pdf/go.mjs': '// source',
};
const script: AgentAction = { kind: 'run_script', skill: { name: 'pdf' }, relative_path: 'go.mjs', args: [] };
const call = (tool: string): AgentAction => ({ kind: 'call_tool', tool, input: {} });

test('PSA-14: a yes for a tool holds for no other tool, and for no script, whatever the tool is called', async () => {
  const whoever = yes('run');
  const skillTools = [echoTool('run_script', { risk: 'medium' }), echoTool('write', { risk: 'high' })];
  const replies = [select('pdf'), call('run_script'), script, call('write'), call('run_script'), script, call('write')];
  const world = agentWorld([...replies, answer('Done.')], {
    files,
    skillTools,
    approver: whoever,
    runner: echoRunner(),
  });
  const permissions = { ...asking, allowedTools: 'restrict' } as const;
  const { state } = await runAgent('Do it.', world.ports, named({ permissions }));
  expect(whoever.asked.map(({ id, action, tool }) => [id, action, tool])).toEqual([
    ['a2', 'call_tool', 'run_script'],
    ['a3', 'run_script', 'run_script'],
    ['a4', 'call_tool', 'write'],
  ]);
  expect(state.grants.map(({ action, tool }) => [action, tool])).toEqual([
    ['call_tool', 'run_script'],
    ['run_script', 'run_script'],
    ['call_tool', 'write'],
  ]);
});

test('what counts of a decision is what the record holds of it', async () => {
  const whoever = approver({ kind: 'denied', reason: 'Because of hunter2.', by: 'hunter2' });
  const world = agentWorld([call('wipe'), answer('Done.')], {
    tools: [echoTool('wipe', { risk: 'high' })],
    approver: whoever,
  });
  await runAgent(
    'Do it.',
    world.ports,
    named({ permissions: asking, redact: (text) => text.replaceAll('hunter2', '[redacted]') }),
  );
  expect(world.of('observation_recorded')[0]?.content).toContain('Because of [redacted].');
  expect(JSON.stringify([world.model.requests, world.events])).not.toContain('hunter2');
});

const line = (command: string): AgentAction => ({ kind: 'call_tool', tool: 'run_command', input: { command } });

test.each(['run', 'session'] as const)(
  'PSA-14: a yes for the %s to a tool that runs code holds for the same input alone',
  async (scope) => {
    const whoever = yes(scope);
    const tools = [
      { ...echoTool('run_command', { risk: 'high' }), runsCode: true },
      { ...echoTool('build', { risk: 'medium' }), runsCode: true },
      echoTool('wipe', { risk: 'high' }),
    ];
    const build = (target: string): AgentAction => ({ kind: 'call_tool', tool: 'build', input: { target } });
    const lines = [line('ls'), line('rm -rf ./*'), line('ls'), build('a'), build('b'), build('a'), wipe];
    const more: AgentAction = { kind: 'call_tool', tool: 'wipe', input: { all: true } };
    const world = agentWorld([...lines, more, answer('Done.')], { tools, approver: whoever });
    const { state } = await runAgent('Do it.', world.ports, named({ permissions: asking }));
    expect(whoever.asked.map(({ id, covers }) => [id, covers])).toEqual([
      ['a1', 'input'],
      ['a2', 'input'],
      ['a4', 'input'],
      ['a5', 'input'],
      ['a7', undefined],
    ]);
    expect(tools.map(({ calls }) => calls.length)).toEqual([3, 3, 2]);
    expect(state.grants.map(({ tool, input }) => [tool, input])).toEqual([
      ['run_command', '{"command":"ls"}'],
      ['run_command', '{"command":"rm -rf ./*"}'],
      ['build', '{"target":"a"}'],
      ['build', '{"target":"b"}'],
      ['wipe', undefined],
    ]);
    expect(reread(world)).toBe(world.events.length);
  },
);

test('PSA-14: a tool that is called run_command runs code, whatever it says of itself', async () => {
  const whoever = yes('run');
  const tools = [echoTool('run_command', { risk: 'high' })];
  const world = agentWorld([line('ls'), line('rm'), answer('Done.')], { tools, approver: whoever });
  await runAgent('Do it.', world.ports, named({ permissions: asking }));
  expect(whoever.asked.map(({ covers }) => covers)).toEqual(['input', 'input']);
});
