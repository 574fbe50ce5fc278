import { expect, test } from 'vitest';
import { runAgent } from '../../src/agent/run-agent.js';
import { startRun } from '../../src/agent/start-run.js';
import { SkillsError } from '../../src/errors/skills-error.js';
import type { AgentAction } from '../../src/model/action.js';
import type { ScriptRequest } from '../../src/tool/script-runner.js';
import { agentWorld, answer, asking, echoTool, named, select, skillFile } from './agent-world.js';
import { approver, echoRunner, yes } from './scripts-world.js';

const files = {
  'pdf/SKILL.md': skillFile('pdf', 'Run scripts/fields.mjs.'),
  'pdf/scripts/fields.mjs': '// source',
  'other/SKILL.md': skillFile('other', 'Run go.mjs.'),
  'other/go.mjs': '// source',
};

function run(path = 'scripts/fields.mjs', args: readonly string[] = [], name = 'pdf'): AgentAction {
  return { kind: 'run_script', skill: { name }, relative_path: path, args };
}

test('PSA-24: an exit code and a script that took too long are observed, and the run goes on', async () => {
  for (const [outcome, code, says] of [
    [{ exitCode: 3, stderr: 'no such field' }, 'EXIT_NONZERO', 'ended with exit code 3'],
    [{ exitCode: undefined, signal: 'SIGKILL' }, 'EXIT_NONZERO', 'was ended by SIGKILL'],
    [{ exitCode: undefined, timedOut: true }, 'TIMEOUT', 'it took more than 30 s, which is the limit of a script.'],
  ] as const) {
    const world = agentWorld([select('pdf'), run(), answer('It failed.')], {
      files,
      runner: echoRunner(outcome),
      approver: yes('once'),
    });
    expect(await runAgent('Do it.', world.ports, named())).toMatchObject({ stop: 'final_answer', text: 'It failed.' });
    const observation = world.of('observation_recorded').at(-1);
    expect(observation).toMatchObject({ ok: false, error: { code } });
    expect(observation?.content).toContain(says);
    if ('stderr' in outcome) expect(observation?.content).toContain('no such field');
  }
});

