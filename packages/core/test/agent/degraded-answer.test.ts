import { expect, test } from 'vitest';
import { runAgent } from '../../src/agent/run-agent.js';
import type { AgentOptions } from '../../src/agent/agent-run.js';
import { replayRun } from '../../src/agent/replay/replay-run.js';
import { summariseRun } from '../../src/agent/record/summarise-run.js';
import { startRun } from '../../src/agent/start-run.js';
import type { Digest } from '../../src/digest/is-digest.js';
import { SkillsError } from '../../src/errors/skills-error.js';
import type { AgentAction } from '../../src/model/action.js';
import { sha256 } from '../sha256.js';
import {
  agentWorld,
  answer,
  asking,
  echoTool,
  named,
  select,
  skillFile,
  type AgentWorld,
  type Reply,
} from './agent-world.js';
import { approver, echoRunner, yes } from './scripts-world.js';

const files = { 'pdf/SKILL.md': skillFile('pdf', '# Forms\n\nFill them.'), 'pdf/run.mjs': '' };
const skill = { name: 'pdf' };
const step: AgentAction = { kind: 'call_tool', tool: 'step', input: {} };
const patch = {
  kind: 'patch',
  operations: [{ op: 'add_step', step: { id: '2', title: 'Two', status: 'in_progress' } }],
};

test('the answer of a run that could not finish says of each action what it was, in a line, and how it failed', async () => {
  const actions: readonly (AgentAction | { action: AgentAction; plan_update: never })[] = [
    { kind: 'select_skills', skills: [{ name: 'pdf', source: 'builtin' }], reason: 'It fits.' },
    { kind: 'load_resource', skill, relative_path: 'SKILL.md', section_hint: 'Forms' },
    { kind: 'load_resource', skill, relative_path: 'SKILL.md', section_hint: 'Forms', from_line: 5 },
    { kind: 'run_script', skill, relative_path: 'run.mjs', args: ['a b', '\u202E'] },
    step,
    { kind: 'search_skills', query: 'forms' },
    { action: { kind: 'update_plan' }, plan_update: patch as never },
    { kind: 'disable_skill', skill },
    { kind: 'enable_skill', skill: { name: 'gone' } },
    { kind: 'run_script', skill, relative_path: `${'deep/'.repeat(60)}run.mjs`, args: [] },
  ];
  const world = agentWorld(actions, {
    files,
    tools: [echoTool('step')],
    runner: echoRunner(),
    approver: yes('run'),
  });
  const { text } = await runAgent('Do it.', world.ports, named({ limits: { turns: actions.length } }));
  const lines = text.split('\n');
  const cut = `run_script pdf ${'deep/'.repeat(60)}`.slice(0, 159);
  expect(lines.slice(lines.indexOf('Done:') + 1, -2)).toEqual([
    '- select_skills pdf (builtin)',
    '- load_resource pdf SKILL.md “Forms”',
    '- load_resource pdf SKILL.md “Forms” from line 5',
    '- run_script pdf run.mjs a b <U+202E>',
    '- call_tool step',
    '- search_skills “forms”',
    expect.stringMatching(/^- update_plan – failed: /u),
    '- disable_skill pdf',
    '- enable_skill gone – failed: The skill “gone” is not switched off.',
    expect.stringContaining(`- ${cut}… – failed: `),
  ]);
  expect(text).toContain('This is not finished. Its limit of model calls, 10, is reached.');
});

test('of a long request the beginning is in that answer, of many actions the last twenty, of earlier requests nothing', async () => {
  const many = Array.from({ length: 21 }, () => step);
  const world = agentWorld([step, answer('Done.'), ...many], { tools: [echoTool('step')] });
  const run = await startRun(world.ports, named({ limits: { turns: 21 } }));
  await run.ask('First.');
  const { text } = await run.ask(`${'x'.repeat(498)}\u{1F600}${'y'.repeat(50)}\u001B[2J`);
  expect(text).toContain(`\n\nAsked: ${'x'.repeat(498)}…\n\n`);
  expect(text.split('\n').filter((line) => line.startsWith('- '))).toEqual([
    '- … 1 earlier steps',
    ...Array.from({ length: 20 }, () => '- call_tool step'),
  ]);
  const short = agentWorld([]);
  const cancelled = await startRun(short.ports, named());
  const signal = AbortSignal.abort();
  const { text: other } = await cancelled.ask('  Clear \u001B[2J it. ', { signal });
  expect(other).toBe(
    'This is not finished. It was cancelled.\n\nAsked: Clear <U+001B>[2J it.\n\nDone: nothing.\n\nMissing: the answer itself.',
  );
});

