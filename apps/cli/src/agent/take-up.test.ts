import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sealEvent, SkillsError, type Digest, type RunEventBody } from '@skillpack/core';
import { sha256 } from '@skillpack/cli-dist';
import { openRunFolder } from '@skillpack/runs-fs';
import { expect, test } from 'vitest';
import { notCutOff, takeUp } from './take-up.js';

const kept = { digest: `sha256:${'0'.repeat(64)}` as Digest, size: 0 };
const limits = { turns: 9, toolCalls: 9, scripts: 9, tokens: 9, cost: 9, wallTime: 9, consecutiveFailures: 9 };
const begin: RunEventBody = {
  type: 'run_started',
  formatVersion: 1,
  index: { hash: kept.digest, skills: 0, kept },
  model: 'test:one',
  contextTokens: 8000,
  tools: [],
  limits,
  system: kept,
  options: {},
};

test('whoever comes second is told the same, whether the first one works, or has ended a moment ago', async () => {
  const root = mkdtempSync(join(tmpdir(), 'skills-take-up-'));
  try {
    const runs = openRunFolder(join(root, 'runs'));
    const journal = await runs.create('r1');
    const at = '2026-11-22T08:00:00.000Z';
    const first = sealEvent(begin, { seq: 1, run: 'r1', at, prev: sha256('r1') }, sha256);
    await journal.append(first);
    const told = async (): Promise<unknown> =>
      takeUp('r1', runs, []).then(
        () => undefined,
        (error: unknown) => (SkillsError.is(error) ? [error.code, error.message, error.hint] : error),
      );
    const expected = (finished: boolean): unknown => {
      const { code, message, hint } = notCutOff('r1', { finished, words: [] });
      return [code, message, hint];
    };
    expect(await told()).toEqual(expected(false));
    const end = sealEvent({ type: 'run_finished' }, { seq: 2, run: 'r1', at, prev: first.hash }, sha256);
    await journal.append(end);
    await journal.finish();
    expect(await told()).toEqual(expected(true));
    // The lock was let go: the answer is the same once more.
    expect(await told()).toEqual(expected(true));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
