import { expect, test } from 'vitest';
import { judgeToolUse, type Judgement } from './judge-tool-use.js';
import type { Permissions, ToolRules } from './permissions.js';
import type { PolicySkill, ToolUse } from './tool-use.js';

const own: PolicySkill = {
  name: 'pdf',
  location: '/home/me/skills/pdf',
  pack: undefined,
  scope: 'user',
  allowedTools: undefined,
};
const packed: PolicySkill = {
  ...own,
  name: 'docx',
  location: '/work/skills/docx',
  pack: 'acme/docx',
  scope: 'project',
};

function calls(tool: string, input: unknown, more: Partial<ToolUse> = {}): ToolUse {
  return { action: 'call_tool', tool, risk: 'low', input, runsCode: false, confined: false, ...more };
}

function runs(command: unknown, more: Partial<ToolUse> = {}): ToolUse {
  return calls('run_command', { command }, { risk: 'high', runsCode: true, ...more });
}

function scripts(path: string, args: readonly string[] = [], more: Partial<ToolUse> = {}): ToolUse {
  const script = { path, folder: own.location, args };
  const input = { relative_path: path, args };
  return {
    action: 'run_script',
    tool: 'run_script',
    risk: 'medium',
    input,
    runsCode: true,
    confined: false,
    script,
    ...more,
  };
}

function judge(use: ToolUse, permissions: Permissions = {}, skills: readonly PolicySkill[] = []): Judgement {
  return judgeToolUse(use, { permissions, skills });
}

function underRules(use: ToolUse, configured: ToolRules): Judgement['kind'] {
  return judge(use, { configured: { allow: [], ask: [], ...configured } }).kind;
}

test.each([
  ['a file is read', calls('read_file', { path: 'a.md' }), 'allow'],
  ['any tool that only reads is called', calls('lookup', {}), 'allow'],
  ['a script needs a yes', scripts('scripts/a.py'), 'ask'],
  ['so does a tool that runs declared code', calls('convert', {}, { risk: 'medium' }), 'ask'],
  ['no file is written', calls('write_file', { path: 'a.md' }, { risk: 'high' }), 'refuse'],
  ['no command is run', runs('ls'), 'refuse'],
  ['nothing is sent', calls('http_request', { url: 'https://a.org' }, { risk: 'high' }), 'refuse'],
] as const)('PSA-13: where nothing is configured, %s', (_, use, kind) => {
  expect(judge(use).kind).toBe(kind);
  expect(judge(use, {}, [own]).kind).toBe(kind);
  expect(judge(use, { allowedTools: 'grant' }, [{ ...own, allowedTools: [] }]).kind).toBe(kind);
});

