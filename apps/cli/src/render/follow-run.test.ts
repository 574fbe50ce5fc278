import type { RunEvent } from '@skillpack/core';
import { expect, test } from 'vitest';
import { followRun } from './follow-run.js';

test('an answer that was cut off at its length is told as that, with what raises it', () => {
  const told: string[] = [];
  const hear = (message: string): void => void told.push(message);
  const reporter = {
    alert: hear,
    warn: hear,
    note: hear,
    step: hear,
    detail: hear,
    progress: () => {},
    close: () => {},
  };
  const follow = followRun(reporter);
  const error = { code: 'INVALID_DECISION', message: 'Unterminated string' };
  for (const finish of ['length', 'stop']) {
    // Casts: what is told reads no other fields.
    follow({ type: 'model_answered', text: '{', finish, run: 'a' } as unknown as RunEvent);
    follow({ type: 'decision_rejected', error, run: 'a' } as unknown as RunEvent);
  }
  expect(told).toEqual([
    expect.stringContaining('`maxOutputTokens` of the model'),
    'the model’s answer was no decision: Unterminated string',
  ]);
});
