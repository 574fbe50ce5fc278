import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, type Digest } from '@skillpack/core';
import { entryFor, judgeEntry, readApprovalEntries } from './approval-entry.js';
import { approvingCommand } from './approving-command.js';

const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 });
const names = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.string({ unit: 'grapheme', minLength: 1 }),
  fc.constant('a(b)@c,%28'),
);
const requests = fc.record({
  tool: fc.stringMatching(/^[a-z_]{1,20}$/u),
  skill: fc.option(fc.record({ name: names, location: fc.constant('/skills/a') }), { nil: undefined }),
  // Cast: it is one.
  digest: fc.option(
    hex.map((digits) => `sha256:${digits}` as Digest),
    { nil: undefined },
  ),
  input: fc.jsonValue(),
});

test('PSA-15: what a hint tells is a yes to what was asked, and in a list to each, whatever skills are called', () => {
  fc.assert(
    fc.property(fc.array(requests, { minLength: 1, maxLength: 4 }), (asked) => {
      const list = asked.map(entryFor).join(',');
      // What a terminal obeys, and what a list takes for its own, is written otherwise.
      expect(list).not.toMatch(/[\p{Cc}\s'"`$\\;]/u);
      const entries = readApprovalEntries(list);
      expect(entries).toHaveLength(asked.length);
      for (const [at, request] of asked.entries())
        expect(judgeEntry(entries[at]!, request)).toBe(request.skill ? 'yes' : 'yes, once');
    }),
  );
});

test('PSA-15: a yes for one content of one skill is none for another skill, tool or content', () => {
  fc.assert(
    fc.property(requests, requests, (one, other) => {
      const [entry] = readApprovalEntries(entryFor(one));
      const same =
        one.tool === other.tool &&
        (one.skill === undefined
          ? other.skill === undefined && canonicalJson(one.input) === canonicalJson(other.input)
          : one.skill.name.toWellFormed().normalize('NFC') === other.skill?.name.normalize('NFC') &&
            (one.digest === undefined || one.digest === other.digest));
      expect(judgeEntry(entry!, other).startsWith('yes')).toBe(same);
    }),
  );
});

test('PSA-15: the command that is told keeps what was approved before, and the newest content of a skill', () => {
  // Cast: it is one.
  const digest = `sha256:${'ab'.repeat(32)}` as Digest;
  const asked = { tool: 'run_script', skill: { name: 'pdf', location: '/skills/pdf' }, digest, input: {} };
  const now = `run_script(pdf@${'ab'.repeat(32)})`;
  for (const [before, after] of [
    [[], [now]],
    [['--approve', 'ask'], [now]],
    [['--approve=never'], [now]],
    [
      ['--approve', 'write_file'],
      ['write_file', now],
    ],
    [
      ['--approve', `run_script(pdf@${'cd'.repeat(6)}),run_script(table)`],
      ['run_script(table)', now],
    ],
    [['--approve', 'run_script(pdf)'], [now]],
  ] as const) {
    expect(approvingCommand(['runs', 'resume', 'r1', ...before, '--', '--approve'], asked)).toEqual([
      'skills',
      'runs',
      'resume',
      'r1',
      '--approve',
      after.join(','),
      '--',
      '--approve',
    ]);
  }
});

test('PSA-15: a yes to one use of a tool is none to another one, however its input is ordered', () => {
  const asked = { tool: 'write_file', skill: undefined, input: { path: 'a.txt', content: 'x' } };
  const [entry] = readApprovalEntries(entryFor(asked));
  expect(judgeEntry(entry!, { ...asked, input: { content: 'x', path: 'a.txt' } })).toBe('yes, once');
  expect(judgeEntry(entry!, { ...asked, input: { path: 'b.txt', content: 'x' } })).toBe('no');
  expect(judgeEntry(entry!, { ...asked, tool: 'edit_file' })).toBe('no');
  expect(judgeEntry(entry!, { ...asked, skill: { name: 'pdf', location: '/skills/pdf' } })).toBe('no');
  const before = `write_file(@${'ab'.repeat(6)}),${entryFor(asked)}`;
  expect(approvingCommand(['run', '--approve', before], asked).at(-1)).toBe(
    `write_file(@${'ab'.repeat(6)}),${entryFor(asked)}`,
  );
});
