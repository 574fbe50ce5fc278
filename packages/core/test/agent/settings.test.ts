import { expect, test } from 'vitest';
import type { AgentOptions } from '../../src/agent/agent-run.js';
import { startRun } from '../../src/agent/start-run.js';
import { SkillsError } from '../../src/errors/skills-error.js';
import { agentWorld, answer, named, skillFile } from './agent-world.js';

const number = 'it has to be a whole number above 0.';
const counted = 'it has to be a whole number from 0 on, or Infinity.';
const measured = 'it has to be a number from 0 on, or Infinity.';
const share = 'it has to be above 0 and at most 1.';

test.for<readonly [Partial<AgentOptions>, string]>([
  [{ bodiesPerTurn: 0 }, `bodiesPerTurn is 0; ${number}`],
  [{ bodiesPerTurn: 1.5 }, `bodiesPerTurn is 1.5; ${number}`],
  [{ bodiesPerTurn: Number.POSITIVE_INFINITY }, `bodiesPerTurn is Infinity; ${number}`],
  [{ scriptTimeout: -1 }, `scriptTimeout is -1; ${number}`],
  [{ catalogueShare: 0 }, `catalogueShare is 0; ${share}`],
  [{ catalogueShare: 1.01 }, `catalogueShare is 1.01; ${share}`],
  [{ contextShare: Number.NaN }, `contextShare is NaN; ${share}`],
  [{ limits: { turns: -1 } }, `The limit turns is -1; ${counted}`],
  [{ limits: { toolCalls: 1.5 } }, `The limit toolCalls is 1.5; ${counted}`],
  [{ limits: { tokens: Number.NaN } }, `The limit tokens is NaN; ${counted}`],
  [{ limits: { scripts: '3' as never } }, `The limit scripts is 3; ${counted}`],
  [{ limits: { cost: Number.NaN } }, `The limit cost is NaN; ${measured}`],
  [{ limits: { wallTime: -0.1 } }, `The limit wallTime is -0.1; ${measured}`],
  [{ contextShare: -0.5 }, `contextShare is -0.5; ${share}`],
])('a number that makes no sense fails at once, with nothing in the record: %o', async ([options, message]) => {
  const world = agentWorld([]);
  const failed = await startRun(world.ports, named(options)).catch((error: unknown) => error);
  expect(SkillsError.is(failed, 'USAGE')).toBe(true);
  expect(failed).toMatchObject({ message });
  expect(world.events).toEqual([]);
});

test('the largest shares and the smallest numbers are taken', async () => {
  const world = agentWorld([answer('Done.')]);
  const options = { catalogueShare: 1, contextShare: 1, bodiesPerTurn: 1, scriptTimeout: 1 };
  const run = await startRun(world.ports, named(options));
  expect(await run.ask('Go.')).toMatchObject({ text: 'Done.' });
});

test('what the model is told at the beginning is what the record may hold', async () => {
  const world = agentWorld([answer('Done.')]);
  const redact = (text: string): string => text.replaceAll('secret', '[redacted]');
  const options = { system: 'A secret \uD800.', instructions: 'Of secret things.', redact };
  const run = await startRun(world.ports, named(options));
  await run.ask('Go.');
  const [request] = world.model.requests;
  expect(request?.system).toMatch(/^A \[redacted\] \uFFFD\.\n\n[\s\S]*Of \[redacted\] things\./u);
  expect(JSON.stringify([world.events, ...[...world.journal.kept.values()].map(String)])).not.toContain('secret');
});

test('a request has a timer for its time, unless that is longer than any timer', async () => {
  for (const [wallTime, timers] of [
    [1_000, 1],
    [2_147_483_647, 1],
    [2_147_483_648, 0],
    [Number.POSITIVE_INFINITY, 0],
  ] as const) {
    const seen: number[] = [];
    const world = agentWorld([
      () => {
        seen.push(world.clock.timers);
        return answer('Done.');
      },
    ]);
    const run = await startRun(world.ports, named({ limits: { wallTime } }));
    await run.ask('Go.');
    expect([...seen, world.clock.timers]).toEqual([timers, 0]);
  }
});

test('a skill that is preloaded twice is read once', async () => {
  const world = agentWorld([answer('Done.')], { files: { 'pdf/SKILL.md': skillFile('pdf', 'PDF-BODY') } });
  const preload = ['pdf', { name: 'pdf', source: 'builtin' as const }];
  const run = await startRun(world.ports, named({ preload }));
  await run.ask('Go.');
  expect(world.of('skill_activated')).toHaveLength(1);
  expect(JSON.stringify(world.model.requests[0]).match(/PDF-BODY/gu)).toHaveLength(1);
});
