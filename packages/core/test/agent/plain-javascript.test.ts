import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { checkPermissions, defineTool, runAgent, SkillsError, startRun } from '../../src/index.js';
import { agentWorld, answer, echoTool, named } from './agent-world.js';

// Whoever writes JavaScript is told by nobody else.
const plain = (value: object): never => value as never;

async function complaintOf(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    if (!SkillsError.is(error, 'USAGE')) throw error;
    return `${error.message} ${error.hint ?? ''}`;
  }
  return 'none';
}

const clock = { now: () => 0 };
const definition = {
  name: 'look',
  description: 'Looks.',
  input: z.object({}),
  risk: 'low',
  run: () => ({ content: 'seen' }),
} as const;

test.for<readonly [string, object, string]>([
  ['no risk', { risk: undefined }, 'has no risk; expected low, medium or high'],
  ['another risk', { risk: 'Low' }, 'has the risk “Low”; expected low, medium or high'],
  ['parameters', { parameters: {} }, 'no “parameters”: here, it is “input”'],
  ['execute', { execute: () => 'x' }, 'no “execute”: here, it is “run”'],
  ['a misspelt field', { confned: true }, 'confined'],
  ['no run', { run: undefined }, 'has no function “run”'],
  ['no description', { description: undefined }, 'has no description'],
  ['no input', { input: undefined }, 'does not say what its input is'],
  ['no name', { name: undefined }, 'not without a name'],
])('a definition of a tool with %s is refused', async ([, change, told]) => {
  expect(await complaintOf(() => defineTool(plain({ ...definition, ...change }), { clock }))).toContain(told);
});

test('a tool may answer a text alone; one that answers nothing to read says so to whoever calls it', async () => {
  const text = defineTool({ ...definition, run: () => 'seen' }, { clock });
  expect(await text.run({}, { id: 'a1', signal: new AbortController().signal })).toMatchObject({
    ok: true,
    content: 'seen',
  });
  const nothing = defineTool(plain({ ...definition, run: () => ({ seen: true }) }), { clock });
  await expect(nothing.run({}, { id: 'a1', signal: new AbortController().signal })).rejects.toThrow(
    'its run returns a text, or { content }',
  );
});

test.for<readonly [string, object, string]>([
  ['no name', { name: undefined }, 'has no name'],
  ['no schema', { inputSchema: undefined }, 'no inputSchema'],
])('a raw tool with %s is no port of an agent', async ([, change, told]) => {
  const world = agentWorld([answer('Done.')], { tools: [plain({ ...echoTool('look'), ...change })] });
  expect(await complaintOf(async () => startRun(world.ports, named()))).toContain(told);
});

test('options that there are not are refused, with the nearest', async () => {
  const world = agentWorld([answer('Done.')]);
  const complaint = async (options: object) =>
    complaintOf(async () => runAgent('Go.', world.ports, plain({ ...named(), ...options })));
  expect(await complaint({ pinnd: [] })).toMatch(/runAgent has no option “pinnd”.*There is pinned/u);
  expect(await complaint({ limits: { turn: 3 } })).toMatch(/limits has no option “turn”.*There is turns/u);
  expect(world.events).toEqual([]);
  const run = await startRun(world.ports, named());
  expect(await complaintOf(async () => run.ask('Go.', plain({ onTxt: () => {} })))).toContain('ask has no option');
  expect(await complaintOf(async () => startRun(world.ports, plain({ ...named(), onText: () => {} })))).toContain(
    'startRun has no option “onText”',
  );
});

test('permissions with rules in no layer say where rules belong', async () => {
  expect(await complaintOf(() => checkPermissions({ allow: ['risk:low'] }))).toContain(
    'allow belongs into configured, as configured.allow',
  );
});

test('what of skills and tools cannot be offered is told to a developer at the start', async () => {
  const notes: string[] = [];
  const world = agentWorld([answer('Done.')]);
  const { registry } = world.ports;
  const problems = [{ code: 'missing', location: '/nope', message: 'There is no such folder of skills.' }] as const;
  const index = async () => ({ ...(await registry.index()), problems });
  const tools = [plain({ ...echoTool('look'), risk: 'lo' })];
  const debug = (note: string) => notes.push(note);
  await startRun({ ...world.ports, tools, registry: { ...registry, index }, debug }, named());
  expect(notes.join(' ')).toContain('The tool “look” has no risk that is low, medium or high');
  expect(notes).toContain('At “/nope”: There is no such folder of skills.');
});