// A rule that allows, a line, and whether the line is allowed.
const lines: readonly (readonly [rule: string, line: unknown, allowed: boolean])[] = [
  ['Bash(git:*)', 'git status', true],
  ['Bash(git:*)', '  git   status  ', true],
  ['Bash(git:*)', '"git" status', true],
  ['Bash(git:*)', "g'i't status", true],
  ['Bash(git:*)', 'git status && git log', true],
  ['Bash(git:*)', 'git status\ngit log', true],
  ['Bash(git:*)', 'git log 2>&1', true],
  ['Bash(git:*)', 'git log > /dev/null', true],
  ['Bash(git:*)', 'git status; rm -rf .', false],
  ['Bash(git:*)', 'git status\nrm -rf .', false],
  ['Bash(git:*)', 'git status\r\nrm -rf .', false],
  ['Bash(git:*)', 'git status & rm -rf .', false],
  ['Bash(git:*)', 'git status && rm -rf .', false],
  ['Bash(git:*)', 'git status || rm -rf .', false],
  ['Bash(git:*)', 'git log | sh', false],
  ['Bash(git:*)', 'git log $(rm -rf .)', false],
  ['Bash(git:*)', 'git log "$(rm -rf .)"', false],
  ['Bash(git:*)', 'git log `rm -rf .`', false],
  ['Bash(git:*)', 'git log <(rm -rf .)', false],
  ['Bash(git:*)', 'git log > ~/.bashrc', false],
  ['Bash(git:*)', 'git log >> notes.md', false],
  ['Bash(git:*)', 'git apply < patch', false],
  ['Bash(git:*)', 'git log 2> errors', false],
  ['Bash(git:*)', 'git log &> all', false],
  ['Bash(git:*)', 'git log > /dev/tcp/127.0.0.1/80', false],
  ['Bash(git:*)', 'git log >&3', false],
  ['Bash(git:*)', 'git log >& all', false],
  ['Bash(git:*)', 'GIT_PAGER=x git log', false],
  ['Bash(git:*)', 'PATH=. git log', false],
  ['Bash(git:*)', 'export PATH=.; git log', false],
  ['Bash(git:*)', 'gitx status', false],
  ['Bash(git:*)', 'git-upload status', false],
  ['Bash(git:*)', './git status', false],
  ['Bash(git:*)', '/tmp/git status', false],
  ['Bash(git:*)', 'GIT status', false],
  ['Bash(git:*)', 'gi\u0442 status', false],
  ['Bash(git:*)', 'git\u00A0status', false],
  ['Bash(git:*)', 'git\u200B status', false],
  ['Bash(git:*)', 'git() { rm -rf .; }; git status', false],
  ['Bash(git:*)', 'alias git=rm; git -rf .', false],
  ['Bash(git:*)', 'sudo git status', false],
  ['Bash(git:*)', 'env git status', false],
  ['Bash(git:*)', 'bash -c "git status"', false],
  ['Bash(git:*)', 'eval git status', false],
  ['Bash(git:*)', 'xargs git status', false],
  ['Bash(git:*)', '$GIT status', false],
  ['Bash(git:*)', 'if true; then rm x; fi', false],
  ['Bash(git:*)', '(rm x)', false],
  ['Bash(git:*)', '! rm x', false],
  ['Bash(git:*)', 'git log; :', false],
  ['Bash(git:*)', '', false],
  ['Bash(git:*)', '# git', false],
  ['Bash(git:*)', 'git "unclosed', false],
  ['Bash(git:*)', 'git log \\\n; rm x', false],
  ['Bash(git:*)', undefined, false],
  ['Bash(git:*)', ['git', 'status'], false],
  ['Bash(git:*)', { toString: () => 'git status' }, false],
  ['Bash(git status)', 'git status', true],
  ['Bash(git status)', 'git status -s', false],
  ['Bash(npm run test:*)', 'npm run test -- a', true],
  ['Bash(npm run test:*)', 'npm run test:unit', true],
  ['Bash(npm run test:*)', 'npm run tests', false],
  ['Bash(npm run test:*)', 'npm run build', false],
  ['Bash(echo *)', 'echo a; b', false],
  ['Bash(echo *)', "echo 'a; b'", true],
  ['Bash(echo *)', "echo 'a\nb'", true],
  ['Shell(ls)', 'ls', true],
  ['run_command(ls)', 'ls', true],
  ['run_script(ls)', 'ls', false],
  ['Read(ls)', 'ls', false],
  ['Bash(git:*, ls)', 'ls', false],
  ['Bash', 'git log $(date)', true],
  ['Bash(*)', 'git log $(date)', true],
];

test.each(lines)('the rule %j and the line %j: allowed %j', (rule, line, allowed) => {
  expect(underRules(runs(line), { allow: [rule] })).toBe(allowed ? 'allow' : 'refuse');
  expect(underRules(runs(line), { ask: [rule] })).toBe(allowed ? 'ask' : 'refuse');
  const skill = { ...packed, allowedTools: [rule] };
  const configured = { allow: ['*'] };
  expect(judge(runs(line, { onBehalfOf: skill }), { configured }).kind).toBe(allowed ? 'allow' : 'refuse');
});

test.each([
  ['Bash(rm:*)', 'rm -rf .'],
  ['Bash(rm:*)', 'git status; rm -rf .'],
  ['Bash(rm:*)', '/bin/rm -rf .'],
  ['Bash(rm:*)', 'FORCE=1 rm x'],
  ['Bash(rm:*)', 'rm x > log'],
  ['Bash(rm:*)', 'sudo rm x'],
  ['Bash(rm:*)', 'env rm x'],
  ['Bash(rm:*)', 'find . -exec rm {} +'],
  ['Bash(rm:*)', 'bash -c "rm x"'],
  ['Bash(rm:*)', '$(echo rm) x'],
  ['Bash(rm:*)', 'r$()m x'],
  ['Bash(rm:*)', 'RM x'],
  ['Bash(rm:*)', undefined],
  ['Bash(git push:*)', 'git -C folder push'],
  ['bash(rm:*)', 'rm x'],
  ['Bash(rm "x")', 'ls'],
  ['Bash', 'ls'],
  ['bash', 'ls'],
  ['RUN_COMMAND', 'ls'],
  ['risk:high', 'ls'],
  ['*', 'ls'],
  ['no rule at all', 'ls'],
])('the rule %j denies the line %j, whatever else is allowed', (rule, line) => {
  expect(underRules(runs(line), { allow: ['*', 'Bash'], deny: [rule] })).toBe('refuse');
  expect(underRules(runs(line), { allow: ['*', 'Bash'], ask: [rule] })).toBe('ask');
});

