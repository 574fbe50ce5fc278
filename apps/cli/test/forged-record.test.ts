import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chainStart, formatRunEvent, sealEvent, type RunEvent } from '@skillpack/core';
import { sha256 } from '@skillpack/runs-fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAgentWorld, writeScript } from './agent-world.js';
import type { World } from './run-skills.js';

// A test runs several commands, each of which is a process.
vi.setConfig({ testTimeout: 90_000 });

let world: World;
beforeEach(() => {
  world = createAgentWorld();
});
afterEach(() => world.remove());

const windows = process.platform === 'win32';

/** Makes the record anew from what is left of its events, with a chain that is right. */
function forge(folder: string, change: (events: readonly RunEvent[]) => readonly RunEvent[]): void {
  const file = join(folder, 'events.jsonl');
  const events = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RunEvent);
  const sealed: RunEvent[] = [];
  for (const { seq: _, run, at, prev: __, hash: ___, ...body } of change(events)) {
    const prev = sealed.at(-1)?.hash ?? chainStart(run, sha256);
    sealed.push(sealEvent(body, { seq: sealed.length + 1, run, at, prev }, sha256));
  }
  writeFileSync(file, sealed.map(formatRunEvent).join(''));
  rmSync(join(folder, 'run.json'), { force: true });
}

test.skipIf(windows)('a record that says that a folder is one of an active skill opens it to no tool', async () => {
  const outside = join(world.home, 'private');
  mkdirSync(outside);
  writeFileSync(join(outside, 'diary.txt'), 'DIARY');
  const reads = (path: string) => ({ action: { kind: 'call_tool', tool: 'read_file', input: { path } } });
  const greeting = join(world.home, '.agents', 'skills', 'greet', 'SKILL.md');
  const model = writeScript(world, [
    {
      when: { skillInactive: 'greet' },
      decide: { action: { kind: 'select_skills', skills: [{ name: 'greet' }], reason: 'It fits.' } },
    },
    { when: { turn: 2 }, decide: reads(join(outside, 'diary.txt')) },
    { when: { turn: 3 }, decide: reads(greeting) },
    { decide: { action: { kind: 'final_answer', content: 'Done.' } } },
  ]);
  const { id } = (await world.run(['run', 'Read', '--model', model, '--json'])).json().data as { id: string };
  const folder = join(world.project, '.agents', 'runs', id);
  forge(folder, (events) => {
    const kept = events.slice(0, events.findIndex(({ type }) => type === 'turn_finished') + 1);
    const at = kept.findIndex(({ type }) => type === 'skill_activated');
    const read = kept[at];
    if (read?.type !== 'skill_activated') throw new Error('No skill was read.');
    const ghost = { ...read, activation: { ...read.activation, name: 'ghost', location: outside } };
    return kept.toSpliced(at + 1, 0, ghost);
  });
  const resumed = await world.run(['runs', 'resume', id, '--model', model, '--trust-project', '--json']);
  expect(resumed.exitCode, resumed.stderr).toBe(0);
  const record = readFileSync(join(folder, 'events.jsonl'), 'utf8');
  expect(record).not.toContain('DIARY');
  expect(record).toContain('PATH_TRAVERSAL_BLOCKED');
  // The folder of the skill that is active and offered stays open.
  expect(record.slice(record.indexOf('PATH_TRAVERSAL_BLOCKED'))).toContain('Greet kindly.');
});
