import { expect, test } from 'vitest';
import {
  createRedactor,
  quoted,
  replayRun,
  SkillsError,
  startRun,
  type Tool,
  type ToolResult,
} from '../../src/index.js';
import { agentWorld, answer, named, skillFile } from '../agent/agent-world.js';
import { sha256 } from '../sha256.js';

const secret = 'Zq8VALUE9x7w6v5u4t3s2r1q0pENDING';
const redact = createRedactor({ values: [secret] });
/** Secrets one after another, so that a cut anywhere lies in one or just behind it. */
const secrets = (before: number, count: number): string => `Of ${'.'.repeat(before)} ${`${secret} `.repeat(count)}`;
const inOneWord = (before: number, count: number): string => `Of ${'.'.repeat(before)}${`${secret}-`.repeat(count)}`;

const failed = (result: Partial<ToolResult>): ToolResult => ({
  ok: false,
  content: 'It failed.',
  output: {},
  started: 0,
  ended: 0,
  duration: 0,
  ...result,
});

type Fails = (before: number, text: typeof secrets) => ToolResult | Error;
const ways: Readonly<Record<string, Fails>> = {
  'a content alone': (before, text) => failed({ content: text(before, 40) }),
  'a message': (before, text) => failed({ error: { code: 'EXIT_NONZERO', message: text(before, 300) } }),
  'an error that is thrown': (before, text) => new Error(text(before, 300)),
  'a very long error that is thrown': (before, text) => new Error(`${text(before, 2400)}${secret.repeat(100)}`),
  'a known error that is thrown': (before, text) => new SkillsError('NETWORK_ERROR', text(before, 300)),
  'a hint': (before, text) => new SkillsError('NETWORK_ERROR', 'No.', { hint: text(before, 300) }),
  'a quotation': (before, text) => new SkillsError('NETWORK_ERROR', `HTTP 500: ${quoted(text(before, 30))}.`),
  'two quotations': (before, text) =>
    new SkillsError('NETWORK_ERROR', `${quoted(text(before, 30))}, then ${quoted(text(before, 30), 64)}`),
  'a quotation at the end of what was cut': (before, text) =>
    new SkillsError('NETWORK_ERROR', `${quoted(text(before, 30))} ${text(before, 300)}`),
};

test.each(Object.entries(ways))('wherever %s is cut, half a secret is told by nothing', async (_, fails) => {
  const offsets = Array.from({ length: secret.length + 1 }, (__, at) => at);
  const tools = [secrets, inOneWord].map((text, at): Tool => {
    const run = async (input: unknown): Promise<ToolResult> => {
      const result = fails((input as { before: number }).before, text);
      if (result instanceof Error) throw result;
      return result;
    };
    return { name: `tool_${at}`, description: 'Fails.', risk: 'low', inputSchema: { type: 'object' }, run };
  });
  const calls = tools.flatMap(({ name }) =>
    offsets.map((before) => ({ kind: 'call_tool', tool: name, input: { before } }) as const),
  );
  const world = agentWorld([...calls, answer('Done.')], {
    files: { 'aaaa/SKILL.md': skillFile('aaaa', 'Text.') },
    tools,
  });
  const limits = { turns: 100, toolCalls: 100, consecutiveFailures: 100 };
  expect((await (await startRun(world.ports, named({ redact, limits }))).ask('Go.')).stop).toBe('final_answer');
  const told = world.of('observation_recorded');
  expect(told).toHaveLength(calls.length);
  expect(
    told.every(({ error }) => error?.message.startsWith('No') === true || /Of|“|HTTP|…/u.test(error?.message ?? '')),
  ).toBe(true);
  const whole = JSON.stringify([world.events, world.model.requests]);
  expect(whole).toContain('[redacted');
  expect(whole).not.toMatch(/Zq8V|DING/u);
  const kept = async (digest: Parameters<typeof world.journal.kept.get>[0]) => world.journal.kept.get(digest);
  for (const bytes of world.journal.kept.values()) expect(new TextDecoder().decode(bytes)).not.toMatch(/Zq8V|DING/u);
  expect(await replayRun({ events: [...world.events], kept }, { sha256 })).toMatchObject({ same: true });
});

test('where nothing was cut, everything stays; of a quotation that ends with three dots nobody knows', async () => {
  const message = `Waiting for ${quoted('Loading…')} of ${quoted('a name')}…`;
  const run = async (): Promise<ToolResult> => {
    throw new SkillsError('NETWORK_ERROR', message);
  };
  const tool: Tool = { name: 'wait', description: 'Waits.', risk: 'low', inputSchema: { type: 'object' }, run };
  const world = agentWorld([{ kind: 'call_tool', tool: 'wait', input: {} }, answer('Done.')], { tools: [tool] });
  await (await startRun(world.ports, named({ redact }))).ask('Go.');
  expect(world.of('observation_recorded')[0]?.error?.message).toBe(`Waiting for “…” of “a name”…`);
});