test.each([
  ['Bash(rm:*)', 'ls'],
  ['Bash(rm:*)', 'rmdir x'],
  ['Bash(git push:*)', 'git log --grep push'],
  ['run_script', 'ls'],
  ['write_file', 'ls'],
  ['mcp__shell', 'ls'],
])('the rule %j does not deny the line %j', (rule, line) => {
  expect(underRules(runs(line), { allow: ['*'], deny: [rule] })).toBe('allow');
});

test('of several commands in a line, each is judged, and the strictest judgement counts', () => {
  const configured = { allow: ['Bash(git:*)', 'Bash(ls:*)'], ask: ['Bash(git push:*)'], deny: ['Bash(git reset:*)'] };
  expect(underRules(runs('git log && ls'), configured)).toBe('allow');
  expect(underRules(runs('git log && git push'), configured)).toBe('ask');
  expect(underRules(runs('git log && git push && git reset'), configured)).toBe('refuse');
  expect(underRules(runs('git log && make'), configured)).toBe('refuse');
});

test.each([
  ['Read(src/**)', 'read_file', { path: 'src/a.ts' }, true],
  ['Read(src/**)', 'read_file', { path: './src/a.ts' }, true],
  ['Read(src/**)', 'read_file', { path: 'src/../etc' }, false],
  ['Read(src/**)', 'read_file', { path: '../src/a' }, false],
  ['Read(src/**)', 'read_file', { path: '/src/a' }, false],
  ['Read(src/**)', 'read_file', { path: 'SRC/a' }, false],
  ['Read(src/**)', 'read_file', { path: 'src\\a' }, false],
  ['Read(src/**)', 'read_file', { path: 'src/a\u0000' }, false],
  ['Read(src/**)', 'read_file', {}, false],
  ['Read(src/**)', 'read_file', { path: ['src/a'] }, false],
  ['Read(src/**)', 'read_file', 'src/a', false],
  ['Read(src/**)', 'read_file', null, false],
  ['Read(src/**)', 'read_file', Object.create({ path: 'src/a' }), false],
  ['Read(src/**)', 'write_file', { path: 'src/a' }, false],
  ['Read(src/**)', 'list_dir', { path: 'src' }, true],
  ['Read(src/**)', 'grep', { path: 'src', pattern: 'x' }, true],
  ['Read(src/**)', 'grep', { pattern: 'x' }, false],
  ['Read(**)', 'grep', { pattern: 'x' }, true],
  ['Read(**)', 'list_dir', {}, true],
  ['Read(**)', 'list_dir', { path: undefined }, false],
  ['Grep(src/**)', 'read_file', { path: 'src/a' }, false],
  ['Edit(src/**)', 'write_file', { path: 'src/a' }, true],
  ['Write(src/**)', 'edit_file', { path: 'src/a' }, false],
  ['Delete(src/**)', 'delete_file', { path: 'src/a' }, true],
  ['WebFetch(domain:a.org)', 'http_request', { url: 'https://a.org/x' }, true],
  ['WebFetch(domain:a.org)', 'http_request', { url: 'https://a.org.evil.net/x' }, false],
  ['WebFetch(domain:a.org)', 'http_request', { URL: 'https://a.org/x' }, false],
  ['mcp__github', 'mcp__github__list', {}, true],
  ['mcp__github__*', 'mcp__github__list', {}, true],
  ['mcp__github', 'mcp__githubx__list', {}, false],
  ['mcp__github', 'mcp__github__a__b', {}, false],
  ['mcp__github', 'mcp__github___a', {}, false],
  ['mcp__github', 'mcp__github', {}, true],
  ['mcp__github__list', 'mcp__github__list', {}, true],
  ['mcp__github__list', 'mcp__github__list__all', {}, false],
  ['shout', 'shout', {}, true],
  ['Shout', 'shout', {}, false],
  ['shout(x)', 'shout', { path: 'x' }, false],
  ['Read(**)', 'Read', { path: 'a' }, false],
  ['Read', 'Read', { path: 'a' }, true],
  ['run_script(*)', 'run_script', {}, true],
  ['run_script(a:*)', 'run_script', { command: 'a' }, false],
] as const)('the rule %j and %s with %j: allowed %j', (rule, tool, input, allowed) => {
  expect(underRules(calls(tool, input), { allow: [rule] })).toBe(allowed ? 'allow' : 'refuse');
});

