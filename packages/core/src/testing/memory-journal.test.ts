import { expect, test } from 'vitest';
import { sha256 } from '../../test/sha256.js';
import type { RunEvent } from '../agent/run-event.js';
import { SkillsError } from '../errors/skills-error.js';
import { fakeClock } from './fake-clock.js';
import { createMemoryJournal } from './memory-journal.js';

const event = { type: 'run_finished', seq: 1, run: 'one' } as unknown as RunEvent; // what a journal sees of it

test('a journal in memory holds events in order and every content once, whatever becomes of the buffer', async () => {
  const journal = createMemoryJournal(sha256);
  const bytes = new TextEncoder().encode('body');
  const kept = await journal.keep(bytes);
  expect(await journal.keep(bytes)).toEqual(kept);
  bytes.fill(0);
  expect([kept.size, journal.kept.size, journal.text(kept.digest)]).toEqual([4, 1, 'body']);
  await journal.append(event);
  expect([journal.events, journal.synced]).toEqual([[event], 0]);
  await journal.sync();
  expect(journal.synced).toBe(1);
  expect(() => journal.text(sha256('other'))).toThrow('was kept');
});

test('a journal can fail as a full disk does, until it is told not to', async () => {
  const journal = createMemoryJournal(sha256);
  journal.fail(true);
  for (const call of [journal.append(event), journal.keep(new Uint8Array()), journal.sync()]) {
    await expect(call).rejects.toSatisfy((error) => SkillsError.is(error, 'IO_ERROR'));
  }
  journal.fail(false);
  await journal.append(event);
  expect(journal.events).toEqual([event]);
});

test('a fake clock stands still until it is moved', () => {
  const clock = fakeClock();
  expect([clock.now(), new Date(clock.now()).toISOString()]).toEqual([clock.now(), '2026-01-01T00:00:00.000Z']);
  clock.advance(1500);
  expect(clock.now() - fakeClock().now()).toBe(1500);
  expect(fakeClock(7).now()).toBe(7);
});
