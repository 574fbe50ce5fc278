import { expect, test } from 'vitest';
import { lintAllowedTools } from './lint-allowed-tools.js';

function lint(allowedTools: readonly string[] | undefined, paths: readonly string[] = []): readonly string[] {
  const source = new TextEncoder().encode('---\nname: pdf\nallowed-tools: x\n---\n');
  const files = paths.map((path) => ({ path, firstLine: '' }));
  return lintAllowedTools({ name: 'pdf', allowedTools }, { profile: 'lenient', source, files }).map(
    ({ code, line, severity, message, fix }) => `${line} ${severity} ${code}: ${message} ${fix}`,
  );
}

test('an allowed tool that counts for nothing is told, with what would do', () => {
  const line = '3 warning';
  expect(lint(['Reed', 'Bsh(node:*)', 'Foo', 'Bash(git; rm)', 'risk:low', '*', 'bash'])).toEqual([
    `${line} allowed-tools-unknown: The allowed tool “Reed” names no tool here, and counts for nothing. Did you mean “Read”?`,
    `${line} allowed-tools-unknown: The allowed tool “Bsh(node:*)” names no tool here, and counts for nothing. Did you mean “Bash”?`,
    expect.stringMatching(
      /^3 warning allowed-tools-unknown: The allowed tool “Foo” names no tool .* There is run_script/u,
    ),
    expect.stringMatching(/^3 warning allowed-tools-unreadable: The allowed tool “Bash\(git; rm\)” cannot be read, /u),
    expect.stringMatching(
      /^3 warning allowed-tools-unreadable: The allowed tool “risk:low” counts for nothing in a skill/u,
    ),
    expect.stringMatching(/^3 warning allowed-tools-unreadable: The allowed tool “\*” counts for nothing in a skill/u),
    `${line} allowed-tools-unknown: The allowed tool “bash” names no tool here, and counts for nothing. Did you mean “Bash”?`,
  ]);
  expect(
    lint(['Read', 'Bash(git log:*)', 'write_file', 'mcp__github', 'mcp__github__list', 'WebFetch(domain:a.org)']),
  ).toEqual([]);
});

test('a script that the allowed tools do not mean is told', () => {
  const note = (path: string): string =>
    `3 info script-not-allowed: The allowed tools do not mean the script “${path}”: where they restrict, as of an installed pack, it is refused. If the skill runs it, add “Bash(${path}:*)”.`;
  expect(lint(['Bash(python3 count.py:*)'], ['scripts/count.py', 'notes.py', 'scripts/data.json'])).toEqual([
    note('scripts/count.py'),
  ]);
  expect(lint(['Bash(scripts/a.sh:*)', 'Read'], ['scripts/a.sh', 'scripts/b.sh'])).toEqual([note('scripts/b.sh')]);
  for (const all of [
    ['Bash'],
    ['Bash(python3:*)'],
    ['Bash(scripts/*)'],
    ['run_script'],
    ['Bash(python3 scripts/a.py --all)'],
  ]) {
    expect(lint(all, ['scripts/a.py']), all.join()).toEqual([]);
  }
  expect(lint(undefined, ['scripts/a.py'])).toEqual([]);
});