test.each([
  ['Read(.env)', 'read_file', { path: 'src/.ENV' }],
  ['Read(.env)', 'grep', { pattern: 'x' }],
  ['Read(secret/**)', 'read_file', { path: 'src/../secret/a' }],
  ['Read(secret/**)', 'read_file', { path: '/work/secret/a' }],
  ['Read(secret/**)', 'read_file', {}],
  ['Read({a,b})', 'read_file', { path: 'c' }],
  ['WebFetch(domain:a.org)', 'http_request', { url: 'a.org' }],
  ['mcp__github', 'mcp__GitHub__a__b', {}],
  ['shout(x)', 'Shout', {}],
])('the rule %j denies %s with %j', (rule, tool, input) => {
  expect(underRules(calls(tool, input), { allow: ['*'], deny: [rule] })).toBe('refuse');
});

test.each([
  ['Bash(scripts/x.py:*)', true],
  ['Bash(./scripts/x.py a)', true],
  ['Bash(/home/me/skills/pdf/scripts/x.py:*)', true],
  ['Bash({baseDir}/scripts/x.py:*)', true],
  ['Bash(${CLAUDE_SKILL_DIR}/scripts/*)', true],
  ['Bash(python scripts/x.py:*)', true],
  ['Bash(python3 {baseDir}/scripts/x.py:*)', true],
  ['Bash(uv run scripts/x.py:*)', true],
  ['Bash(python:*)', true],
  ['run_script(scripts/x.py a)', true],
  ['run_script', true],
  ['Bash', true],
  ['Bash(scripts/x.py)', false],
  ['Bash(scripts/y.py:*)', false],
  ['Bash(x.py:*)', false],
  ['Bash(node scripts/x.py:*)', false],
  ['Bash(bash:*)', false],
  ['Bash(/home/me/skills/docx/scripts/x.py:*)', false],
  ['run_command', false],
  ['Read(scripts/**)', false],
])('a skill that lists %j may run its script x.py: %j', (rule, allowed) => {
  const skill = { ...own, allowedTools: [rule] };
  const use = scripts('scripts/x.py', ['a'], { onBehalfOf: skill });
  expect(judge(use, { allowedTools: 'restrict' }).kind).toBe(allowed ? 'ask' : 'refuse');
});

test.each([
  ['Bash(scripts/build.sh:*)', 'scripts/build.sh', false],
  ['Bash(bash scripts/build.sh)', 'scripts/build.sh', false],
  ['Bash(./scripts/*)', 'scripts/build.sh', false],
  ['Bash(git:*)', 'git', false],
  ['Bash(git:*)', 'bin/git', false],
  ['run_script(scripts/build.sh:*)', 'scripts/build.sh', true],
  ['Bash({baseDir}/scripts/*)', 'scripts/build.sh', true],
  ['Bash(/home/me/skills/pdf/scripts/build.sh)', 'scripts/build.sh', true],
  ['Bash(bash:*)', 'scripts/build.sh', true],
])(
  'what a person allows of their workspace, %j, is no script of a skill that is called alike, %j: allowed %j',
  (rule, path, allowed) => {
    expect(underRules(scripts(path), { allow: [rule] })).toBe(allowed ? 'allow' : 'refuse');
  },
);

test('the folder of a skill may be written with a slash at its end', () => {
  const use = scripts('a.py');
  const script = { path: 'a.py', folder: `${own.location}/`, args: [] };
  const skill = { ...packed, location: script.folder, allowedTools: ['Bash({baseDir}/a.py)'] };
  expect(judge({ ...use, script, onBehalfOf: skill }).kind).toBe('ask');
  expect(judge({ ...use, script: { ...script, folder: own.location }, onBehalfOf: skill }).kind).toBe('ask');
  expect(underRules({ ...use, script }, { allow: ['Bash(/home/me/skills/pdf/a.py)'] })).toBe('allow');
});

