import { expect, test } from 'vitest';
import type { AgentPorts } from '../../src/agent/agent-run.js';
import { longestText } from '../../src/agent/longest-text.js';
import { formatRunEvent } from '../../src/agent/record/parse-run-event.js';
import { readRunEvents } from '../../src/agent/record/read-run-events.js';
import { replayRun } from '../../src/agent/replay/replay-run.js';
import { startRun } from '../../src/agent/start-run.js';
import type { Digest } from '../../src/digest/is-digest.js';
import { SkillsError } from '../../src/errors/skills-error.js';
import type { AgentAction } from '../../src/model/action.js';
import { sha256 } from '../sha256.js';
import { agentWorld, answer, asking, echoTool, named, select, skillFile, type AgentWorld } from './agent-world.js';
import { echoRunner, yes } from './scripts-world.js';

const files = { 'pdf/SKILL.md': skillFile('pdf', 'Run go.mjs.'), 'pdf/go.mjs': '// source' };
const look: AgentAction = { kind: 'call_tool', tool: 'look', input: {} };
const script: AgentAction = { kind: 'run_script', skill: { name: 'pdf' }, relative_path: 'go.mjs', args: [] };

/** The record can be read, and comes to the same again. */
async function sound({ events, journal }: AgentWorld): Promise<void> {
  const text = events.map(formatRunEvent).join('');
  const read = readRunEvents(text, { sha256 }, { what: 'it', run: 'run' });
  const kept = async (digest: Digest) => journal.kept.get(digest);
  expect(await replayRun({ events: read.events, kept }, { sha256 })).toMatchObject({ same: true });
}

/** An error of another version of the package, which has other codes. */
function foreignError(code: string, message: unknown): Error {
  const error = new SkillsError('IO_ERROR', 'x');
  return Object.assign(error, { code, message });
}

/** A tool that answers with anything at all. */
function answering(result: unknown) {
  return { ...echoTool('look'), run: async () => result as never };
}

test.for<readonly [string, unknown, boolean]>([
  ['nothing', undefined, false],
  ['null', null, false],
  ['a text', 'text', false],
  ['no content', { ok: true, output: {} }, false],
  ['no output', { ok: true, content: 'x' }, true],
  ['a list as output', { ok: true, content: 'x', output: [1] }, true],
  ['another yes', { ok: 'no', content: 'x', output: {} }, false],
  ['a foreign code', { ok: false, content: 'x', output: {}, error: { code: 'ENOENT', message: 'gone' } }, false],
  ['an inherited code', { ok: false, content: 'x', output: {}, error: { code: 'toString', message: 7 } }, false],
  ['no message', { ok: false, content: 'x', output: {}, error: {} }, false],
  ['half an output', { ok: true, content: 'x', output: {}, outputs: [{ name: 7, bytes: 'x' }, null, 3] }, true],
  ['no outputs', { ok: true, content: 'x', output: {}, outputs: 'x', contentForUser: 7 }, true],
])('a tool that answers with %s leaves a record that can be read', async ([, result, ok]) => {
  const world = agentWorld([look, answer('Done.')], { tools: [answering(result)] });
  const run = await startRun(world.ports, named());
  expect(await run.ask('Do it.')).toMatchObject({ stop: 'final_answer' });
  expect(world.of('observation_recorded').map((event) => event.ok)).toEqual([ok]);
  await sound(world);
});

test('outputs of a tool are kept whatever they are called, one beside the other', async () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const outputs = ['content.txt', 'output.json', 'a', 'a', 'a (2)'].map((name, at) => ({
    name,
    bytes: bytes(`${at}`),
  }));
  for (const content of ['short', `\uFEFF\uFEFF\uD800${'long '.repeat(5_000)}\uDC00`]) {
    const world = agentWorld([look, answer('Done.')], {
      tools: [answering({ ok: true, content, output: {}, outputs })],
    });
    await (await startRun(world.ports, named())).ask('Do it.');
    const names = world.of('observation_recorded')[0]?.kept.map(({ name }) => name);
    expect(names?.slice(0, 5)).toEqual(['content.txt (2)', 'output.json (2)', 'a', 'a (2)', 'a (2) (2)']);
    expect(names?.slice(5)).toEqual(content === 'short' ? [] : ['content.txt']);
    await sound(world);
  }
});

