import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCommandPattern } from './command-pattern.js';
import { matchesCommand, type CommandMatch } from './match-command.js';

function matches(pattern: string, line: string, more: Partial<CommandMatch> = {}): boolean {
  const reading = parseCommandPattern(pattern);
  if ('problem' in reading) throw new Error(reading.problem);
  return matchesCommand(reading.pattern, {
    words: line.split(' '),
    certainty: 'surely',
    folder: '/skills/pdf',
    ...more,
  });
}

test.each([
  ['npm test', 'npm test'],
  ['npm   test ', 'npm test'],
  ['git:*', 'git'],
  ['git:*', 'git status'],
  ['git:*', 'git log --oneline -3'],
  ['git *', 'git'],
  ['git *', 'git status'],
  ['git status:*', 'git status -s'],
  ['npm run test:*', 'npm run test'],
  ['npm run test:*', 'npm run test -- a'],
  ['npm run test:*', 'npm run test:unit'],
  ['npm run test:*', 'npm run test:unit -- a'],
  ['git * main', 'git push origin main'],
  ['git * main', 'git push main'],
  ['./scripts/*', './scripts/a.sh'],
  ['./scripts/*', './scripts/a.sh --all b'],
  ['./scripts/*.sh', './scripts/a.sh'],
  ['node scripts/*.mjs:*', 'node scripts/a.mjs b c'],
  ['python {baseDir}/scripts/x.py:*', 'python /skills/pdf/scripts/x.py a'],
  ['${CLAUDE_SKILL_DIR}/x', '/skills/pdf/x'],
  ['* --version', 'node --version'],
  ['git log *..*', 'git log a/b..c'],
  ['node *.mjs', 'node ../a.mjs'],
  ['cat docs/../*', 'cat docs/../a'],
  ['cat docs/*', 'cat docs/a..b'],
  ['make -*', 'make -j4'],
  ['git log:*', 'git --no-pager log -3'],
  ['git diff', 'git --no-optional-locks --no-pager diff'],
  // In lower case, a letter at the end of a word is another one.
  ['Σ*', 'ΣΣ'],
  ['aΣ*', 'aΣa'],
])('the pattern %j means %j', (pattern, line) => {
  expect(matches(pattern, line)).toBe(true);
  expect(matches(pattern, line, { certainty: 'possibly' })).toBe(true);
});

test.each([
  ['npm test', 'npm'],
  ['npm test', 'npm test a'],
  ['npm test', 'npm tests'],
  ['git:*', 'github'],
  ['git:*', 'git-lfs pull'],
  ['git:*', 'git:x'],
  ['git:*', '/tmp/git status'],
  ['git:*', './git status'],
  ['git:*', 'GIT status'],
  ['git:*', 'sudo git status'],
  ['git *', 'gitk'],
  ['git status:*', 'git stash'],
  ['git status:*', 'git -C x status'],
  ['git status:*', 'git --paginate status'],
  ['git status:*', 'git -C --no-pager status'],
  ['gitk status:*', 'gitk --no-pager status'],
  ['npm run test:*', 'npm run tests'],
  ['npm run test:*', 'npm run:x test'],
  ['git * main', 'git main'],
  ['git * main', 'git push main origin'],
  ['./scripts/*.sh', './scripts/a.sh b'],
  ['./scripts/*.sh', './scripts/a.py'],
  ['{baseDir}/x', '/skills/other/x'],
  ['a.c', 'abc'],
  // A rule for the files of a folder leads out of it in no way, and one for files means no options.
  ['./scripts/*', './scripts/../x.sh'],
  ['./scripts/*', './scripts/..'],
  ['./scripts/*.sh', './scripts/a/../../x.sh'],
  ['cat docs/*', 'cat docs/..\\..\\x'],
  ['python {baseDir}/scripts/*', 'python /skills/pdf/scripts/../../x.py'],
  ['curl https://example.com/a/*', 'curl https://example.com/a/../b'],
  ['python *.py', 'python -cimport_x#.py'],
  ['node *.mjs', 'node --eval=x//.mjs'],
  ['node *.mjs:*', 'node --eval=x//.mjs a'],
  ['python3 scripts/x.py:*', 'python3 scripts/x.py:y.py'],
  ['cat README.md:*', 'cat README.md:x'],
])('the pattern %j does not mean %j', (pattern, line) => {
  expect(matches(pattern, line)).toBe(false);
});

