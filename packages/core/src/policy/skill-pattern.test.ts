import { expect, test } from 'vitest';
import { couldBeUsed } from './could-be-used.js';
import { judgeToolUse } from './judge-tool-use.js';
import type { ToolRules } from './permissions.js';
import type { PolicySkill, ToolUse } from './tool-use.js';

const mine: PolicySkill = {
  name: 'pdf',
  location: '/home/me/skills/pdf',
  pack: undefined,
  scope: 'user',
  allowedTools: undefined,
};
const packed: PolicySkill = { ...mine, location: '/work/skills/pdf', pack: 'acme/pdf', scope: 'project' };

function script(onBehalfOf: PolicySkill | undefined): ToolUse {
  return {
    action: 'run_script',
    tool: 'run_script',
    risk: 'medium',
    input: {},
    runsCode: true,
    confined: true,
    script: { path: 'scripts/a.py', folder: '/skills/pdf', args: [] },
    onBehalfOf,
  };
}

function brought(onBehalfOf: PolicySkill | undefined): ToolUse {
  const use = { action: 'call_tool', tool: 'deploy', risk: 'medium', input: {}, runsCode: false } as const;
  return { ...use, confined: false, onBehalfOf };
}

function judged(use: ToolUse, configured: ToolRules): string {
  return judgeToolUse(use, { permissions: { configured, allowedTools: 'ignore' }, skills: [] }).kind;
}

// A pattern, whose use it is, and what comes of it as the one rule that allows, that asks, and that denies.
test.each([
  ['skill:pdf', mine, 'allow', 'ask', 'refuse'],
  ['skill:pdf', packed, 'refuse', 'ask', 'refuse'],
  ['skill:pdf', { ...mine, scope: 'other' }, 'refuse', 'ask', 'refuse'],
  ['skill:pdf', { ...mine, location: 'https://a.org/pdf' }, 'refuse', 'ask', 'refuse'],
  ['skill:pdf', { ...mine, name: 'docx' }, 'refuse', 'refuse', 'allow'],
  ['skill:PDF', mine, 'refuse', 'refuse', 'refuse'],
  ['skill:acme/pdf', packed, 'allow', 'ask', 'refuse'],
  ['skill:acme/pdf', { ...packed, name: 'other' }, 'allow', 'ask', 'refuse'],
  ['skill:acme/pdf', mine, 'refuse', 'refuse', 'allow'],
  ['skill:acme/pdf', { ...packed, pack: 'acme/pdf2' }, 'refuse', 'refuse', 'allow'],
  ['skill:acme/pdf', { ...packed, pack: 'Acme/PDF' }, 'refuse', 'refuse', 'refuse'],
  ['skill:acme/*', packed, 'allow', 'ask', 'refuse'],
  ['skill:acme/*', { ...packed, pack: 'acme2/pdf' }, 'refuse', 'refuse', 'allow'],
  ['skill:acme/*', mine, 'refuse', 'refuse', 'allow'],
  ['skill:pdf', undefined, 'refuse', 'refuse', 'refuse'],
] as const)('a rule means what is done on behalf of %j, of %j', (pattern, skill, allowed, asked, denied) => {
  for (const use of [script(skill), brought(skill)]) {
    const rule = `${use.tool}(${pattern})`;
    expect(judged(use, { allow: [rule], ask: [] })).toBe(allowed);
    expect(judged(use, { allow: [], ask: [rule] })).toBe(asked);
    expect(judged(use, { allow: ['*'], ask: [], deny: [rule] })).toBe(denied);
    if (allowed === 'allow')
      expect(couldBeUsed(use, { permissions: { configured: { allow: [rule] } }, skills: [] })).toBe(true);
  }
});

test('a rule of one skill leaves the others, and what is done on behalf of none is asked where such a rule asks', () => {
  const rules = { allow: ['*'], ask: ['deploy(skill:acme/pdf)'] };
  expect(judged(brought(packed), rules)).toBe('ask');
  expect(judged(brought(mine), rules)).toBe('allow');
  expect(judged(brought(undefined), rules)).toBe('ask');
});

test('what --approve calls the scripts of a skill cannot be read as a rule: where it is to deny, it denies every script', () => {
  expect(judged(script(mine), { allow: ['*'], ask: [], deny: ['run_script(pdf)'] })).toBe('refuse');
  expect(judged(script(mine), { allow: ['run_script(pdf)'], ask: [] })).toBe('refuse');
});

test('a skill that lists a skill has listed nothing: it speaks for itself alone', () => {
  const lists = { ...mine, allowedTools: ['run_script(skill:pdf)', 'deploy(skill:pdf)'] };
  for (const use of [script(lists), brought(lists)]) {
    for (const [mode, kind] of [
      ['restrict', 'refuse'],
      ['grant', 'ask'],
    ] as const) {
      expect(judgeToolUse(use, { permissions: { allowedTools: mode }, skills: [] }).kind).toBe(kind);
    }
  }
});
