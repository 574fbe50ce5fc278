import { describe, expect, test } from 'vitest';
import { continueRun } from '../../src/agent/continue-run.js';
import { createSkillSession } from '../../src/agent/create-skill-session.js';
import { formatRunEvent } from '../../src/agent/record/parse-run-event.js';
import { readRunEvents } from '../../src/agent/record/read-run-events.js';
import { replayRun } from '../../src/agent/replay/replay-run.js';
import { runAgent } from '../../src/agent/run-agent.js';
import type { Digest } from '../../src/digest/is-digest.js';
import { sha256 } from '../sha256.js';
import { agentWorld, answer, named, select, skillFile } from './agent-world.js';

const files = { 'pdf/SKILL.md': skillFile('pdf', 'Read the form.') };

describe.for<readonly [string, (text: string) => number]>([
  ['says NaN', () => Number.NaN],
  ['says less than nothing', () => -1],
  ['says that there is no end', () => Number.POSITIVE_INFINITY],
  ['says more than numbers hold', () => Number.MAX_VALUE],
  // Cast: whoever counts may be written in a language without types.
  ['says a text', () => '7' as unknown as number],
  [
    'throws',
    () => {
      throw new Error('There is no vocabulary.');
    },
  ],
])('a way of counting tokens that %s', ([, countTokens]) => {
  test('ends no run, and leaves a record that can be read and replayed', async () => {
    const world = agentWorld([select('pdf'), answer('Done.')], { files, countTokens });
    const { stop, state } = await runAgent('Go.', world.ports, named());
    expect(stop).toBe('final_answer');
    expect(state.activations.map(({ lines }) => lines.shown)).toEqual([1]);
    const read = readRunEvents(world.events.map(formatRunEvent).join(''), { sha256 }, { what: 'it', run: 'run' });
    const kept = async (digest: Digest) => world.journal.kept.get(digest);
    const replayed = await replayRun({ events: read.events, kept }, { sha256 }, { countTokens });
    expect(replayed).toMatchObject({ same: true });
  });

  test('does not keep a session from showing its skills', async () => {
    const world = agentWorld([], { files });
    const session = createSkillSession(world.ports.registry, { sha256, countTokens });
    expect(await session.renderSection()).toContain('pdf');
  });
});

/** A hash that has a defect: it takes no request to a model. */
function breaking(data: string | Uint8Array): Digest {
  if (typeof data === 'string' && data.includes('"answerSchema"')) throw new Error('A defect.');
  return sha256(data);
}

test('a run that a defect ended goes on with the request that it was at', async () => {
  const world = agentWorld([answer('Done.')], { files });
  const broken = { ...world.ports, sha256: breaking };
  await expect(runAgent('Go.', broken, named())).rejects.toThrow('A defect.');
  expect(world.types()).not.toContain('run_finished');
  const run = await continueRun(world.events, world.ports, named());
  expect(await run.goOn()).toMatchObject({ text: 'Done.', stop: 'final_answer' });
});
