import { expect, test } from 'vitest';
import { describeUsage } from './describe-usage.js';

const nothing = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, cost: 0 };

test('what a model took is told in tokens, and in dollars where a price is known', () => {
  expect(describeUsage({ inputTokens: 1240, outputTokens: 210, cachedInputTokens: 800, cost: 0.00412 })).toBe(
    '1,240 tokens in (800 cached), 210 out, $0.0041',
  );
  expect(describeUsage({ ...nothing, inputTokens: 12, outputTokens: 3 })).toBe('12 tokens in, 3 out');
  expect(describeUsage(nothing)).toBeUndefined();
});

test.each([
  [12.345, '$12.35'],
  [1, '$1.00'],
  [0.5, '$0.50'],
  [0.0999, '$0.100'],
  [0.000_000_42, '$0.00000042'],
  [0.000_000_000_1, '$0.00000000'],
])('%d dollars are told as %s', (cost, told) => {
  expect(describeUsage({ ...nothing, inputTokens: 1, cost })).toBe(`1 token in, 0 out, ${told}`);
});