test('a script that is denied by the name that it has in its skill is denied', () => {
  const configured = { allow: ['*'], deny: ['Bash(scripts/x.py:*)'] };
  expect(underRules(scripts('scripts/x.py', ['a']), configured)).toBe('refuse');
  expect(underRules(scripts('scripts/y.py', ['a']), configured)).toBe('allow');
  expect(underRules({ ...scripts('scripts/y.py'), script: undefined }, configured)).toBe('refuse');
});

test('a run takes away from what is configured, and adds nothing', () => {
  const allow = { allow: ['read_file'] };
  expect(judge(calls('read_file', {}), { run: allow }).kind).toBe('allow');
  expect(judge(calls('grep', {}), { run: allow })).toMatchObject({ kind: 'refuse', by: 'run' });
  expect(judge(calls('read_file', {}), { run: { ask: ['*'] } }).kind).toBe('ask');
  expect(judge(runs('ls'), { run: { allow: ['*'] } })).toMatchObject({ kind: 'refuse', by: 'configuration' });
  expect(judge(calls('read_file', {}), { run: { allow: [] } })).toMatchObject({ kind: 'refuse', by: 'run' });
});

test('a list that is left out is the usual one, each for itself, and an empty one is empty', () => {
  const [reads, converts] = [calls('read_file', { path: 'a' }), calls('convert', {}, { risk: 'medium' })];
  const kinds = (rules: ToolRules): readonly string[] =>
    [reads, converts, runs('ls')].map((use) => judge(use, { configured: rules }).kind);
  expect(kinds({})).toEqual(['allow', 'ask', 'refuse']);
  expect(kinds({ deny: ['http_request'] })).toEqual(['allow', 'ask', 'refuse']);
  expect(kinds({ deny: ['Read(a)'] })).toEqual(['refuse', 'ask', 'refuse']);
  expect(kinds({ allow: ['run_command'] })).toEqual(['refuse', 'ask', 'allow']);
  expect(kinds({ ask: ['run_command'] })).toEqual(['allow', 'refuse', 'ask']);
  expect(kinds({ allow: [], ask: [] })).toEqual(['refuse', 'refuse', 'refuse']);
  expect(kinds({ allow: undefined, ask: undefined })).toEqual(['allow', 'ask', 'refuse']);
  const run = (rules: ToolRules): readonly string[] => [reads, converts].map((use) => judge(use, { run: rules }).kind);
  expect(run({})).toEqual(['allow', 'ask']);
  expect(run({ deny: ['convert'] })).toEqual(['allow', 'refuse']);
  expect(run({ ask: ['read_file'] })).toEqual(['ask', 'ask']);
  expect(run({ allow: [], deny: [] })).toEqual(['refuse', 'refuse']);
});

test('what a pack declares restricts each tool that was there from the beginning, until the run ends', () => {
  const lists = { ...packed, allowedTools: ['Read(src/**)'] };
  const silent = { ...packed, name: 'x', location: '/work/skills/x' };
  const reads = (path: string): ToolUse => calls('read_file', { path });
  expect(judge(reads('src/a'), {}, [lists, silent]).kind).toBe('allow');
  expect(judge(reads('a'), {}, [lists, silent])).toMatchObject({ kind: 'refuse', by: 'skill' });
  expect(judge(reads('a'), {}, [{ ...lists, disabled: true }]).kind).toBe('refuse');
  expect(judge(reads('a'), {}, [silent]).kind).toBe('allow');
  expect(judge(reads('src/a'), {}, [lists, { ...silent, allowedTools: ['Grep'] }]).kind).toBe('refuse');
  expect(judge({ ...reads('a'), onBehalfOf: silent }, {}, [lists]).kind).toBe('allow');
});

test.each([['*'], ['risk:low'], ['*(x)'], []])('a skill cannot allow itself everything by %j', (...allowedTools) => {
  expect(judge(calls('read_file', { path: 'a' }), {}, [{ ...packed, allowedTools }]).kind).toBe('refuse');
});

