import { expect, test } from 'vitest';
import { judgeToolUse, type Judgement } from './judge-tool-use.js';

function judged(command: string, ...patterns: readonly string[]): Judgement {
  return judgeToolUse(
    { action: 'call_tool', tool: 'run_command', risk: 'high', runsCode: true, confined: false, input: { command } },
    { permissions: { configured: { allow: patterns.map((pattern) => `Bash(${pattern})`) } }, skills: [] },
  );
}

test.each([
  ['cd docs && python3 scripts/x.py', 'python3 scripts/x.py:*'],
  ['cd docs && npm test', 'npm test'],
  ['cd docs; ./build.sh', './build.sh:*'],
  ['cd docs; ./build.sh', './*'],
  ['cd docs\ncat a.md', 'cat a.md'],
  // A folder can hold settings by which git starts what they name.
  ['cd docs && git status', 'git:*'],
  ['cd docs && make', 'make:*'],
  ['(cd docs; npm test)', 'npm test'],
  ["bash -c 'cd docs' && npm test", 'npm test'],
  ["eval 'cd docs'; npm test", 'npm test'],
  ['builtin cd docs; npm test', 'npm test'],
  ['pushd docs && npm test', 'npm test'],
])('PSA-12: %j is not meant by a rule for %j and one for changing the folder', (line, pattern) => {
  const movers = ['cd:*', 'pushd:*', 'bash:*', 'eval:*', 'builtin:*'];
  expect(judged(line.replace(/(?:cd|pushd) docs/u, 'true'), 'true', ...movers, pattern).kind).toBe('allow');
  expect(judged(line, pattern, ...movers)).toMatchObject({
    kind: 'refuse',
    message: expect.stringContaining('start each command from the workspace'),
  });
});

test.each([
  ['cd docs && ls -la', 'ls:*'],
  ['cd docs && cat a.md | head -5', 'cat:*', 'head *'],
  ['npm test; cd docs', 'npm test'],
])('%j is meant by rules for any words of its programs, and for what comes before', (line, ...patterns) => {
  expect(judged(line, 'cd:*', ...patterns).kind).toBe('allow');
});

test('what is denied is denied in any folder', () => {
  const use = { action: 'call_tool', tool: 'run_command', risk: 'high', runsCode: true, confined: false } as const;
  const configured = { allow: ['Bash'], deny: ['Bash(git push origin:*)'] };
  const kindOf = (command: string): string =>
    judgeToolUse({ ...use, input: { command } }, { permissions: { configured }, skills: [] }).kind;
  expect(kindOf('cd docs && git push origin main')).toBe('refuse');
  expect(kindOf('cd docs && git status')).toBe('allow');
});

test.each([
  ['CI=1 npm test', 'a command that sets a variable, as “CI”'],
  ['npm test > out.txt', 'writes to one, as “out.txt”'],
  ['npm test < a', 'reads from a file or writes to one, as “a”'],
])('who is refused %j is told what no pattern means', (line, reason) => {
  expect(judged(line, 'npm test')).toMatchObject({ kind: 'refuse', message: expect.stringContaining(reason) });
});

test('where nothing but the words is to blame, nothing else is told', () => {
  expect(judged('npm run x 2>/dev/null', 'npm test')).toMatchObject({
    message: 'The configuration does not allow this use of the tool “run_command”. No rule of it does.',
  });
});