test.each([
  ['rm:*', '/bin/rm -rf x'],
  ['rm:*', 'RM -rf x'],
  ['rm:*', 'C:\\tools\\rm.exe x'],
  ['git push:*', 'git -C folder push origin'],
  ['git push:*', 'git --no-pager -c a=b push'],
  ['git push:*', 'GIT Push'],
  ['{baseDir}/x', '/elsewhere/x'],
])('the pattern %j may mean %j, so far as something is denied', (pattern, line) => {
  expect(matches(pattern, line)).toBe(false);
  expect(matches(pattern, line, { certainty: 'possibly', folder: undefined })).toBe(true);
});

test.each([
  ['git push:*', 'git log --grep push'],
  ['git push:*', 'git commit -m a push'],
  ['git push:*', 'git status'],
  ['rm:*', 'rmdir x'],
])('the pattern %j can never mean %j', (pattern, line) => {
  expect(matches(pattern, line, { certainty: 'possibly' })).toBe(false);
});

test('a folder that is not known is matched by nothing, and what stands in it is no pattern', () => {
  expect(matches('{baseDir}/x', '/x', { folder: undefined })).toBe(false);
  expect(matches('{baseDir}/x', '/a/x', { folder: '/*' })).toBe(false);
  expect(matches('{baseDir}/x', '/*/x', { folder: '/*/' })).toBe(true);
});

test.each([
  'a "b"',
  "a 'b'",
  'a\\b',
  'a `b`',
  'a $B',
  'a; b',
  'a | b',
  'a && b',
  'a > b',
  'a < b',
  '(a)',
  '{a,b}',
  'A=1 b',
  '~/a',
  'a ~/b',
  ':*',
  'a:* b',
  'git:*, rm',
  ' ',
])('%j is no pattern, and it is told why', (text) => {
  expect(parseCommandPattern(text)).toEqual({ problem: expect.stringMatching(/^[A-Z:].*\.$/u) });
});

const word = fc.constantFrom('git', 'push', '-C', 'x', 'test:unit', 'test', '/bin/git', 'a*');
const line = fc.array(word, { minLength: 1, maxLength: 5 });
const pattern = fc
  .tuple(
    fc.array(fc.constantFrom('git', 'push', 'x', 'test', '*', 'te*', '*x'), { minLength: 1, maxLength: 4 }),
    fc.constantFrom('', ':*', ' *'),
  )
  .map(([words, end]) => words.join(' ') + end)
  .filter((text) => !text.includes('*:*'));

test('patterns find what the regular expressions of them find', () => {
  fc.assert(
    fc.property(pattern, line, (text, words) => {
      const anyEnd = text.endsWith(':*');
      const parts = (anyEnd ? text.slice(0, -2) : text).split(' ');
      const open = parts.at(-1)?.endsWith('*') === true;
      const bare = parts.at(-1) === '*';
      if (bare) parts.pop();
      const sources = parts.map((part) => (part === '*' ? '[^ ]+(?: [^ ]+)*' : part.replaceAll('*', '[^ ]*')));
      const colon = anyEnd && parts.length > 1 ? '(?::[^ ]*)?' : '';
      const rest = anyEnd || open ? '(?: [^ ]+)*' : '';
      const expression = new RegExp(`^${parts.length === 0 ? '[^ ]+' : sources.join(' ')}${colon}${rest}$`, 'u');
      expect(matches(text, words.join(' '))).toBe(expression.test(words.join(' ')));
    }),
    { numRuns: 3_000 },
  );
});

test('what is surely meant may be meant, too', () => {
  fc.assert(
    fc.property(pattern, line, (text, words) => {
      fc.pre(matches(text, words.join(' ')));
      expect(matches(text, words.join(' '), { certainty: 'possibly' })).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test('a pattern of many gaps and a line of many words take no longer than one times the other', () => {
  expect(matches(`a${' *'.repeat(450)} b`, `a${' x'.repeat(990)}`)).toBe(false);
  expect(matches(`a${' -x'.repeat(300)} b`, `a${' -x y'.repeat(490)}`, { certainty: 'possibly' })).toBe(false);
  expect(matches(`a ${'*a'.repeat(490)}b`, `a ${'a'.repeat(4_000)}`)).toBe(false);
});

test('of a line longer than any, nothing is sure', () => {
  const long = `git${' x'.repeat(1_000)}`;
  expect(matches('git:*', long)).toBe(false);
  expect(matches('rm:*', long, { certainty: 'possibly' })).toBe(true);
  const wide = `git ${'x'.repeat(5_000)}`;
  expect(matches('git:*', wide)).toBe(true);
  expect(matches('git x*', wide)).toBe(false);
  expect(matches('git y*', wide, { certainty: 'possibly' })).toBe(true);
  expect(
    matchesCommand(
      { words: ['git'], end: 'words', colon: false },
      { words: [], certainty: 'possibly', folder: undefined },
    ),
  ).toBe(false);
});