test('of more rules than anybody writes, the first 500 count', () => {
  const allowedTools = Array.from({ length: 500 }, (_, at) => `tool-${at}`);
  const judged = (name: string): string =>
    judge(calls(name, {}), {}, [{ ...packed, allowedTools: [...allowedTools, 'late'] }]).kind;
  expect([judged('tool-499'), judged('late')]).toEqual(['allow', 'refuse']);
});

test('a line of more commands than anybody reads is matched by no pattern', () => {
  expect(underRules(runs(Array.from({ length: 100 }, () => 'ls').join(';')), { allow: ['Bash(ls)'] })).toBe('allow');
  expect(underRules(runs(Array.from({ length: 101 }, () => 'ls').join(';')), { allow: ['Bash(ls)'] })).toBe('refuse');
  const words = `echo${' a'.repeat(300)};`;
  expect(underRules(runs(words.repeat(3)), { allow: ['Bash(echo:*)'] })).toBe('allow');
  expect(underRules(runs(words.repeat(4)), { allow: ['Bash(echo:*)'] })).toBe('refuse');
});

test('a grant answers the question, and nothing else', () => {
  const grants = { ...own, allowedTools: ['convert', 'write_file'] };
  const converts = calls('convert', {}, { risk: 'medium' });
  expect(judge(converts, {}, [grants]).kind).toBe('allow');
  expect(judge(converts, {}, [{ ...grants, disabled: true }]).kind).toBe('ask');
  expect(judge(converts, {}, [own]).kind).toBe('ask');
  expect(judge({ ...converts, onBehalfOf: own }, {}, [grants]).kind).toBe('ask');
  expect(judge({ ...converts, onBehalfOf: grants }, {}, []).kind).toBe('allow');
  expect(judge({ ...converts, runsCode: true }, {}, [grants]).kind).toBe('ask');
  expect(judge({ ...converts, runsCode: true, confined: true }, {}, [grants]).kind).toBe('allow');
  expect(judge(calls('write_file', {}, { risk: 'high' }), {}, [grants]).kind).toBe('refuse');
  expect(judge(converts, { run: { ask: ['*'] } }, [own, grants])).toEqual({
    kind: 'allow',
    skill: { name: 'pdf', location: '/home/me/skills/pdf' },
  });
  const writes = calls('write_file', {}, { risk: 'high', onBehalfOf: grants, confined: true });
  expect(judge(writes, { configured: { ask: ['*'] }, allowedTools: 'grant' }).kind).toBe('ask');
});

test.each([
  [['convert'], 'ask'],
  [['risk:medium', 'convert'], 'ask'],
  [['*', 'deploy', 'convert'], 'ask'],
  [['convert(skill:acme/pdf)', '*'], 'ask'],
  [['convert(x)', '*'], 'ask'],
  [['*', 'risk:medium', 'deploy', 'risk:low'], 'allow'],
  [['risk:medium'], 'allow'],
])('a grant answers no question that a person asked by the name of the tool: %j', (ask, kind) => {
  const grants = { ...own, allowedTools: ['convert', 'mcp__a'] };
  const converts = calls('convert', {}, { risk: 'medium' });
  expect(judge(converts, { configured: { allow: ['*'], ask } }, [grants]).kind).toBe(kind);
  expect(judge(converts, { configured: { ask: ['*'] }, run: { allow: ['*'], ask } }, [grants]).kind).toBe(kind);
});

test('the name of a server and a pattern ask by name, too', () => {
  const grants = { ...own, allowedTools: ['mcp__a', 'Read', 'Bash'] };
  const lists = calls('mcp__a__list', {}, { risk: 'medium' });
  expect(judge(lists, { configured: { ask: ['*'] } }, [grants]).kind).toBe('allow');
  expect(judge(lists, { configured: { ask: ['*', 'mcp__a'] } }, [grants]).kind).toBe('ask');
  const reads = (path: string): ToolUse => calls('read_file', { path });
  const configured = { allow: ['*'], ask: ['Read(src/**)', 'risk:low', 'run_script(scripts/a.sh:*)', 'risk:medium'] };
  expect(judge(reads('src/a'), { configured }, [grants]).kind).toBe('ask');
  expect(judge(reads('a'), { configured }, [grants]).kind).toBe('allow');
  const confined = { confined: true, onBehalfOf: grants };
  expect(judge(scripts('scripts/a.sh', [], confined), { configured }).kind).toBe('ask');
  expect(judge(scripts('scripts/b.sh', [], confined), { configured }).kind).toBe('allow');
});

