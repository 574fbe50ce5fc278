import { SkillsError } from '@skillpack/core';
import { describe, expect, test } from 'vitest';
import {
  compareResults,
  formatReport,
  parseReport,
  renderReportText,
  scoreResults,
  type EvalThresholds,
} from '../src/index.js';
import { makeResult, makeTask, makeTrigger, times } from './score-data.js';

const title = 'documents';

/** The code that something is refused with. */
function refusal(act: () => unknown): string {
  try {
    act();
    return 'done';
  } catch (error) {
    return SkillsError.is(error) ? error.code : String(error);
  }
}

describe('names and texts that are no whole characters', () => {
  const half = '\uD83D';

  test('half a surrogate pair in any name is compared as any other name', () => {
    const results = [
      makeTrigger(half, { skills: [half], not: [`${half}b`] }, [half], { suite: half, model: half, input: half }),
    ];
    const failing = [
      makeTrigger(half, { skills: [half], not: [`${half}b`] }, [], { suite: half, model: half, input: half }),
    ];
    expect(compareResults(results, failing).changes).toHaveLength(1);
    // Another half is another name.
    const other = [
      makeTrigger(half, { skills: ['\uD83E'], not: [`${half}b`] }, [], { suite: half, model: half, input: half }),
    ];
    expect(compareResults(results, other).onlyHere).toEqual([`${half}/${half}`]);
  });

  test('a report that has to shorten a text is read as it was written', () => {
    for (const before of [280, 281, 282, 283, 284, 285, 286]) {
      const evidence = `${'x'.repeat(before - 30)}${'😀'.repeat(60)}`;
      const checks = [{ kind: 'output', text: 'the answer', verdict: 'failed', evidence }] as const;
      const after = [makeResult({ outcome: 'failed', checks })];
      const report = scoreResults(after, { title, baseline: [makeResult()] });
      expect(report.comparison?.changes[0]?.why?.isWellFormed()).toBe(true);
      expect(parseReport(formatReport(report), { fileName: 'report.json' })).toEqual(report);
    }
  });
});

describe('what is the same question', () => {
  test('the order of skills that are wanted, or not, changes nothing', () => {
    const before = makeTrigger('one', { skills: ['pdf', 'docx'], not: ['a', 'b'] }, ['pdf']);
    const after = makeTrigger('one', { skills: ['docx', 'pdf'], not: ['b', 'a'] }, ['pdf']);
    expect(compareResults([before], [after]).onlyHere).toEqual([]);
    const all = makeTrigger('one', { skills: ['docx', 'pdf'], all: true, not: ['b', 'a'] }, ['pdf']);
    expect(compareResults([before], [all]).onlyHere).toEqual(['documents/one']);
    const moved = makeTrigger('one', { skills: ['docx', 'pdf', 'a'], not: ['b'] }, ['pdf']);
    expect(compareResults([before], [moved]).onlyHere).toEqual(['documents/one']);
  });

  test('a case that was a trigger and is a task now is another one', () => {
    const [task] = makeTask('one', 1, 0);
    const trigger = makeResult({ ...task!, kind: 'trigger' });
    expect(compareResults([task!], [trigger]).onlyHere).toEqual(['documents/one']);
  });
});

describe('PSA-35: thresholds', () => {
  const names = ['minPrecision', 'minRecall', 'minSpecificity', 'minF1'] as const;

  test('PSA-35: of triggers are not held where no case says what skills it wants', () => {
    for (const name of names) {
      const thresholds: EvalThresholds = { [name]: 0.1 };
      expect(scoreResults(makeTask('a', 2, 0), { title, thresholds }).verdict).toEqual({
        kind: 'failed',
        reasons: [
          `${{ minPrecision: 'Precision', minRecall: 'Recall', minSpecificity: 'Specificity', minF1: 'F1' }[name]} with scripted:a is undefined, since there was nothing to count; at least 10.0 % was to be.`,
        ],
      });
      // Where the skills are not there, nothing says how well they are chosen.
      const without = makeTask('a', 2, 0, { arm: 'without_skill' });
      expect(scoreResults(without, { title, thresholds }).verdict.kind).toBe('failed');
    }
  });

  test('PSA-35: that are just missed are told with as many places as show it', () => {
    const triggers = times(1_000, (number) =>
      makeTrigger(`wants-${number}`, { skills: ['pdf'] }, number <= 899 ? ['pdf'] : []),
    );
    expect(scoreResults(triggers, { title, thresholds: { minRecall: 0.8991 } }).verdict.reasons).toEqual([
      'Recall with scripted:a is 89.90 %; at least 89.91 % was to be.',
    ]);
    expect(scoreResults(triggers, { title, thresholds: { minRecall: 0.9 } }).verdict.reasons).toEqual([
      'Recall with scripted:a is 89.9 %; at least 90.0 % was to be.',
    ]);
  });

  test('that are no numbers are refused, as JavaScript may hand them in', () => {
    for (const wrong of ['0.9', true, null, [0.9], Number.NaN, Infinity, -0.1]) {
      expect(refusal(() => scoreResults([], { title, thresholds: { minRecall: wrong } as never }))).toBe('USAGE');
    }
    for (const name of ['alpha', 'power', 'margin'])
      for (const wrong of ['0.05', [0.05], null, { valueOf: () => 0.05 }])
        expect(refusal(() => compareResults([], [], { [name]: wrong }))).toBe('USAGE');
    for (const wrong of [undefined, null, 5, {}])
      expect(refusal(() => scoreResults([], { title: wrong } as never))).toBe('USAGE');
    for (const wrong of ['1', -1, 0.5, Number.NaN])
      expect(refusal(() => scoreResults([], { title, reused: wrong } as never))).toBe('USAGE');
  });
});

test('a report of very many models is told as text', () => {
  const [score] = scoreResults([makeTrigger('one', { skills: ['pdf'] }, ['pdf'])], { title }).triggers;
  const report = scoreResults([makeResult()], { title });
  const many = { ...report, triggers: times(200_000, () => score!) };
  expect(renderReportText(many).length).toBeGreaterThan(200_000);
});

test('PSA-35: a skill that is told twice of one trial counts once in the matrix', () => {
  const [score] = scoreResults([makeTrigger('one', { skills: ['pdf', 'pdf'] }, ['docx', 'docx', 'pdf', 'pdf'])], {
    title,
  }).triggers;
  expect(score?.confusion).toEqual([
    { wanted: 'pdf', fired: 'docx', count: 1, allowed: 1 },
    { wanted: 'pdf', fired: 'pdf', count: 1 },
  ]);
  const all = makeTrigger('one', { skills: ['pdf', 'pdf'], all: true }, []);
  expect(scoreResults([all], { title }).triggers[0]?.confusion).toEqual([{ wanted: 'pdf', fired: null, count: 1 }]);
});
