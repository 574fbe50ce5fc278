import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chainStart, sealEvent, type RunEvent, type RunEventBody, type RunJournal } from '@skillpack/core';
import { onTestFinished } from 'vitest';
import { sha256 } from '../src/sha256.js';

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'runs-fs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const kept = { digest: sha256('kept'), size: 4 };
const limits = { turns: 9, toolCalls: 9, scripts: 9, tokens: 9, cost: 9, wallTime: 9, consecutiveFailures: 9 };

export const started: RunEventBody = {
  type: 'run_started',
  formatVersion: 1,
  model: 'test:replies',
  contextTokens: 8000,
  index: { hash: sha256('index'), skills: 0, kept },
  tools: [],
  limits,
  system: kept,
  options: {},
};

/** Seals what happened; of the second of `minute`. */
export function seal(id: string, bodies: readonly RunEventBody[], minute = 0): readonly RunEvent[] {
  const events: RunEvent[] = [];
  for (const body of bodies) {
    const seq = events.length + 1;
    const at = new Date(Date.UTC(2026, 10, 22, 8, minute, seq)).toISOString();
    events.push(sealEvent(body, { seq, run: id, at, prev: events.at(-1)?.hash ?? chainStart(id, sha256) }, sha256));
  }
  return events;
}

export const shortRun: readonly RunEventBody[] = [
  started,
  { type: 'request_received', request: { text: 'What is it?' } },
  { type: 'request_answered', stop: 'final_answer', degraded: false, answer: 'It is é \u{1F600}.' },
  { type: 'run_finished' },
];

export async function write(journal: RunJournal, events: readonly RunEvent[]): Promise<void> {
  for (const event of events) await journal.append(event);
  await journal.sync();
}
