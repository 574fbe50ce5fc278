import { expect, test } from 'vitest';
import type { Digest } from '../../src/digest/is-digest.js';
import { runAgent } from '../../src/agent/run-agent.js';
import { replayRun } from '../../src/agent/replay/replay-run.js';
import { startRun } from '../../src/agent/start-run.js';
import { estimateTokens } from '../../src/agent/context/estimate-tokens.js';
import { SkillsError } from '../../src/errors/skills-error.js';
import type { AgentAction } from '../../src/model/action.js';
import { sha256 } from '../sha256.js';
import { agentWorld, answer, echoTool, named, select, skillFile } from './agent-world.js';
import { echoRunner, yes } from './scripts-world.js';

const long = Array.from(
  { length: 600 },
  (_, at) => `## Step ${at}\n\nLine ${at} of what has to be done, ${'in some words '.repeat(20)}.\n`,
).join('\n');
const window = 4_000;
const many = Object.fromEntries(
  Array.from({ length: 300 }, (_, at) => [`made-${at}/SKILL.md`, skillFile(`made-${at}`, `MADE-${at}`)]),
);
const files = {
  ...many,
  'guide/SKILL.md': skillFile('guide', `You MUST read all of it.\n\n${long}`),
  'guide/references/more.md': Array.from({ length: 2_000 }, (_, at) => `It says more, in line ${at + 1}.\n`).join(''),
  'guide/talk.mjs': '',
  ...Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`guide/data/table-number-${at}.csv`, 'a'])),
};

test('a model with a window of 4,000 tokens and 300 skills sees what it asks for, and comes to its answer', async () => {
  const more = (from_line?: number): AgentAction => ({
    kind: 'load_resource',
    skill: { name: 'guide' },
    relative_path: 'references/more.md',
    from_line,
  });
  const world = agentWorld(
    [
      { kind: 'search_skills', query: 'guide' },
      select('guide'),
      more(),
      select('guide'),
      { kind: 'call_tool', tool: 'talk', input: {} },
      { kind: 'run_script', skill: { name: 'guide' }, relative_path: 'talk.mjs', args: [] },
      more(30),
      answer('Done.'),
    ],
    {
      files,
      contextTokens: window,
      tools: [echoTool('talk', { run: () => ({ content: `TOOL-BEGINS ${'talk '.repeat(8_000)}` }) })],
      runner: echoRunner({ stdout: `SCRIPT-BEGINS ${'talk '.repeat(8_000)}` }),
      approver: yes('once'),
    },
  );
  const { stop, text } = await runAgent('What does the guide say?', world.ports, named());
  expect({ stop, text }).toEqual({ stop: 'final_answer', text: 'Done.' });
  for (const { tokens } of world.of('model_requested')) expect(tokens).toBeLessThanOrEqual(0.95 * window);
  const newest = world.model.requests.map(({ messages }) => messages.at(-1)?.content ?? '');
  const body = 'Line 2 of what';
  const marks = [body, 'It says more, in line 3', body, 'TOOL-BEGINS', 'SCRIPT-BEGINS', 'It says more, in line 50'];
  for (const [at, mark] of marks.entries()) expect(newest[at + 2]).toContain(mark);
  // It went out of view, and came back when it was asked for.
  expect(newest[3]).not.toContain(body);
  expect(world.model.requests[0]?.system).toContain('more skills are not listed here');
});

test('the body of a skill takes at most a quarter of the window, and in a large one 8,000 tokens', async () => {
  for (const [contextTokens, most] of [
    [window, window / 4],
    [16_000, 4_000],
    [200_000, 8_000],
  ] as const) {
    const world = agentWorld([answer('One.'), select('guide'), answer('Two.')], { files, contextTokens });
    const { state } = await runAgent('Go.', world.ports, named());
    const run = await startRun(world.ports, named({ id: 'called' }));
    await run.ask({ text: 'Now.', skill: 'guide' });
    expect(state.activations).toEqual([]);
    const [, called] = world.model.requests.map(({ messages }) => messages[0]?.content ?? '');
    const body = called?.match(/<skill_body[\s\S]*<\/skill_body>/u)?.[0] ?? '';
    expect(estimateTokens(body)).toBeLessThanOrEqual(most + 100);
    expect(estimateTokens(body)).toBeGreaterThan(most * 0.8);
  }
});

test('a window that what is in every request fills is refused, with both numbers, before anything is recorded', async () => {
  const start = async (options: Parameters<typeof named>[0], contextTokens: number) => {
    const world = agentWorld([answer('Done.')], { contextTokens });
    const started = await startRun(world.ports, named(options)).catch((error: unknown) => error);
    return { world, started };
  };
  const small = await start({}, 1_000);
  expect(SkillsError.is(small.started, 'USAGE')).toBe(true);
  expect(small.started).toMatchObject({
    message: expect.stringMatching(/ take \d+ tokens; the window of the model “test:replies” has 1000\.$/u),
  });
  expect(small.world.events).toEqual([]);
  expect((await start({}, window)).started).not.toBeInstanceOf(Error);
  expect((await start({ system: 'You help. '.repeat(2_000) }, window)).started).toMatchObject({ code: 'USAGE' });
});

test('a request that does not fit the window is not sent; the answer gives both numbers', async () => {
  const world = agentWorld([answer('Done.'), answer('Done.')], { contextTokens: window });
  const run = await startRun(world.ports, named());
  const { stop, text, error } = await run.ask('word '.repeat(20_000));
  expect([stop, error?.code]).toEqual(['model_failed', 'FILE_TOO_LARGE']);
  expect(text).toMatch(/takes 2\d{4} tokens, and cannot be made shorter; its window has 4000\./u);
  expect(world.model.requests).toEqual([]);
  expect(world.of('model_requested')).toEqual([]);
  expect(await run.ask('Less.')).toMatchObject({ stop: 'final_answer', error: undefined });
  await run.finish();
  const kept = async (digest: Digest) => world.journal.kept.get(digest);
  expect(await replayRun({ events: world.events, kept }, { sha256 })).toMatchObject({ same: true });
});
