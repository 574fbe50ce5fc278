import { expect, test } from 'vitest';
import { allowedToolsMode, defaultAllowedToolsMode, type SkillOrigin } from './allowed-tools-mode.js';
import { judgeToolUse } from './judge-tool-use.js';
import type { AllowedToolsMode } from './permissions.js';
import type { PolicySkill, ToolUse } from './tool-use.js';

const own: PolicySkill = {
  name: 'pdf',
  location: '/home/me/.agents/skills/pdf',
  pack: undefined,
  scope: 'user',
  allowedTools: ['Bash(scripts/x.py:*)'],
};
const packed: PolicySkill = { ...own, location: '/work/.agents/skills/pdf', pack: 'acme/pdf', scope: 'project' };

test.each([
  ['a skill of the person', {}, 'grant'],
  ['a skill of the project itself', { scope: 'project', location: '/work/.agents/skills/pdf' }, 'grant'],
  ['on Windows, too', { location: 'C:\\Users\\me\\skills\\pdf' }, 'grant'],
  ['a builtin skill', { scope: 'builtin', location: '/usr/lib/skillpack/pdf' }, 'ignore'],
  ['one that is part of the program', { scope: 'builtin', location: 'memory:/pdf' }, 'ignore'],
  ['one that a pack brought into the project', { scope: 'project', pack: 'acme/pdf' }, 'restrict'],
  ['one that a pack brought to the person', { pack: 'acme/pdf' }, 'restrict'],
  ['one that a pack brought among the builtin ones', { scope: 'builtin', pack: 'acme/pdf' }, 'restrict'],
  ['one of any other root', { scope: 'other' }, 'restrict'],
  ['one of a server', { location: 'https://skills.example.com/pdf' }, 'restrict'],
  [
    'one of a server that calls itself builtin',
    { scope: 'builtin', location: 'https://skills.example.com/pdf' },
    'restrict',
  ],
  ['one of a share of the network', { location: '\\\\server\\skills\\pdf' }, 'restrict'],
  ['one of a place that nobody knows', { location: 'rows:/pdf' }, 'restrict'],
  ['one without a place', { location: '' }, 'restrict'],
] as const satisfies readonly (readonly [string, Partial<SkillOrigin>, AllowedToolsMode])[])(
  'AGIO-16: where nobody says how the allowed tools of a skill count, its source does: %s',
  (_, origin, mode) => {
    expect(defaultAllowedToolsMode({ ...own, ...origin })).toBe(mode);
    expect(allowedToolsMode({ ...own, ...origin }, {})).toBe(mode);
  },
);

test.each(['grant', 'restrict', 'ignore'] as const)('AGIO-16: %s can be the mode of all skills', (mode) => {
  expect(allowedToolsMode(own, { allowedTools: mode })).toBe(mode);
  expect(allowedToolsMode(packed, { allowedTools: mode })).toBe(mode);
});

test.each([
  ['the pack', packed, { 'acme/pdf': 'grant' }, 'grant'],
  ['its organisation', packed, { 'acme/*': 'ignore' }, 'ignore'],
  ['the pack before its organisation', packed, { 'acme/*': 'restrict', 'acme/pdf': 'grant' }, 'grant'],
  ['another pack', packed, { 'acme/docx': 'grant', 'other/*': 'grant' }, 'restrict'],
  ['an own skill by its name', own, { pdf: 'ignore' }, 'ignore'],
  ['an own skill by its name', own, { pdf: 'restrict' }, 'restrict'],
  ['another skill', own, { docx: 'restrict' }, 'grant'],
  ['a skill of a pack by its name, to restrict it', packed, { pdf: 'restrict', 'acme/pdf': 'grant' }, 'restrict'],
  ['a skill of a pack by its name, in vain, for any pack can bring that name', packed, { pdf: 'grant' }, 'restrict'],
  ['a skill of a pack by its name, in vain', packed, { pdf: 'ignore' }, 'restrict'],
  ['a skill of a server by its name, in vain', { ...own, location: 'https://a.org/pdf' }, { pdf: 'grant' }, 'restrict'],
  ['a skill with the name of something in every object', { ...own, name: 'constructor' }, {}, 'grant'],
  ['a pack without an organisation', { ...packed, pack: 'pdf' }, { '/*': 'grant' }, 'restrict'],
] as const satisfies readonly (readonly [
  string,
  PolicySkill,
  Readonly<Record<string, AllowedToolsMode>>,
  AllowedToolsMode,
])[])('AGIO-16: a mode can be set for %s', (_, skill, allowedTools, mode) => {
  expect(allowedToolsMode(skill, { allowedTools })).toBe(mode);
});

const script = { path: 'scripts/x.py', folder: own.location, args: ['a'] };
const use: ToolUse = {
  action: 'run_script',
  tool: 'run_script',
  risk: 'medium',
  input: {},
  runsCode: true,
  confined: true,
  script,
  onBehalfOf: own,
};

test('AGIO-16: granted tools need no yes, restricted ones are all there is, and ignored ones are neither', () => {
  const judge = (change: Partial<ToolUse>, allowedTools: AllowedToolsMode): string =>
    judgeToolUse({ ...use, ...change }, { permissions: { allowedTools }, skills: [own] }).kind;
  const unlisted = { script: { ...script, path: 'scripts/y.py' } };
  expect([judge({}, 'grant'), judge(unlisted, 'grant')]).toEqual(['allow', 'ask']);
  expect([judge({}, 'restrict'), judge(unlisted, 'restrict')]).toEqual(['ask', 'refuse']);
  expect([judge({}, 'ignore'), judge(unlisted, 'ignore')]).toEqual(['ask', 'ask']);
  expect(judge({ confined: false }, 'grant')).toBe('ask');
});