test('a grant is not lent: where the text of a skill of others was read, it is asked, whatever that skill lists', () => {
  const grants = { ...own, allowedTools: ['convert'] };
  const converts = calls('convert', {}, { risk: 'medium' });
  for (const use of [converts, { ...converts, onBehalfOf: grants }]) {
    expect(judge(use, {}, [grants, { ...packed, allowedTools: undefined }]).kind).toBe('ask');
    expect(judge(use, {}, [grants, { ...packed, allowedTools: ['convert'] }]).kind).toBe('ask');
    expect(judge(use, {}, [grants, { ...packed, allowedTools: undefined, disabled: true }]).kind).toBe('ask');
    // Who says that a pack may be trusted has said so.
    expect(judge(use, { allowedTools: 'grant' }, [grants, { ...packed, allowedTools: undefined }]).kind).toBe('allow');
    const behind = [{ ...packed, allowedTools: undefined }];
    expect(judgeToolUse(use, { permissions: {}, skills: [grants], behind }).kind).toBe('ask');
    const listing = [{ ...packed, allowedTools: ['convert'] }];
    expect(judgeToolUse(use, { permissions: {}, skills: [grants], behind: listing }).kind).toBe('ask');
    expect(judgeToolUse(use, { permissions: {}, skills: [grants], behind: [own] }).kind).toBe('allow');
  }
});

test('commands and scripts run by a grant only where they are confined, whatever the tool says of itself', () => {
  const grants = { ...own, allowedTools: ['Bash'] };
  const configured = { ask: ['*'] };
  const lying = { runsCode: false, onBehalfOf: grants };
  for (const use of [{ ...runs('ls', lying), risk: 'medium' as const }, scripts('a.sh', [], lying)]) {
    expect(judge(use, { configured }).kind).toBe('ask');
    expect(judge({ ...use, confined: true }, { configured }).kind).toBe('allow');
  }
});

test('a refusal says what was refused, by whom and why, in characters that can be seen', () => {
  const skill = { ...packed, name: 'a\u202Eb', allowedTools: ['Bash(git:*)', '\u001B[2J'] };
  const hint = 'Find another way within what is allowed, or say what could not be done.';
  const configured = { allow: ['*'] };
  expect(judge(calls('write\u0007', {}, { risk: 'high' }))).toEqual({
    kind: 'refuse',
    by: 'configuration',
    message: 'The configuration does not allow this use of the tool “write<U+0007>”. No rule of it does.',
    hint,
  });
  expect(judge(runs('ls $(x)', { onBehalfOf: skill }), { configured })).toEqual({
    kind: 'refuse',
    by: 'skill',
    message: expect.stringMatching(
      /^The allowed tools of the skill “a<U\+202E>b” do not include this use of the tool “run_command”\. It allows “Bash\(git:\*\)”, “<U\+001B>\[2J”\. What it would do cannot be told for sure: .+\.$/u,
    ),
    skill: { name: 'a\u202Eb', location: '/work/skills/docx' },
    hint,
  });
  expect(judge(scripts('a\n.py', [], { onBehalfOf: { ...skill, allowedTools: [] } }))).toMatchObject({
    message: 'The allowed tools of the skill “a<U+202E>b” do not include the script “a .py”. It allows none.',
  });
  expect(judge(calls('grep', {}), { run: { allow: [] } })).toMatchObject({
    message: 'The policy of this run does not allow this use of the tool “grep”. No rule of it does.',
  });
  const rules = { allow: ['*'], deny: ['Bash(rm:*)', 'Bash(git\u0007 push:*)', 'Bash(git:*)'] };
  expect(judge(runs('echo; git push'), { configured: rules })).toEqual({
    kind: 'refuse',
    by: 'configuration',
    rule: 'Bash(git\u0007 push:*)',
    message:
      'The configuration does not allow this use of the tool “run_command”. It denies “Bash(git<U+0007> push:*)”.',
    hint,
  });
  const [part, whole] = [{ allow: ['Bash(ls)'], deny: ['Bash(rm:*)'] }, { configured: { allow: ['*'], ask: [] } }];
  expect(judge(runs('git; rm x'), { ...whole, run: part })).toMatchObject({ by: 'run', rule: 'Bash(rm:*)' });
  expect(judge(runs('git; ls'), { ...whole, run: part })).not.toHaveProperty('rule');
});
