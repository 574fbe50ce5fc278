import type { Tool } from '@skillpack/core';
import { describe, expect, test } from 'vitest';
import { keepConversations } from '../src/session/keep-conversations.js';
import { openSession } from '../src/session/open-session.js';
import { modelOutput, runForFramework } from '../src/session/shown-result.js';
import type { ToolGate } from '../src/session/tool-gate.js';
import { makeRegistry, makeTool, ports } from './known-skills.js';

// A tool of some framework, whose risk nobody told: each use is asked about.
const makeGate = (): ToolGate => openSession(makeRegistry(), { ...ports, tools: { send: {} } }, {}).gate;

const call = (input: unknown, id = '1') => ({ id, name: 'send', input });

function nested(value: unknown, levels = 200): unknown {
  let inner = value;
  for (let level = 0; level < levels; level += 1) inner = { inner };
  return inner;
}

const round: Record<string, unknown> = {};
round['self'] = round;

test.each([
  ['fields in another order', { a: 1, b: [2] }, { b: [2], a: 1 }],
  ['half a surrogate pair', { text: '\uD800' }, { text: '\uD800' }],
  ['a date', { at: new Date(0) }, { at: new Date(0) }],
  ['a large number', { of: 1n }, { of: 1n }],
  ['nothing', undefined, undefined],
  ['itself', round, round],
])('a yes is known again by its input: %s', async (_, asked, done) => {
  const gate = makeGate();
  expect(await gate.judge(call(asked))).toEqual({ kind: 'ask', question: 'Risk: medium.', open: false });
  await gate.pass(call(done));
  await expect(gate.pass(call(done))).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
});

test.each([
  ['another input', { a: 1 }, call({ a: 2 })],
  ['another date', { a: new Date(0) }, call({ a: new Date(1) })],
  ['another call', { a: 1 }, call({ a: 1 }, '2')],
  ['what differs far below', nested('one'), call(nested('other'))],
  ['what differs in a field of a strange name', { a: 1 }, call(JSON.parse('{"a":1,"__proto__":{"b":1}}'))],
  ['another half of a surrogate pair', { a: '\uD800' }, call({ a: '\uD801' })],
  ['what nobody can compare', nested('one', 100_000), call(nested('one', 100_000))],
])('a yes to one use is none to %s', async (_, asked, other) => {
  const gate = makeGate();
  await gate.judge(call(asked));
  await expect(gate.pass(other)).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
});

test('of questions that nobody answers, the oldest are forgotten', async () => {
  const gate = makeGate();
  for (let at = 0; at <= 1_000; at += 1) await gate.judge(call({}, String(at)));
  await expect(gate.pass(call({}, '0'))).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
  await expect(gate.pass(call({}, '1'))).resolves.toBeUndefined();
});

test('a yes to one tool is none to another one of the same input', async () => {
  const { gate } = openSession(makeRegistry(), { ...ports, tools: { send: {}, erase: {} } }, {});
  await gate.judge(call({}));
  await expect(gate.pass({ ...call({}), name: 'erase' })).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
});

test('a question that is asked again is not among the oldest', async () => {
  const gate = makeGate();
  for (let at = 0; at < 1_000; at += 1) await gate.judge(call({}, String(at)));
  expect(await gate.judge(call({}, '0'))).toMatchObject({ open: true });
  await gate.judge(call({}, '1000'));
  await expect(gate.pass(call({}, '0'))).resolves.toBeUndefined();
  await expect(gate.pass(call({}, '1'))).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
});

test('something that can be run, and does not say its risk, is a tool of the framework', async () => {
  const { gate } = openSession<object>(makeRegistry(), { ...ports, tools: { send: { run: () => '' } } }, {});
  expect(await gate.judge(call({}))).toMatchObject({ kind: 'ask', question: 'Risk: medium.' });
});

describe('what is judged', () => {
  const read = async (opened: ReturnType<typeof openSession>): Promise<void> => {
    const entry = await opened.session.view.get('pdf-extractor');
    await opened.session.activate(entry!, { by: 'model', reason: '' });
  };

  test.each([
    ['which runs code', { risk: 'medium', runsCode: true }, 'ask'],
    ['which runs code that is confined', { risk: 'medium', runsCode: true, confined: true }, 'allow'],
    ['which runs none', 'medium', 'allow'],
  ] as const)('is what is told of a tool %s: a skill that may grant it does', async (_, extract_pdf, kind) => {
    const tools = { skillTools: { extract_pdf: {} } };
    const options = { risks: { extract_pdf }, permissions: { allowedTools: 'grant' } } as const;
    const opened = openSession(makeRegistry(), { ...ports, ...tools }, options);
    await read(opened);
    expect(await opened.gate.judge({ ...call({}), name: 'extract_pdf' })).toMatchObject({ kind });
  });

  test('are the risks of tools that are grouped with a skill, too', async () => {
    const groupedTools = { 'pdf-extractor': { send: {} } };
    const opened = openSession(makeRegistry(), { ...ports, groupedTools }, { risks: { send: 'low' } });
    await read(opened);
    expect(await opened.gate.judge(call({}))).toEqual({ kind: 'allow' });
  });

  test('is the input as well; what is refused comes with what to do next', async () => {
    const permissions = { configured: { deny: ['run_command(rm:*)'], ask: ['run_command'] } };
    const { gate } = openSession(makeRegistry(), { ...ports, tools: { run_command: {} } }, { permissions });
    const run = (command: string) => ({ id: '1', name: 'run_command', input: { command } });
    expect(await gate.judge(run('ls'))).toMatchObject({ kind: 'ask' });
    expect(await gate.judge(run('rm -rf .'))).toMatchObject({
      kind: 'refuse',
      error: { message: expect.stringContaining('Find another way within what is allowed') },
    });
  });
});

test('two tools of one name are a mistake, wherever they come from', () => {
  const open = (more: object) => () =>
    openSession<object>(makeRegistry(), { ...ports, tools: { send: {} }, ...more }, {});
  expect(open({ skillTools: { send: {} } })).toThrow('Two tools have the name “send”.');
  expect(open({ groupedTools: { pdf: { send: {} } } })).toThrow('Two tools have the name “send”.');
});

test('what a tool gives is shown without the bytes that it made', async () => {
  const result = { ok: true, content: 'Made.', output: {}, started: 0, ended: 0, duration: 0 };
  const tool: Tool = {
    ...makeTool('make'),
    run: async () => ({ ...result, outputs: [{ name: 'a.bin', bytes: new Uint8Array(9) }] }),
  };
  expect(await runForFramework(tool, {}, { id: '1' })).toEqual(result);
});

test.each([undefined, null, 'text', {}, { content: 7 }, { content: ['text'] }])(
  'of what no tool gave, as %j, a model is told nothing',
  (output) => {
    expect(modelOutput(output)).toEqual({ type: 'error-text', value: 'The tool gave no text.' });
  },
);

test.each([0, -1, NaN])('%s conversations cannot be kept', (most) => {
  expect(() => keepConversations(() => '', most)).toThrow('cannot be kept');
});
