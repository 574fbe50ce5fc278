import { expect, test } from 'vitest';
import { foldEvents } from '../../src/agent/fold-events.js';
import { startRun } from '../../src/agent/start-run.js';
import { agentWorld, answer, named } from './agent-world.js';

test('a run of 500 requests is compacted again and again, and the last request costs what one in the middle does', async () => {
  const requests = 500;
  const contextTokens = 4_000;
  let counted = 0;
  const world = agentWorld(
    Array.from({ length: requests }, (_, index) => answer(`Answer ${index}.`)),
    {
      contextTokens,
      countTokens: (text) => {
        counted += text.length;
        return Math.ceil(text.length / 4);
      },
    },
  );
  const run = await startRun(world.ports, named());
  const work: number[] = [];
  for (let index = 0; index < requests; index += 1) {
    counted = 0;
    await run.ask(`Request ${index}, which is a short one.`);
    work.push(counted);
  }
  // Never more than the part of the window that the conversation may have.
  expect(world.of('model_requested').every(({ tokens }) => tokens <= contextTokens * 0.7)).toBe(true);
  expect(world.of('context_compacted').length).toBeGreaterThan(5);
  const most = (from: number, to: number): number => Math.max(...work.slice(from, to));
  expect(most(400, 500)).toBeLessThan(1.2 * most(200, 300));
  // An event holds nothing of those before it.
  const size = (at: number): number => JSON.stringify(world.events.slice(at, at + 60)).length;
  expect(size(world.events.length - 60)).toBeLessThan(1.2 * size(Math.floor(world.events.length / 2)));
  expect(run.state.conversation).toHaveLength(2 * requests);
  expect(foldEvents(world.events)).toEqual(run.state);
}, 120_000);
