import { expect, test } from 'vitest';
import type { Digest } from '../../digest/is-digest.js';
import type { RunEvent, RunEventBody } from '../run-event.js';
import { listScripts } from './summarise-actions.js';

// Nothing here looks at digests.
const digest = `sha256:${'0'.repeat(64)}` as Digest;

/** What happened, each so many milliseconds after the one before. */
function eventsOf(bodies: readonly (readonly [after: number, body: RunEventBody])[]): readonly RunEvent[] {
  let now = Date.UTC(2026, 10, 22);
  return bodies.map(([after, body], index) => {
    now += after;
    const place = { seq: index + 1, run: 'r1', at: new Date(now).toISOString(), prev: digest, hash: digest };
    return { ...body, ...place };
  });
}

const action = { kind: 'run_script', skill: { name: 'greet' }, relative_path: 'scripts/hello.sh', args: [] } as const;
const started: RunEventBody = { type: 'action_started', id: 'a1', action };
const asked: RunEventBody = {
  type: 'approval_requested',
  request: { id: 'a1', tool: 'run_script', risk: 'medium', skill: undefined, summary: 'scripts/hello.sh', input: {} },
};
const approved: RunEventBody = {
  type: 'approval_decided',
  id: 'a1',
  decision: { kind: 'approved', scope: 'once', by: 'person' },
};
const observedAfter = (duration: number): RunEventBody => ({
  type: 'observation_recorded',
  id: 'a1',
  ok: true,
  content: '',
  contentForUser: undefined,
  output: { exit_code: 0 },
  error: undefined,
  kept: [],
  duration,
});

test('PSA-25: the time of a script is that in which it ran, without the wait for the yes', () => {
  const waited = eventsOf([
    [0, started],
    [10, asked],
    [60_000, approved],
    [250, observedAfter(60_260)],
  ]);
  expect(listScripts(waited)).toMatchObject([{ duration: 260 }]);
  const unasked = eventsOf([
    [0, started],
    [250, observedAfter(250)],
  ]);
  expect(listScripts(unasked)).toMatchObject([{ duration: 250 }]);
});

test('PSA-25: a clock that goes back during a question makes no script last longer, and none less than nothing', () => {
  const back = eventsOf([
    [0, started],
    [10, asked],
    [-60_000, approved],
    [250, observedAfter(0)],
  ]);
  expect(listScripts(back)).toMatchObject([{ duration: 0 }]);
  const ahead = eventsOf([
    [0, started],
    [10, asked],
    [60_000, approved],
    [-59_000, observedAfter(1_010)],
  ]);
  expect(listScripts(ahead)).toMatchObject([{ duration: 0 }]);
});

test('PSA-25: a script that was cut off has no time', () => {
  expect(listScripts(eventsOf([[0, started]]))).toMatchObject([{ duration: undefined, exitCode: undefined }]);
});
