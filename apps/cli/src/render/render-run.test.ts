import { expect, test } from 'vitest';
import type { RunLine } from '../agent/describe-run.js';
import { createStyle } from '../frame/style.js';
import { renderRun, type ShownRun } from './render-run.js';

const none = { turns: 0, toolCalls: 0, scripts: 0, tokens: 0, cost: 0, wallTime: 0, consecutiveFailures: 0 };
const usage = { answers: 0, failures: 0, rejected: 0, inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, cost: 0 };

/** The lines of a run with these in its middle. */
function shown(
  lines: readonly RunLine[],
  goOn: ShownRun['goOn'] = null,
  approvals: readonly string[] = [],
  terms: ShownRun['terms'] = { confinement: null, leaves: null, permissions: null },
  wanted?: string,
): readonly string[] {
  // Nothing here looks at it.
  const digest = `sha256:${'0'.repeat(64)}` as ShownRun['summary']['hash'];
  const at = '2026-11-22T08:00:00.000Z';
  const lists = { requests: [], skills: [], resources: [], tools: [], scripts: [], approvals: [], errors: [] };
  const text = renderRun(
    {
      summary: {
        ...lists,
        formatVersion: 1,
        id: 'r1',
        status: 'finished',
        model: 'test:one',
        project: undefined,
        started: at,
        ended: at,
        events: 1,
        hash: digest,
        indexHash: undefined,
        plan: undefined,
        limits: none,
        spent: none,
        usage,
        resumed: 0,
      },
      goOn,
      torn: false,
      folder: '/runs/r1',
      terms,
      story: { lines, approvals, wanted },
    },
    createStyle(false),
  );
  return text.split('\n');
}

test('what a request or an answer says looks like no other line', () => {
  const forged = 'Yes.\n  run a.sh … ok\n> Another request\n\nskills     none\napprovals  none';
  const lines = shown([
    { kind: 'request', text: forged, note: '' },
    { kind: 'step', text: 'read greet … ok', depth: 1 },
    { kind: 'answer', text: forged, note: '' },
  ]);
  const facts = lines.lastIndexOf('');
  expect(lines.slice(2, facts)).toEqual([
    ...forged.split('\n').map((line) => `> ${line}`),
    '    read greet … ok',
    ...forged.split('\n').map((line) => `< ${line}`),
  ]);
  expect(lines.slice(facts + 1).map((line) => line.split(' ')[0])).toEqual(['skills', 'approvals', 'budget', 'record']);
});

test('an answer that the agent did not come to itself, and a question, say so', () => {
  expect(shown([{ kind: 'answer', text: 'Not all.', note: 'max_turns' }])).toContain('  not finished: max_turns');
  expect(shown([{ kind: 'answer', text: 'Which?', note: 'question' }]).slice(2, 4)).toEqual(['  it asks', '< Which?']);
});

test('of very many approvals the first are named, and how many more there are', () => {
  const lines = shown(
    [],
    null,
    Array.from({ length: 23 }, (_, index) => `script ${index}: approved`),
  );
  const at = lines.findIndex((line) => line.startsWith('approvals'));
  expect(lines.slice(at, at + 22)).toEqual([
    'approvals  script 0: approved',
    ...Array.from({ length: 19 }, (_, index) => `           script ${index + 1}: approved`),
    '           and 3 more',
    'budget     0 turns (at most 0 a request), 0 actions (at most 0 a request), 0 scripts (at most 0 a request), 0 tokens',
  ]);
});

test('a run that goes on says with which command', () => {
  const command = 'skills runs resume r1';
  for (const state of ['cut off', 'it waits for an answer']) {
    expect(shown([], { state, command }).slice(0, 2)).toEqual([
      `r1  ${state}, test:one, 0.0 s`,
      `To go on: ${command}`,
    ]);
  }
});

test('a run that waits for a yes says by what it is given', () => {
  const goOn = { state: 'it waits for a yes', command: 'skills runs resume r1' };
  expect(shown([], goOn, [], undefined, 'run_script(pdf@1a2b)')[2]).toBe(
    "It asks for the yes at a terminal; to say it beforehand, add: --approve 'run_script(pdf@1a2b)'",
  );
  expect(shown([], null, [], undefined, 'run_script(pdf@1a2b)').join('\n')).not.toContain('--approve');
});

test('PSA-13: what was allowed, and what confined scripts or did not, is shown with what they could do', () => {
  const facts = (terms: ShownRun['terms']): readonly string[] =>
    shown([], null, [], terms).filter((line) => /^(?:permissions|sandbox) /u.test(line));
  const configured = { allow: ['risk:low'], ask: ['risk:medium', 'write_file'], deny: [] };
  const leaves = ['reach hosts by TCP', 'fill the disk'];
  expect(facts({ confinement: null, leaves, permissions: { configured } })).toEqual([
    'permissions  allow risk:low; ask risk:medium, write_file',
    'sandbox      none: a script could reach hosts by TCP, fill the disk',
  ]);
  const run = { allow: ['read_file'], deny: ['grep'] };
  expect(facts({ confinement: 'bubblewrap', leaves: [], permissions: { run, allowedTools: 'restrict' } })).toEqual([
    'permissions  in this run at most: allow read_file; deny grep; allowed-tools of skills: restrict',
    'sandbox      bubblewrap',
  ]);
  const allowedTools = { pdf: 'grant', 'acme/*': 'ignore' } as const;
  expect(facts({ confinement: 'bubblewrap', leaves, permissions: { configured, allowedTools } })).toEqual([
    'permissions  allow risk:low; ask risk:medium, write_file; allowed-tools of skills: pdf grant, acme/* ignore',
    'sandbox      bubblewrap; a script could reach hosts by TCP, fill the disk all the same',
  ]);
  expect(facts({ confinement: null, leaves: null, permissions: null })).toEqual([]);
});