test('a script gets its arguments one by one, and the model reads the beginning and the end of what it wrote', async () => {
  const stdout = `BEGIN${'x'.repeat(30_000)}\u001B[31mEND`;
  const runner = echoRunner({ stdout });
  const world = agentWorld([select('pdf'), run('scripts/fields.mjs', ['a b', '$HOME']), answer('Done.')], {
    files,
    runner,
    approver: yes('once'),
  });
  await runAgent('Do it.', world.ports, named({ scriptTimeout: 1234 }));
  expect(runner.ran).toMatchObject([
    { skill: { name: 'pdf' }, path: 'scripts/fields.mjs', args: ['a b', '$HOME'], timeout: 1234 },
  ]);
  const observation = world.of('observation_recorded').at(-1);
  expect(observation?.content).toMatch(/BEGINx+[\s\S]*characters in all[\s\S]*x+<U\+001B>\[31mEND/u);
  expect(observation?.content.length).toBeLessThan(8000);
  expect(observation).toMatchObject({
    ok: true,
    output: { exit_code: 0, stdout_bytes: stdout.length, runner: 'echo' },
  });
  expect(world.journal.text(observation!.kept[0]!.digest)).toBe(stdout);
  expect(JSON.stringify(world.model.requests)).not.toContain('// source');
});

test('PSA-14: a yes holds once, for the run or for the session, for this tool and this skill, and is in the record', async () => {
  for (const [scope, asked] of [
    ['once', 4],
    ['run', 2],
    ['session', 2],
  ] as const) {
    const whoever = yes(scope);
    const world = agentWorld(
      [select('pdf', 'other'), run(), run(), run('go.mjs', [], 'other'), run('go.mjs', [], 'other'), answer('Done.')],
      {
        files,
        runner: echoRunner(),
        approver: whoever,
      },
    );
    const { state } = await runAgent('Do it.', world.ports, named());
    expect(whoever.asked).toHaveLength(asked);
    expect(
      world.of('approval_requested').map(({ run: id, request }) => ({ run: id, action: 'run_script', ...request })),
    ).toEqual(whoever.asked);
    expect(world.of('approval_decided')).toHaveLength(asked);
    expect(state.audit[1]?.approval).toMatchObject({ decision: { kind: 'approved', scope, by: 'test' } });
    expect(state.grants).toHaveLength(scope === 'once' ? 0 : 2);
  }
});

test('what a person is asked names the skill and the command in one visible line', async () => {
  const whoever = yes('once');
  const world = agentWorld([select('pdf'), run('scripts/fields.mjs', ['a b', 'c\u202Ed', 'x\ny']), answer('Done.')], {
    files,
    runner: echoRunner(),
    approver: whoever,
  });
  await runAgent('Do it.', world.ports, named());
  expect(whoever.asked).toMatchObject([
    {
      id: 'a2',
      tool: 'run_script',
      risk: 'medium',
      skill: { name: 'pdf', location: 'memory:/pdf' },
      summary: 'scripts/fields.mjs "a b" "c<U+202E>d" "x\\ny"',
    },
  ]);
});

test('a no is told to the model with its reason, and the script is not run', async () => {
  const runner = echoRunner();
  const world = agentWorld([select('pdf'), run(), answer('Then not.')], {
    files,
    runner,
    approver: approver({ kind: 'denied', reason: 'Not on Sundays.', by: 'test' }),
  });
  expect((await runAgent('Do it.', world.ports, named())).stop).toBe('final_answer');
  expect(runner.ran).toEqual([]);
  expect(world.of('observation_recorded').at(-1)).toMatchObject({ ok: false, error: { code: 'APPROVAL_DENIED' } });
  expect(world.model.requests.at(-1)?.messages.at(-1)?.content).toContain('Not on Sundays.');
});

test('PSA-15: where nobody can be asked, nothing is done, and the answer says what would have been', async () => {
  const danger = echoTool('wipe', { risk: 'high' });
  for (const [action, other, says] of [
    [run(), {}, 'scripts/fields.mjs'],
    [run(), { approver: approver() }, 'Nobody is there.'],
    [run(), { approver: approver({ kind: 'unavailable', reason: 'No terminal.' }) }, 'No terminal.'],
    [{ kind: 'call_tool', tool: 'wipe', input: { disk: 'all' } } as const, {}, 'wipe {"disk":"all"}'],
  ] as const) {
    const runner = echoRunner();
    const world = agentWorld([select('pdf'), action], { files, runner, tools: [danger], ...other });
    const { stop, degraded, text } = await runAgent('Do it.', world.ports, named({ permissions: asking }));
    expect({ stop, degraded }).toEqual({ stop: 'approval_required', degraded: true });
    expect(text).toContain(says);
    expect(runner.ran).toEqual([]);
    expect(danger.calls).toEqual([]);
    expect(world.of('observation_recorded').at(-1)).toMatchObject({ error: { code: 'APPROVAL_REQUIRED' } });
  }
});

test('a request that is cancelled while a person is asked ends there, and nothing is done', async () => {
  const controller = new AbortController();
  const runner = echoRunner();
  const world = agentWorld([select('pdf'), run(), answer('Never.')], {
    files,
    runner,
    approver: {
      decide: async (_request, { signal }) => {
        controller.abort();
        throw new SkillsError('INTERRUPTED', `Nobody answered; aborted: ${signal?.aborted}.`);
      },
    },
  });
  const started = await startRun(world.ports, named());
  expect(await started.ask('Do it.', { signal: controller.signal })).toMatchObject({
    stop: 'cancelled',
    degraded: true,
  });
  expect(world.of('approval_decided')[0]?.decision).toMatchObject({
    kind: 'unavailable',
    reason: expect.stringContaining('aborted: true'),
    code: 'INTERRUPTED',
  });
  expect(runner.ran).toEqual([]);
  expect(world.of('observation_recorded').at(-1)?.error).toEqual({
    code: 'INTERRUPTED',
    message: 'It was cancelled at the question for a yes; this was not done: scripts/fields.mjs.',
  });
  expect(started.state.answer?.text).not.toMatch(/nobody can|could be asked/u);
});

test.each([
  ['says so', async () => ({ kind: 'unavailable', reason: 'Closed.', code: 'INTERRUPTED' }) as const],
  ['throws so', async () => Promise.reject(new SkillsError('INTERRUPTED', 'Closed.'))],
])('whoever is asked cancels the request: it %s', async (_, decide) => {
  const world = agentWorld([select('pdf'), run(), answer('Never.')], {
    files,
    runner: echoRunner(),
    approver: { decide },
  });
  const { stop } = await runAgent('Do it.', world.ports, named());
  expect(stop).toBe('cancelled');
  expect(world.of('approval_decided')[0]?.decision).toMatchObject({ reason: 'Closed.', code: 'INTERRUPTED' });
});

test('nobody is asked about a script that cannot be run: of an inactive skill, out of the skill, or not there', async () => {
  const whoever = yes('run');
  const runner = echoRunner();
  const world = agentWorld([run(), select('pdf'), run('../other/go.mjs'), run('nothing.mjs'), answer('Done.')], {
    files,
    runner,
    approver: whoever,
  });
  await runAgent('Do it.', world.ports, named({ limits: { consecutiveFailures: 9 } }));
  const failed = world.of('observation_recorded').filter(({ ok }) => !ok);
  expect(failed.map(({ error }) => error?.code)).toEqual(['SKILL_NOT_FOUND', 'FILE_NOT_FOUND', 'FILE_NOT_FOUND']);
  expect(failed.at(-1)?.content).toContain('scripts/fields.mjs');
  expect([whoever.asked, runner.ran]).toEqual([[], []]);
});

test('nobody is asked about a script that its runner says it cannot run', async () => {
  const whoever = yes('run');
  const ran = echoRunner();
  const runner = {
    ...ran,
    check: ({ skill, path, args }: Pick<ScriptRequest, 'skill' | 'path' | 'args'>) => {
      throw new SkillsError('TOOL_NOT_ALLOWED', `Nothing runs ${path} of ${skill.name} with ${args.join()}.`);
    },
  };
  const world = agentWorld([select('pdf'), run(), answer('Done.')], { files, runner, approver: whoever });
  await runAgent('Do it.', world.ports, named());
  const failed = world.of('observation_recorded').filter(({ ok }) => !ok);
  expect(failed.map(({ error }) => error?.message)).toEqual([
    expect.stringMatching(/^Nothing runs scripts\/.* of pdf with/u),
  ]);
  expect([whoever.asked, ran.ran, world.of('tool_judged')]).toEqual([[], [], []]);
});

test('before something takes effect, the record says on the disk that it was begun', async () => {
  const synced: unknown[] = [];
  const tool = echoTool('write', {
    risk: 'high',
    run: () => {
      synced.push(world.events.slice(0, world.journal.synced).at(-1)?.type);
      return {};
    },
  });
  const call: AgentAction = { kind: 'call_tool', tool: 'write', input: {} };
  const world = agentWorld([call, call, answer('Done.')], { tools: [tool], approver: yes('run') });
  await runAgent('Do it.', world.ports, named({ permissions: asking }));
  expect(synced).toEqual(['approval_decided', 'tool_judged']);
});

test('when nobody can run scripts, the action is not offered', async () => {
  const world = agentWorld([answer('Done.')], { files });
  await runAgent('Do it.', world.ports, named());
  expect(world.model.requests[0]?.actions).not.toContain('run_script');
});
