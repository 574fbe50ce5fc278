import { expect, test } from 'vitest';
import { formatRunSummary, parseRunSummary, renderFinal, SkillsError, summariseRun } from '../../src/index.js';
import { sha256 } from '../sha256.js';
import { everyStep, sealSteps } from './sample-record.js';

const events = sealSteps(everyStep);

test('PSA-25, PSA-28: run.json says what was asked, read, run, approved and spent, and names the index that held', () => {
  const summary = summariseRun(events);
  expect(summary).toMatchObject({
    formatVersion: 1,
    id: 'r1',
    status: 'finished',
    model: 'scripted:a',
    started: events[0]?.at,
    ended: events.at(-1)?.at,
    events: events.length,
    hash: events.at(-1)?.hash,
    indexHash: sha256('index'),
    requests: [
      {
        text: 'What does a.pdf say?',
        skill: 'pdf',
        answer: { text: 'It says hello.', stop: 'final_answer', degraded: false },
      },
    ],
    skills: [{ run: 'r1', name: 'pdf', location: '/skills/pdf', digest: sha256('body'), by: 'model' }],
    resources: [
      { path: 'SKILL.md', digest: sha256('body'), size: 4 },
      { path: 'gone.md', error: { code: 'FILE_NOT_FOUND' } },
    ],
    tools: [
      { name: 'run_script', calls: 1, failed: 1 },
      { name: 'select_skills', calls: 1, failed: 0 },
    ],
    scripts: [
      { path: 'scripts/text.mjs', args: ['a.pdf'], exitCode: 3, error: { code: 'EXIT_NONZERO' }, duration: 250 },
    ],
    approvals: [{ id: 'a2', tool: 'run_script', decision: { kind: 'approved', by: 'ada' } }],
    plan: { goal: 'Say what a.pdf says' },
    usage: {
      answers: 2,
      failures: 1,
      rejected: 1,
      inputTokens: 200,
      outputTokens: 40,
      cachedInputTokens: 0,
      cost: 0.02,
    },
    errors: [
      { code: 'EXIT_NONZERO', count: 1 },
      { code: 'FILE_NOT_FOUND', count: 1 },
      { code: 'FILE_TOO_LARGE', count: 1 },
      { code: 'INVALID_ACTION', count: 1 },
      { code: 'NETWORK_ERROR', count: 1 },
    ],
    resumed: 1,
  });
  expect(formatRunSummary(summariseRun(events))).toBe(formatRunSummary(summary));
  const again = parseRunSummary(formatRunSummary(summary), 'run.json');
  expect(formatRunSummary(again)).toBe(formatRunSummary(summary));
  for (const text of ['', '[]', '{"formatVersion":1}', formatRunSummary(summary).replace('"open"', '1').slice(1)]) {
    expect(() => parseRunSummary(text, 'run.json')).toThrow(
      expect.toSatisfy((error) => SkillsError.is(error, 'INVALID_RECORD')),
    );
  }
});

test('a run is working until its request is answered, and open until it is finished', () => {
  const statusAt = (length: number) => summariseRun(events.slice(0, length)).status;
  expect([statusAt(1), statusAt(2), statusAt(events.length - 2), statusAt(events.length - 1)]).toStrictEqual([
    'open',
    'working',
    'working',
    'open',
  ]);
});

test('final.md has every request and its answer, and says where one is missing or not complete', () => {
  expect(renderFinal(events)).toBe('# Run r1\n\n> /pdf What does a.pdf say?\n\nIt says hello.\n');
  const more = sealSteps([
    ...everyStep.slice(0, -1),
    { type: 'request_received', request: { text: 'And\nb.pdf?\u202E' } },
    { type: 'request_answered', stop: 'max_turns', degraded: true, answer: 'I read half of it.' },
    { type: 'request_received', request: { text: 'c?' } },
  ]);
  expect(renderFinal(more)).toBe(
    [
      '# Run r1',
      '> /pdf What does a.pdf say?',
      'It says hello.',
      '> And\n> b.pdf?<U+202E>',
      '*Not complete: the run stopped with max_turns.*',
      'I read half of it.',
      '> c?',
      '*There is no answer yet.*\n',
    ].join('\n\n'),
  );
});
