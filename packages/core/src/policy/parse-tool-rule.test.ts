import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitAllowedTools } from '../skill/allowed-tools.js';
import { parseToolRule } from './parse-tool-rule.js';

test.each([
  ['*', { kind: 'all' }],
  [' * ', { kind: 'all' }],
  ['risk:low', { kind: 'risk', risk: 'low' }],
  ['risk:medium', { kind: 'risk', risk: 'medium' }],
  ['risk:high', { kind: 'risk', risk: 'high' }],
  ['Read', { kind: 'tool', name: 'Read', pattern: undefined }],
  ['read_file', { kind: 'tool', name: 'read_file', pattern: undefined }],
  ['my-own_tool2', { kind: 'tool', name: 'my-own_tool2', pattern: undefined }],
  ['Bash(*)', { kind: 'tool', name: 'Bash', pattern: undefined }],
  ['WebFetch( * )', { kind: 'tool', name: 'WebFetch', pattern: undefined }],
  ['my_tool(*)', { kind: 'tool', name: 'my_tool', pattern: undefined }],
  ['mcp__github', { kind: 'server', prefix: 'mcp__github__' }],
  ['mcp__github__*', { kind: 'server', prefix: 'mcp__github__' }],
  ['mcp__my__server__*', { kind: 'server', prefix: 'mcp__my__server__' }],
  ['mcp__github__get_issue', { kind: 'tool', name: 'mcp__github__get_issue', pattern: undefined }],
])('SPEC-05: a rule names tools, a class of risk or a server: %j', (text, rule) => {
  expect(parseToolRule(text)).toEqual(rule);
});

test.each([
  ['Bash(git:*)', 'Bash', { kind: 'command', command: { words: ['git'], end: 'words' } }],
  ['Bash(git *)', 'Bash', { kind: 'command', command: { words: ['git'], end: 'words' } }],
  ['Shell(npm test)', 'Shell', { kind: 'command', command: { words: ['npm', 'test'], end: 'nothing' } }],
  ['run_command(ls)', 'run_command', { kind: 'command' }],
  ['run_script(scripts/x.py:*)', 'run_script', { kind: 'command' }],
  ['Read(src/**)', 'Read', { kind: 'path', glob: { absolute: false } }],
  ['Edit(//srv/**)', 'Edit', { kind: 'path', glob: { absolute: true } }],
  ['grep(docs/)', 'grep', { kind: 'path' }],
  ['WebFetch(domain:example.com)', 'WebFetch', { kind: 'domain', domain: { host: 'example.com', below: false } }],
  [
    'http_request(domain:*.Example.com)',
    'http_request',
    { kind: 'domain', domain: { host: 'example.com', below: true } },
  ],
  ['run_script(skill:pdf)', 'run_script', { kind: 'skill', skill: { kind: 'name', name: 'pdf' } }],
  ['run_script(skill:acme/pdf)', 'run_script', { kind: 'skill', skill: { kind: 'pack', pack: 'acme/pdf' } }],
  ['deploy(skill:acme/*)', 'deploy', { kind: 'skill', skill: { kind: 'organisation', prefix: 'acme/' } }],
  ['read_file( skill:pdf )', 'read_file', { kind: 'skill', skill: { kind: 'name', name: 'pdf' } }],
  ['Bash(skill:*)', 'Bash', { kind: 'command', command: { words: ['skill'], end: 'words' } }],
])('SPEC-05: behind a name, in parentheses, stands what its input has to be like: %j', (text, name, pattern) => {
  expect(parseToolRule(text)).toMatchObject({ kind: 'tool', name, pattern });
});

