import { expect, test } from 'vitest';
import type { Approver } from '../../src/policy/approver.js';
import { replayRun, resumeRun, runAgent, SkillsError, startRun } from '../../src/index.js';
import { sha256 } from '../sha256.js';
import { agentWorld, answer, asking, echoTool, named, type AgentWorld } from './agent-world.js';
import { yes } from './scripts-world.js';

const wipe = { kind: 'call_tool', tool: 'wipe', input: {} } as const;

const recordOf = ({ journal }: AgentWorld) => ({
  events: [...journal.events],
  kept: async (digest: Parameters<typeof journal.kept.get>[0]) => journal.kept.get(digest),
});

test.for<readonly [string, Approver['decide'], string]>([
  ['throws', async () => Promise.reject(new Error('no tty')), 'Error: no tty'],
  ['says only true', async () => true as never, '“true” is neither a yes with its scope nor a no'],
  ['says approve', async () => ({ kind: 'approve' }) as never, '“{"kind":"approve"}” is neither'],
])('PSA-15: of an approver that %s, it is told what went wrong, and nothing is done', async ([, decide, told]) => {
  const tool = echoTool('wipe', { risk: 'high' });
  const world = agentWorld([wipe, answer('Never.')], { tools: [tool], approver: { decide } });
  const { stop, text, error } = await runAgent('Do it.', world.ports, named({ permissions: asking }));
  expect({ stop, calls: tool.calls, code: error?.code }).toEqual({
    stop: 'approval_required',
    calls: [],
    code: 'APPROVAL_REQUIRED',
  });
  expect(text).toContain('whoever was asked for it failed');
  expect(text).not.toContain('nobody');
  expect(error?.message).toContain(told);
  expect(await replayRun(recordOf(world), { sha256 })).toMatchObject({ same: true });
});

test('PSA-15: an approver that throws APPROVAL_REQUIRED says that there is nobody', async () => {
  const decide = async () => Promise.reject(new SkillsError('APPROVAL_REQUIRED', 'No terminal.'));
  const tools = [echoTool('wipe', { risk: 'high' })];
  const world = agentWorld([wipe, answer('Never.')], { tools, approver: { decide } });
  const { text } = await runAgent('Do it.', world.ports, named({ permissions: asking }));
  expect(text).toContain('nobody could be asked');
});

test('a run that ended since its approver failed goes on with what needed the yes', async () => {
  const tool = echoTool('wipe', { risk: 'high' });
  const failing: Approver = { decide: async () => Promise.reject(new Error('no tty')) };
  const world = agentWorld([wipe, answer('Done.')], { tools: [tool], approver: failing });
  await (await startRun(world.ports, named({ permissions: asking }))).ask('Do it.');
  const run = await resumeRun(recordOf(world), { ...world.ports, approver: yes('once') }, { permissions: asking });
  expect(await run.goOn()).toMatchObject({ text: 'Done.' });
  expect(tool.calls).toHaveLength(1);
});