test.for<readonly [string, unknown]>([
  ['nothing', undefined],
  ['a text', 'x'],
  ['no fields', {}],
  ['numbers that are none', { exitCode: Number.NaN, stdout: { bytes: new Uint8Array(3), size: Number.NaN, cut: -1 } }],
  ['no bytes', { exitCode: 0, stdout: { bytes: 'x', size: 1.5 }, stderr: null, command: [7, null], signal: 3 }],
])('a runner that answers with %s leaves a record that can be read', async ([, outcome]) => {
  const runner = { run: async () => outcome as never };
  const world = agentWorld([select('pdf'), script, answer('Done.')], { files, runner, approver: yes('once') });
  const run = await startRun(world.ports, named());
  expect(await run.ask('Do it.')).toMatchObject({ stop: 'final_answer' });
  await sound(world);
});

test.for<readonly [string, unknown, string]>([
  ['nothing', undefined, 'model_failed'],
  ['no text', { usage: {}, finish: 'stop' }, 'model_failed'],
  ['no usage', { text: JSON.stringify({ action: answer('Done.') }) }, 'final_answer'],
  [
    'another end',
    { text: JSON.stringify({ action: answer('Done.') }), usage: null, finish: 'end_turn' },
    'final_answer',
  ],
  [
    'numbers that are none',
    { text: JSON.stringify({ action: answer('Done.') }), usage: { inputTokens: '9', cost: {} }, finish: 7 },
    'final_answer',
  ],
])('a model that answers with %s leaves a record that can be read', async ([, said, stop]) => {
  const world = agentWorld([]);
  const model = { ...world.model, decide: async () => said as never };
  const run = await startRun({ ...world.ports, model }, named());
  expect((await run.ask('Do it.')).stop).toBe(stop);
  expect(world.of('model_answered').every(({ finish }) => finish === 'other')).toBe(true);
  await sound(world);
});

test('an error with a code that this version does not have is a defect, whoever throws it', async () => {
  const error = foreignError('QUOTA_EXCEEDED', 'No more today.');
  const world = agentWorld([look, error], {
    tools: [
      echoTool('look', {
        run: () => {
          throw foreignError('EACCES', { not: 'a text' });
        },
      }),
    ],
  });
  const run = await startRun(world.ports, named());
  expect(await run.ask('Do it.')).toMatchObject({
    stop: 'model_failed',
    text: expect.stringContaining('No more today.'),
  });
  expect(world.of('model_failed')).toMatchObject([{ error: { code: 'INTERNAL' } }]);
  await sound(world);
});

test('a tool that does not say how much harm it can do is not called before somebody said yes', async () => {
  for (const risk of [undefined, 'none', 0]) {
    const whoever = yes('once');
    const tool = { ...echoTool('look'), risk: risk as never };
    const world = agentWorld([look, answer('Done.')], { tools: [tool], approver: whoever });
    await (await startRun(world.ports, named({ permissions: asking }))).ask('Do it.');
    expect(whoever.asked).toMatchObject([{ tool: 'look', risk: 'high' }]);
    await sound(world);
  }
});

test('a window of part of a token is cut down to whole ones, and a model without a window is refused', async () => {
  const world = agentWorld([answer('Done.')]);
  const start = async (contextTokens: unknown) => {
    const model = { ...world.model, contextTokens: contextTokens as number };
    return startRun({ ...world.ports, model }, named());
  };
  for (const none of [Number.NaN, 0, -1, undefined]) {
    await expect(start(none)).rejects.toSatisfy((error) => SkillsError.is(error, 'USAGE'));
  }
  expect((await start(4000.5)).state.contextTokens).toBe(4000);
  await sound(world);
});

