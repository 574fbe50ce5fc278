import { SkillsError } from '@skillpack/core';
import { expect, test } from 'vitest';
import { exitCodeOf } from './exit-code.js';
import { reportError } from './render-error.js';
import { createStyle } from './style.js';

const plain = createStyle(false);

test('an error is one line with its code, and a line with the next step', () => {
  const error = new SkillsError('PACK_NOT_FOUND', 'There is no org/pdf.', {
    hint: 'Look again.',
    data: { name: 'org/pdf' },
  });
  const report = reportError(error, false);
  expect(report.text(plain)).toBe('error[PACK_NOT_FOUND]: There is no org/pdf.\nhint: Look again.\n');
  expect(report.json).toEqual({
    code: 'PACK_NOT_FOUND',
    message: 'There is no org/pdf.',
    hint: 'Look again.',
    data: { name: 'org/pdf' },
  });
});

test('what nobody foresaw is a defect: exit code 70, how to report it, and the stack only when asked for', () => {
  const error = new TypeError('x is\u001B[2J not a function', { cause: new Error('the reason') });
  expect(exitCodeOf(error)).toBe(70);
  const quiet = reportError(error, false).text(plain);
  expect(quiet).toMatch(/^error\[INTERNAL\]: x is<U\+001B>\[2J not a function\nhint: This is a defect of skillpack\./u);
  expect(quiet.trimEnd().split('\n')).toHaveLength(2);
  const told = reportError(error, true).text(plain);
  expect(told).toContain('render-error.test.ts');
  expect(told).toContain('caused by Error: the reason');
  expect(told).not.toContain('\u001B');
});

test('something thrown that is no error is told too', () => {
  expect(reportError('just text', true).text(plain)).toContain('error[INTERNAL]: just text');
  expect(exitCodeOf(undefined)).toBe(70);
});
