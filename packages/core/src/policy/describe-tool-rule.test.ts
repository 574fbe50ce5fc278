import { expect, test } from 'vitest';
import { describeToolRule } from './describe-tool-rule.js';

test.each([
  ['*', { kind: 'all' }],
  ['risk:high', { kind: 'risk', risk: 'high' }],
  ['Bash', { kind: 'tool', name: 'Bash', uses: 'all' }],
  ['Bash(*)', { kind: 'tool', name: 'Bash', uses: 'all' }],
  ['Bash(git:*)', { kind: 'tool', name: 'Bash', uses: 'some' }],
  ['mcp__one__*', { kind: 'server', prefix: 'mcp__one__' }],
  ['risk:none', { kind: 'unreadable', problem: 'A risk is low, medium or high.' }],
  ['Bash()', { kind: 'unreadable', problem: 'Its parentheses are empty; write the name alone for every use.' }],
])('what the rule %s is about is told', (text, described) => {
  expect(describeToolRule(text)).toEqual(described);
});
