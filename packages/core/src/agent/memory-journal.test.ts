import { expect, test } from 'vitest';
import { sha256 } from '../../test/sha256.js';
import { createMemoryJournal } from './memory-journal.js';
import type { RunEvent } from './run-event.js';

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
