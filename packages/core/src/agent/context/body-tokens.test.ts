import { expect, test } from 'vitest';
import { bodyTokens } from './body-tokens.js';
import { fittingLength } from './fitting-length.js';

test('a body takes a quarter of the window, at least 256 tokens and at most 8,000', () => {
  expect([0, 1_000, 1_028, 1_031, 31_999, 32_000, 200_000].map(bodyTokens)).toEqual([
    256, 256, 257, 257, 7_999, 8_000, 8_000,
  ]);
});

test('an observation takes a character for two tokens of the window, at least 1,000, and at most what a large one gets', () => {
  const lengths = [0, 1_999, 2_002, 2_003, 100_000].map((tokens) => fittingLength(tokens, 6_000));
  expect(lengths).toEqual([1_000, 1_000, 1_001, 1_001, 6_000]);
});
