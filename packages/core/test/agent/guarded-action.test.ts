import { expect, test } from 'vitest';
import { runAgent } from '../../src/agent/run-agent.js';
import type { AgentAction } from '../../src/model/action.js';
import { agentWorld, answer, named, select, skillFile } from './agent-world.js';
import { approver, echoRunner, yes } from './scripts-world.js';

const files = {
  'pdf/SKILL.md': skillFile('pdf', 'Run it.'),
  'pdf/odd folder/ünï.mjs': '// source',
  'pdf/odd folder/notes.md': '# Notes\n\nIn an odd folder.\n',
};
const script = (relative_path: string): AgentAction => ({
  kind: 'run_script',
  skill: { name: 'pdf' },
  relative_path,
  args: [],
});

test('PSA-11: before an action come permission and safety, after it the audit', async () => {
  const stdout = 'line\n'.repeat(20_000);
  const runner = echoRunner({ stdout });
  const world = agentWorld([select('pdf'), script('odd folder/ünï.mjs'), answer('Done.')], {
    files,
    runner,
    approver: yes('once'),
  });
  const { state } = await runAgent('Do it.', world.ports, named({ scriptTimeout: 5_000 }));
  const at = (type: string): number => world.types().indexOf(type);
  expect(at('approval_requested')).toBeLessThan(at('approval_decided'));
  expect(at('approval_decided')).toBeLessThan(world.types().lastIndexOf('observation_recorded'));
  expect(runner.ran).toMatchObject([{ timeout: 5_000 }]);
  const observed = world.of('observation_recorded').at(-1);
  expect(observed?.content.length).toBeLessThan(stdout.length / 2);
  expect(world.journal.text(observed!.kept[0]!.digest)).toBe(stdout);
  expect(state.audit[1]).toMatchObject({
    action: { kind: 'run_script' },
    approval: { request: { tool: 'run_script', risk: 'medium' }, decision: { kind: 'approved', scope: 'once' } },
    ok: true,
    kept: [{ name: 'stdout' }, { name: 'stderr' }],
  });
});

test('PSA-11: what leads out of the skill, or nowhere, is not asked for, and what is not permitted is not done; both are in the audit', async () => {
  const runner = echoRunner();
  const asked = approver({ kind: 'denied', reason: 'No.', by: 'test' });
  const world = agentWorld(
    [select('pdf'), script('../secret.mjs'), script('gone.mjs'), script('odd folder/ünï.mjs'), answer('Done.')],
    { files, runner, approver: asked },
  );
  const { state } = await runAgent('Do it.', world.ports, named());
  expect(asked.asked).toHaveLength(1);
  expect(runner.ran).toEqual([]);
  expect(state.audit.slice(1, 4).map(({ ok, error }) => [ok, error?.code])).toEqual([
    [false, 'FILE_NOT_FOUND'],
    [false, 'FILE_NOT_FOUND'],
    [false, 'APPROVAL_DENIED'],
  ]);
});

test('SAA-24: in a run, a script and a file in a folder of any name are reached by their absolute paths', async () => {
  const runner = echoRunner();
  const world = agentWorld(
    [
      select('pdf'),
      { kind: 'load_resource', skill: { name: 'pdf' }, relative_path: 'memory:/pdf/odd folder/notes.md' },
      script('memory:/pdf/odd folder/ünï.mjs'),
      answer('Done.'),
    ],
    { files, runner, approver: yes('once') },
  );
  expect(await runAgent('Do it.', world.ports, named())).toMatchObject({ stop: 'final_answer' });
  expect(world.of('observation_recorded').map(({ ok }) => ok)).toEqual([true, true, true]);
  expect(world.of('observation_recorded')[1]?.content).toContain('In an odd folder.');
  expect(runner.ran.map(({ path }) => path)).toEqual(['odd folder/ünï.mjs']);
});

test('SAA-27: whether a run is followed is a switch: who asks is told of each event and of what a developer may want to know', async () => {
  const wanting = { 'pdf/SKILL.md': skillFile('pdf', 'Run it.', { 'allowed-tools': 'gone' }) };
  const seen: string[] = [];
  const notes: string[] = [];
  const world = agentWorld([select('pdf'), answer('Done.')], {
    files: wanting,
    debug: (message) => notes.push(message),
  });
  await runAgent('Do it.', world.ports, named({ onEvent: ({ type }) => seen.push(type) }));
  expect(seen).toEqual(world.types());
  expect(notes).toEqual(['The skill “pdf” allows the tool “gone”, which nobody has.']);
});