test('a step that is under way is marked so, and what is not completed is missing', async () => {
  const steps = ['pending', 'in_progress', 'completed'].map((status, at) => ({
    id: `${at}`,
    title: `${status}\u202E`,
    status,
  }));
  const plan = { goal: 'All\n## of it', steps, assumptions: [], constraints: {} };
  const world = agentWorld([{ action: step, plan_update: { kind: 'replace', plan } } as never], {
    tools: [echoTool('step')],
  });
  const { text } = await runAgent('Do it.', world.ports, named({ limits: { turns: 1 } }));
  expect(text).toContain(
    'Plan: All ## of it\n- [ ] pending<U+202E>\n- [~] in_progress<U+202E>\n- [x] completed<U+202E>\n\n',
  );
  expect(text).toMatch(/Missing: “pending<U\+202E>”, “in_progress<U\+202E>”, and the answer itself\.$/u);
});

test('a model that gives up says why in the answer; nothing it says can do anything to a terminal', async () => {
  const world = agentWorld([new SkillsError('UNAUTHORIZED', 'The key \u001B[2J is wrong.')]);
  const { text, stop } = await runAgent('Do it.', world.ports, named());
  expect(stop).toBe('model_failed');
  expect(text).toContain('The model could not be asked.\n\nThe key <U+001B>[2J is wrong.\n\nAsked: Do it.');
});

test('what failed last is in the answer, with its code and hint, in the state and in the summary of the record', async () => {
  const down = new SkillsError('NETWORK_ERROR', 'The line is down.', { hint: 'Look at the cable.' });
  const world = agentWorld([down, down, down, down]);
  const { state, ...given } = await runAgent('Do it.', world.ports, named());
  const error = { code: 'NETWORK_ERROR', message: 'The line is down.', hint: 'Look at the cable.' };
  expect(given).toMatchObject({ text: state.answer?.text, stop: 'model_failed', degraded: true });
  expect(SkillsError.is(given.error, 'NETWORK_ERROR')).toBe(true);
  expect(JSON.parse(JSON.stringify(given.error))).toEqual({ name: 'SkillsError', ...error, data: {} });
  expect(given.text).toContain('The model could not be asked.\n\nThe line is down.\n\nAsked: Do it.');
  expect(state.answer?.error).toEqual(error);
  expect(summariseRun(world.events).requests[0]?.answer?.error).toEqual(error);
});

test('at a limit of failures the answer gives the last of them; what went well since takes it out', async () => {
  const unknown: AgentAction = { kind: 'call_tool', tool: 'gone', input: {} };
  const world = agentWorld([unknown, unknown, 'no decision', step, unknown, step, answer('Done.')], {
    tools: [echoTool('step')],
  });
  const run = await startRun(world.ports, named({ limits: { turns: 4, consecutiveFailures: 3 } }));
  const failed = await run.ask('First.');
  expect(failed).toMatchObject({ stop: 'max_consecutive_failures', error: { code: 'INVALID_ACTION' } });
  expect(failed.text).toContain(`3, is reached.\n\n${failed.error?.message}\n\n`);
  const answered = await run.ask('Second.');
  expect(answered).toMatchObject({ stop: 'final_answer', error: undefined });
  const state = await run.finish();
  expect(state.failure).toBe(undefined);
  expect(summariseRun(world.events).requests.map((request) => request.answer?.error?.code)).toEqual([
    'INVALID_ACTION',
    undefined,
  ]);
});

test('the answer of a request that somebody had to allow gives the code of that', async () => {
  const world = agentWorld([step], { tools: [echoTool('step', { risk: 'high' })] });
  const { stop, error } = await runAgent('Do it.', world.ports, named({ permissions: asking }));
  expect([stop, error?.code]).toEqual(['approval_required', 'APPROVAL_REQUIRED']);
});

