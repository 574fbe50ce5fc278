import { expect, test } from 'vitest';
import { redactNothing, replayRun, resumeRun, runAgent, startRun } from '../../src/index.js';
import { agentWorld, answer, echoTool, named, type AgentWorld } from '../agent/agent-world.js';
import { sha256 } from '../sha256.js';

const token = `ghp_${'a1B2c3D4e5'.repeat(4)}`;
const call = { kind: 'call_tool', tool: 'look', input: {} } as const;
const look = { ...echoTool('look'), run: async () => Promise.reject(new Error(`Denied with ${token}.`)) };

const recordOf = ({ journal }: AgentWorld) => ({
  events: [...journal.events],
  kept: async (digest: Parameters<typeof journal.kept.get>[0]) => journal.kept.get(digest),
});

/** Everything that a run told its model, and wrote. */
const all = (world: AgentWorld): string =>
  JSON.stringify([world.events, world.model.requests.slice(1)]) +
  [...world.journal.kept.values()].map((bytes) => new TextDecoder().decode(bytes)).join('');

test('what looks like a token reaches neither the record nor the model, though nobody asked for that', async () => {
  const world = agentWorld([call, answer('Done.')], { tools: [look] });
  await runAgent('Read https://ada:hunter2@example.com/.', world.ports, named());
  expect(all(world)).not.toContain(token);
  expect(all(world)).not.toContain('hunter2');
  expect(all(world)).toContain('Denied with [redacted:token].');
  expect(world.of('run_started')[0]?.options.redacted).toBe('by-shape');
  expect(await replayRun(recordOf(world), { sha256 })).toMatchObject({ same: true });
});

test('a function that is handed in counts instead, and redactNothing leaves everything', async () => {
  for (const redact of [redactNothing, (text: string) => text]) {
    const world = agentWorld([call, answer('Done.')], { tools: [look] });
    await runAgent('Go.', world.ports, named({ redact }));
    expect(all(world)).toContain(token);
    expect(await replayRun(recordOf(world), { sha256 })).toMatchObject({ same: true });
  }
});

test('a run that was redacted by shape, or not at all, goes on redacted by shape', async () => {
  for (const redact of [undefined, redactNothing]) {
    const world = agentWorld([answer('One.'), answer('Two.')]);
    await (await startRun(world.ports, named({ redact }))).ask('First.');
    const again = await resumeRun(recordOf(world), world.ports);
    await again.ask(`And ${token}?`);
    expect(all(world)).not.toContain(token);
    expect(world.of('run_resumed')[0]?.with?.options.redacted).toBe('by-shape');
    expect(await replayRun(recordOf(world), { sha256 })).toMatchObject({ same: true, events: world.events.length });
  }
});
