import { expect, test } from 'vitest';
import { readRunEvents } from '../../src/agent/record/read-run-events.js';
import { formatRunEvent } from '../../src/agent/record/parse-run-event.js';
import { runAgent } from '../../src/agent/run-agent.js';
import type { AgentAction } from '../../src/model/action.js';
import type { ApprovalDecision } from '../../src/policy/approver.js';
import { sha256 } from '../sha256.js';
import { agentWorld, answer, echoTool, named, type AgentWorld } from './agent-world.js';

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
  const { stop, text } = await runAgent('Do it.', world.ports, named());
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
    expect((await runAgent('Do it.', world.ports, named())).stop).toBe('final_answer');
    expect(tool.calls).toHaveLength(calls);
    expect(world.of('approval_decided').map((event) => event.decision)).toEqual([recorded]);
    expect(reread(world)).toBe(world.events.length);
  }
});
