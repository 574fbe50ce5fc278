import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const examples = readdirSync(join(root, 'examples')).filter((name) => name.endsWith('.ts'));

/** What each of them prints, line by line. */
const prints: Readonly<Record<string, readonly RegExp[]>> = {
  'agent.ts': [
    /^pdf asks to run scripts\/pdf\.mjs text skills-builtin\/pdf\/assets\/sample\.pdf, confined: [\w-]+$/u,
    /^The wettest month was December with 206\.1 mm\.$/u,
    /^\d+ events, skills used: pdf$/u,
  ],
  'install-a-pack.ts': [
    /^published skillpack\/table 1\.0\.0 \(sha256:[\da-f]{64}\)$/u,
    /^add skillpack\/table 1\.0\.0$/u,
    /^every file is as it was published$/u,
  ],
  'permissions.ts': [
    /^write_file \(high risk\) asks to do this: write_file \{"content":"Water the plants\.\\n","path":"notes\/monday\.md"\}$/u,
    /^Allow it\? /u,
    /^write_file \(high risk\) asks to do this: .*"todo\.md"\}$/u,
    /^Allow it\? /u,
    /"notes\/monday\.md".*: done$/u,
    /"todo\.md".*: APPROVAL_DENIED: .*The person said no\.$/u,
    /"src\/main\.ts".*: TOOL_NOT_ALLOWED: The configuration does not allow .*$/u,
    /^That is all that I could do\.$/u,
    /^There now: notes.monday\.md$/u,
  ],
  'resume-a-run.ts': [
    /^killed after \d+ events, the last of them turn_started$/u,
    /^resumed 1 time, and answered: It takes four minutes\.$/u,
    /^the same \d+ events again$/u,
  ],
};

/** What is typed into those that ask. */
const typed: Readonly<Record<string, string>> = { 'permissions.ts': 'y\nn\n' };

test('it is said of every example what it prints', () => {
  expect(examples.toSorted()).toEqual(Object.keys(prints).toSorted());
});

test.each(examples)('examples/%s runs against the built packages', { timeout: 60_000 }, (name) => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [join('examples', name)], {
    cwd: root,
    encoding: 'utf8',
    input: typed[name] ?? '',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toEqual(prints[name]?.map((line): unknown => expect.stringMatching(line)));
});

test('an agent of one’s own takes thirty lines', () => {
  const text = readFileSync(join(root, 'examples', 'agent.ts'), 'utf8').replace(/^\/\*.*?\*\/\n/su, '');
  expect(text.split('\n').filter((line) => line !== '' && !line.startsWith('import ')).length).toBeLessThanOrEqual(30);
});
