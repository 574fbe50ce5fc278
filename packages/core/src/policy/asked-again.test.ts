import fc from 'fast-check';
import { expect, test } from 'vitest';
import { askedAgain } from './asked-again.js';
import { judgeToolUse } from './judge-tool-use.js';
import type { AllowedToolsMode, Permissions } from './permissions.js';
import type { PolicySkill, ToolUse } from './tool-use.js';

const rule = fc.constantFrom('*', ' * ', 'risk:low', 'risk:medium', 'risk:high', 'look', 'step', 'wipe', 'mcp__s');
const list = fc.option(fc.array(rule, { maxLength: 3 }), { nil: undefined });
const rules = fc.option(fc.record({ allow: list, ask: list, deny: list }), { nil: undefined });
const mode = fc.constantFrom<AllowedToolsMode>('grant', 'restrict', 'ignore');
const permissions: fc.Arbitrary<Permissions> = fc.record({
  configured: rules,
  run: rules,
  allowedTools: fc.option(fc.oneof(mode, fc.dictionary(fc.constantFrom('evil', 'own', 'org/*'), mode)), {
    nil: undefined,
  }),
});
const skill = (name: string, pack: string | undefined): PolicySkill => ({
  name,
  location: `/skills/${name}`,
  pack,
  scope: 'project',
  allowedTools: ['step'],
});

test('whatever somebody else wrote, it allows nothing but reading without a question, and refuses what it refused', () => {
  const evil = skill('evil', 'org/evil');
  fc.assert(
    fc.property(permissions, fc.constantFrom('look', 'step', 'wipe'), fc.boolean(), (given, tool, withSkill) => {
      const risk = tool === 'look' ? 'low' : tool === 'step' ? 'medium' : 'high';
      const use: ToolUse = { action: 'call_tool', tool, risk, input: {}, runsCode: false, confined: false };
      const skills = withSkill ? [evil] : [];
      const before = judgeToolUse(use, { permissions: given, skills });
      const after = judgeToolUse(use, { permissions: askedAgain(given), skills });
      if (before.kind === 'refuse') expect(after.kind).toBe('refuse');
      if (risk !== 'low') expect(after.kind).not.toBe('allow');
      if (withSkill && tool !== 'step') expect(after.kind).toBe('refuse');
    }),
    { numRuns: 2_000 },
  );
});

test('of the ways in which lists of skills count, those that loosen are left out, and those that ignore are stricter', () => {
  const allowedTools = { own: 'grant', evil: 'ignore', 'org/*': 'restrict' } as const;
  expect(askedAgain({ allowedTools }).allowedTools).toEqual({ evil: 'restrict', 'org/*': 'restrict' });
  expect((['grant', 'ignore', 'restrict'] as const).map((one) => askedAgain({ allowedTools: one }))).toEqual(
    [undefined, 'restrict', 'restrict'].map((one) => ({ configured: undefined, run: undefined, allowedTools: one })),
  );
});
