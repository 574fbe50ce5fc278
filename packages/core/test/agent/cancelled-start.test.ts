import { expect, test } from 'vitest';
import { continueRun } from '../../src/agent/continue-run.js';
import { formatRunEvent } from '../../src/agent/record/parse-run-event.js';
import { readRunEvents } from '../../src/agent/record/read-run-events.js';
import { replayRun } from '../../src/agent/replay/replay-run.js';
import { resumeRun } from '../../src/agent/replay/resume-run.js';
import { runAgent } from '../../src/agent/run-agent.js';
import { startRun } from '../../src/agent/start-run.js';
import type { Digest } from '../../src/digest/is-digest.js';
import { SkillsError } from '../../src/errors/skills-error.js';
import type { SkillRegistry } from '../../src/registry/skill-registry.js';
import { sha256 } from '../sha256.js';
import { agentWorld, answer, named, select, skillFile, type AgentWorld } from './agent-world.js';

const files = { 'pdf/SKILL.md': skillFile('pdf', 'PDF-BODY') };

/** A registry that does not answer until it is cancelled; asked for the first time, it cancels. */
function hanging(registry: SkillRegistry, what: 'index' | 'bytes', controller: AbortController): SkillRegistry {
  const hang = async (signal: AbortSignal | undefined): Promise<never> =>
    new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
      controller.abort();
    });
  return what === 'index'
    ? { ...registry, index: async ({ signal } = {}) => hang(signal) }
    : { ...registry, bytes: async (_, __, options) => hang(options?.signal) };
}

async function sound({ events, journal }: AgentWorld): Promise<void> {
  const read = readRunEvents(events.map(formatRunEvent).join(''), { sha256 }, { what: 'it', run: 'run' });
  const kept = async (digest: Digest) => journal.kept.get(digest);
  expect(await replayRun({ events: read.events, kept }, { sha256 })).toMatchObject({ same: true });
}

function isInterrupted(error: unknown): boolean {
  return SkillsError.is(error, 'INTERRUPTED');
}

test.for<readonly ['index' | 'bytes', events: readonly string[]]>([
  ['index', []],
  ['bytes', ['run_started', 'skill_read', 'run_finished']],
])('a start that waits for the %s of a registry is cancelled at once', async ([what, events]) => {
  for (const start of [startRun, async (...given: Parameters<typeof startRun>) => runAgent('Go.', ...given)]) {
    const world = agentWorld([answer('Never.')], { files });
    const controller = new AbortController();
    const ports = { ...world.ports, registry: hanging(world.ports.registry, what, controller) };
    const started = start(ports, named({ preload: ['pdf'], signal: controller.signal }));
    await expect(started).rejects.toSatisfy(isInterrupted);
    expect(world.types()).toEqual(events);
    expect(world.model.requests).toEqual([]);
    expect(world.clock.timers).toBe(0);
    if (events.length > 0) await sound(world);
  }
});

test.for<readonly ['index' | 'bytes']>([['index'], ['bytes']])(
  'a run that goes on is cancelled at once where it waits for the %s of a registry, and can go on later',
  async ([what]) => {
    const world = agentWorld([select('pdf'), answer('One.'), answer('Two.')], { files });
    await (await startRun(world.ports, named())).ask('One.');
    const kept = async (digest: Digest) => world.journal.kept.get(digest);
    const controller = new AbortController();
    const ports = { ...world.ports, registry: hanging(world.ports.registry, what, controller) };
    const { signal } = controller;
    await expect(continueRun([...world.events], ports, named({ signal }))).rejects.toSatisfy(isInterrupted);
    // It is cancelled already.
    const record = { events: [...world.events], kept };
    await expect(resumeRun(record, ports, { signal })).rejects.toSatisfy(isInterrupted);
    const run = await resumeRun({ events: [...world.events], kept }, world.ports);
    expect(await run.ask('Two.')).toMatchObject({ text: 'Two.' });
    await sound(world);
  },
);