test.each([
  ['', undefined, 'It begins with the name of a tool'],
  ['a b', undefined, 'It begins with the name of a tool'],
  ['Read, Write', undefined, 'It begins with the name of a tool'],
  ['Bash (git:*)', undefined, 'It begins with the name of a tool'],
  ['(git:*)', undefined, 'It begins with the name of a tool'],
  ['Bash(git:*', undefined, 'It begins with the name of a tool'],
  ['Bash(git:*)x', undefined, 'It begins with the name of a tool'],
  ['read_*', undefined, 'It begins with the name of a tool'],
  ['mcp__*', undefined, 'A * stands for all tools of one server alone, as in mcp__github__*'],
  ['mcp__github__get_*', undefined, 'A * stands for all tools of one server alone, as in mcp__github__*'],
  ['Bäsh', undefined, 'It begins with the name of a tool'],
  ['Read\u200B', undefined, 'It begins with the name of a tool'],
  ['risk:huge', undefined, 'A risk is low, medium or high.'],
  ['risk:', undefined, 'A risk is low, medium or high.'],
  ['x'.repeat(1_001), undefined, 'It is longer than 1000 characters.'],
  [
    'run_script(pdf)',
    'run_script',
    'write run_script(skill:pdf) for the scripts of that skill, or run_script(./pdf:*)',
  ],
  ['run_script( pdf@1a2b )', 'run_script', 'write run_script(skill:pdf@1a2b) for'],
  ['run_script(skill:*)', 'run_script', 'Behind skill: stands pdf for a skill, org/pdf for a pack or org/* for an'],
  ['run_script(skill:)', 'run_script', 'Behind skill: stands pdf'],
  ['run_script(skill: pdf)', 'run_script', 'Behind skill: stands pdf'],
  ['run_script(skill:a/b/c)', 'run_script', 'Behind skill: stands pdf'],
  ['run_script(skill:a/b*)', 'run_script', 'Behind skill: stands pdf'],
  ['run_script(skill:*/b)', 'run_script', 'Behind skill: stands pdf'],
  ['Bash(skill:pdf)', 'Bash', 'Commands are of no skill; its scripts are run_script(skill:pdf).'],
  ['run_command(skill:acme/*)', 'run_command', 'Commands are of no skill'],
  ['Bash()', 'Bash', 'Its parentheses are empty'],
  ['my_tool(a)', 'my_tool', 'Nothing is known of the input of “my_tool”: write its name alone.'],
  ['bash(git:*)', 'bash', 'Nothing is known of the input of “bash”: write its name alone, or Bash if you mean that.'],
  ['mcp__a(c)', 'mcp__a', 'Nothing is known of the input of “mcp__a”: write its name alone.'],
  ['mcp__a__b(c)', 'mcp__a__b', 'Nothing is known of the input of “mcp__a__b”: write its name alone.'],
  ['Bash(git\u200B:*)', 'Bash', 'It holds a character that nobody can see.'],
  ['Bash(git status && rm x)', 'Bash', 'It is one command in plain words, as a program gets them: without &.'],
  ['Bash(git:*, rm:*)', 'Bash', ':* counts at the end alone'],
  ['Read(~/x)', 'Read', 'What ~ stands for is not known here'],
  ['WebFetch(example.com)', 'WebFetch', 'In the parentheses stands domain:'],
  ['WebFetch(domain:https://a.b)', 'WebFetch', 'A domain is a host alone'],
])('SPEC-05: a rule that cannot be read says what is wrong: %j', (text, name, problem) => {
  expect(parseToolRule(text)).toEqual({
    kind: 'unreadable',
    problem: expect.stringContaining(problem),
    ...(name && { name }),
  });
});

const shaped = fc.string({
  unit: fc.constantFrom(
    'Bash',
    'Read',
    'WebFetch',
    'mcp__',
    'a',
    '(',
    ')',
    '*',
    ':*',
    '/',
    '[',
    ']',
    ' ',
    'domain:',
    'risk:',
    '..',
    '{baseDir}',
    '\u200B',
    '"',
  ),
  maxLength: 30,
});

test('SPEC-05: whatever text a skill has, reading a rule of it never throws, and a rule is a name, a risk or all', () => {
  fc.assert(
    fc.property(fc.oneof(shaped, fc.string({ unit: 'binary', maxLength: 60 })), (text) => {
      const rule = parseToolRule(text);
      if (rule.kind === 'all') expect(text.trim()).toBe('*');
      if (rule.kind === 'unreadable') expect(rule.problem).toMatch(/\.$/u);
      if (rule.kind === 'tool') expect(text).toContain(rule.name);
    }),
    { numRuns: 5_000 },
  );
});

test('SPEC-05: rules joined by blanks or commas come apart as they were', () => {
  const rule = fc.constantFrom(
    'Bash(git:*)',
    'Bash(git add:*)',
    'Read(src/**)',
    'Read',
    'mcp__a__*',
    'WebFetch(domain:a.org)',
  );
  fc.assert(
    fc.property(fc.uniqueArray(rule, { minLength: 1 }), fc.constantFrom(' ', ', ', ','), (rules, separator) => {
      const { tools } = splitAllowedTools(rules.join(separator));
      expect(tools.map(parseToolRule)).toEqual(rules.map(parseToolRule));
      expect(tools.map((tool) => parseToolRule(tool).kind)).not.toContain('unreadable');
    }),
  );
});

test.each(['(', '(('.repeat(50), 'Bash(', '*', '[', '{baseDir}'])(
  'a rule of 1,000 characters of %j is read',
  (piece) => {
    const text = `Read(${piece.repeat(1_000)}`.slice(0, 999);
    expect(['tool', 'unreadable']).toContain(parseToolRule(`${text})`).kind);
  },
);
