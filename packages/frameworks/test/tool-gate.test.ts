import { expect, test } from 'vitest';
import { openSession } from '../src/session/open-session.js';
import type { ToolGate } from '../src/session/tool-gate.js';
import { makeRegistry, ports } from './known-skills.js';

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