test('a registry that answers with neither files nor bytes is one that failed', async () => {
  const load: AgentAction = { kind: 'load_resource', skill: { name: 'pdf' }, relative_path: 'go.mjs' };
  const world = agentWorld([select('pdf'), load, script, answer('Done.')], { files, runner: echoRunner() });
  let calls = 0;
  const { registry } = world.ports;
  const careless: AgentPorts['registry'] = {
    ...registry,
    // The text of the skill is read first.
    bytes: async (...given) => ((calls += 1) === 1 ? registry.bytes(...given) : ('bytes' as never)),
    files: async () => (calls === 1 ? [null, { path: 7 }, { path: 'go.mjs', size: 0.5 }] : 'files') as never,
  };
  const run = await startRun({ ...world.ports, registry: careless }, named());
  expect(await run.ask('Do it.')).toMatchObject({ stop: 'final_answer' });
  const failed = world.of('observation_recorded').slice(1);
  expect(failed.map(({ error }) => error?.code)).toEqual(['REGISTRY_ERROR', 'REGISTRY_ERROR']);
  await sound(world);
});

test('a text that redaction makes longer ends no run: an answer is cut, and a request is refused', async () => {
  const redact = (text: string) => text.replaceAll('abcd', '[redacted:value]');
  const long = 'abcd '.repeat(90_000);
  const world = agentWorld([answer(long), answer('Shorter.')], {});
  const run = await startRun(world.ports, named({ redact }));
  await expect(run.ask(long)).rejects.toSatisfy((error) => SkillsError.is(error, 'FILE_TOO_LARGE'));
  await expect(run.ask('x'.repeat(longestText + 1))).rejects.toSatisfy((error) =>
    SkillsError.is(error, 'FILE_TOO_LARGE'),
  );
  expect(world.of('request_received')).toEqual([]);
  expect(await run.ask('Do it.')).toMatchObject({ text: 'Shorter.' });
  expect(world.of('model_answered')[0]?.text).toHaveLength(longestText);
  await sound(world);
});

test('a model whose answer was cut off at its limit is told to answer shorter', async () => {
  for (const [finish, told] of [
    ['length', true],
    ['stop', false],
  ] as const) {
    const world = agentWorld([answer('Done.')]);
    let asked = 0;
    const model = {
      ...world.model,
      decide: async (...given: Parameters<typeof world.model.decide>) => {
        asked += 1;
        if (asked > 1) return world.model.decide(...given);
        return { text: 'nothing of use', usage: { inputTokens: 1, outputTokens: 1 }, finish };
      },
    };
    await (await startRun({ ...world.ports, model }, named())).ask('Do it.');
    const said = world.model.requests[0]?.messages.map(({ content }) => content).join('\n');
    expect(said?.includes('It was cut off: answer shorter.')).toBe(told);
  }
});

test('whoever approves, judges an input, runs or listens may change what they are given: what is done is what the model wanted', async () => {
  const write: AgentAction = { kind: 'call_tool', tool: 'write', input: { path: 'a.md', content: 'long' } };
  const spoil = (given: unknown): void => void Object.assign(given as object, { path: '/etc/passwd', content: '…' });
  const got: unknown[] = [];
  const tool = {
    ...echoTool('write', { risk: 'high' }),
    check: spoil,
    run: async (input: unknown) => {
      got.push(structuredClone(input));
      spoil(input);
      return { ok: true, content: 'Done.', output: {}, started: 0, ended: 0, duration: 0 };
    },
  };
  const approver: AgentPorts['approver'] = {
    decide: async (request) => {
      spoil(request.input);
      return { kind: 'approved', scope: 'once', by: 'person' };
    },
  };
  const world = agentWorld([write, script, answer('Done.')], { files, tools: [tool], approver });
  const onEvent = (event: unknown): void => {
    const { action } = event as { readonly action?: { readonly input?: unknown } };
    if (action?.input !== undefined) spoil(action.input);
  };
  const run = await startRun(world.ports, named({ permissions: asking, onEvent }));
  await run.ask('Write.');
  expect(got).toEqual([write.input]);
  expect(world.of('action_started')[0]?.action).toEqual(write);
  expect(run.state.audit[0]?.action).toEqual(write);
  await sound(world);
});