test('what would have needed a yes is named in one line, of a long one its two ends, with the reason that none came', async () => {
  const asked = approver({ kind: 'unavailable', reason: 'Nobody \u001B[2J is there.' });
  const world = agentWorld(
    [
      select('pdf'),
      { kind: 'run_script', skill, relative_path: 'run.mjs', args: ['x\ny', 'z'.repeat(700), 'rm -rf ~'] },
    ],
    { files, runner: echoRunner(), approver: asked },
  );
  const { text, stop } = await runAgent('Do it.', world.ports, named());
  expect(stop).toBe('approval_required');
  const [summary] = asked.asked.map((request) => request.summary);
  const head = 'run.mjs "x\\ny" ';
  const tail = ' "rm -rf ~"';
  const [before, after] = [400 - head.length, 200 - tail.length];
  const out = `[… ${700 - before - after} characters left out …]`;
  expect(summary).toBe(`${head}${'z'.repeat(before)} ${out} ${'z'.repeat(after)}${tail}`);
  expect(text).toContain(`This needs a yes, and nobody can be asked: ${summary}. Nobody <U+001B>[2J is there.`);
  expect(text).toContain('Next would have been: run_script pdf run.mjs x y zzz');
});

const forged = { action: { kind: 'call_tool', tool: 'step', input: {} } };
const prose = `I would say:\n\nDone:\n- all of it \u001B[2J\n${JSON.stringify(forged)}\n${JSON.stringify({ action: { kind: 'final_answer', content: 'Yes.' } })}`;

test('PSA-29: a model that answers in prose up to the limit is quoted in the answer, and nothing of it is done', async () => {
  const tool = echoTool('step');
  const world = agentWorld([prose, prose, 'The last words.', prose, answer('Done.')], { tools: [tool] });
  const run = await startRun(world.ports, named());
  const { text, stop, error } = await run.ask('Go.');
  expect([stop, error?.code]).toEqual(['max_consecutive_failures', 'INVALID_ACTION']);
  expect(text).toContain(
    `${error?.message}\n\nWhat the model said last, which is no decision:\n> I would say:\n> \n> Done:\n> - all of it <U+001B>[2J\n> {"action":{"kind":"call_tool",`,
  );
  expect(text).toContain('\n\nAsked: Go.\n\nDone: nothing.\n\n');
  expect(text).not.toContain('The last words.');
  expect(await run.goOn()).toMatchObject({ text: 'Done.' });
  expect(tool.calls).toEqual([]);
  expect(world.of('action_started').map(({ action }) => action.kind)).toEqual(['final_answer']);
  await run.finish();
  await expectSame(world);
});

test('what is quoted is cut to 1,000 characters; of a model that said nothing, or decided since, nothing is quoted', async () => {
  const limits = { consecutiveFailures: 1 };
  const textOf = async (replies: readonly Reply[], options: Partial<AgentOptions> = {}) =>
    (await runAgent('Go.', agentWorld(replies, { tools: [echoTool('step')] }).ports, named({ limits, ...options })))
      .text;
  expect(await textOf(['x'.repeat(1_001)])).toContain(`\n> ${'x'.repeat(999)}…\n\n`);
  const quote = 'What the model said last';
  expect(await textOf([' \n '])).not.toContain(quote);
  expect(await textOf(['No.', step, step], { limits: { turns: 2 } })).not.toContain(quote);
  expect(await textOf([step, 'No.'], { limits: { turns: 2 } })).toContain(`${quote}, which is no decision:\n> No.\n\n`);
});

test('a record of before, whose answers quote nothing, replays; and so does a run that leaves the quote out', async () => {
  const world = agentWorld([prose]);
  const options = named({ rejectedAnswer: 'leave-out', limits: { turns: 1 } });
  const { text } = await runAgent('Go.', world.ports, options);
  expect(text).not.toContain('What the model said last');
  const [started] = world.of('run_started');
  const setup = started?.options.setup && world.journal.kept.get(started.options.setup.digest);
  expect(new TextDecoder().decode(setup)).not.toContain('rejectedAnswer');
  await expectSame(world);
});

async function expectSame({ events, journal }: AgentWorld): Promise<void> {
  const kept = async (digest: Digest) => journal.kept.get(digest);
  expect(await replayRun({ events, kept }, { sha256 })).toMatchObject({ same: true });
}
