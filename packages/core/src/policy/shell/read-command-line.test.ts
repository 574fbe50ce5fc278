import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SimpleCommand } from './command-line.js';
import { Effort } from './effort.js';
import { readCommandLine, readWithin } from './read-command-line.js';

function commandsOf(text: string): readonly SimpleCommand[] {
  const line = readCommandLine(text);
  if (line.kind === 'opaque') throw new Error(`${JSON.stringify(text)}: ${line.reason}`);
  return line.commands;
}

const wordsOf = (text: string) => commandsOf(text).map(({ words }) => words.join('·'));

test.each([
  ['', []],
  [' \n\t# nothing but a comment; rm', []],
  ['git log  --oneline -3', ['git·log·--oneline·-3']],
  ['git status && git diff --stat', ['git·status', 'git·diff·--stat']],
  ['npm run test -- --watch=false 2>&1 | tail -20', ['npm·run·test·--·--watch=false', 'tail·-20']],
  ['cd packages/core && npx vitest run', ['cd·packages/core', 'npx·vitest·run']],
  ['(cd sub; npm test) || exit 1', ['cd·sub', 'npm·test', 'exit·1']],
  ['{ a; b & }\n! c | d', ['a', 'b', 'c', 'd']],
  ['git commit -m "Mend \\"x\\": 5.00? No, \\$5!"', ['git·commit·-m·Mend "x": 5.00? No, $5!']],
  ["git commit -m 'Line\n\nOther $x `y` *'", ['git·commit·-m·Line\n\nOther $x `y` *']],
  ['git show HEAD~1 HEAD^ stash@{0} @{u}', ['git·show·HEAD~1·HEAD^·stash@{0}·@{u}']],
  ['grep -rn "a|b$" src/ | head -5', ['grep·-rn·a|b$·src/', 'head·-5']],
  ['find . -name "*.ts" -not -path "./node_modules/*"', ['find·.·-name·*.ts·-not·-path·./node_modules/*']],
  ['find . \\( -name a -o -name b \\) ! -empty', ['find·.·(·-name·a·-o·-name·b·)·!·-empty']],
  ['echo it\\ is "a"\'b\'c\\$', ['echo·it is·abc$']],
  ['ls \\\n  -la \\\n  src', ['ls·-la·src']],
  ['a &&\\\n b', ['a', 'b']],
  ['{ (a) }', ['a']],
  ['a B=1 C', ['a·B=1·C']],
  ['a "3">b', ['a·3']],
  ['a "b\\\nc" "\\\\" "\\\\d"', ['a·bc·\\·\\d']],
  ['a & # later\nb', ['a', 'b']],
  ['[ -f package.json ] && cat package.json', ['[·-f·package.json·]', 'cat·package.json']],
  ["sed -n '1,40p' src/index.ts", ['sed·-n·1,40p·src/index.ts']],
  ["sed -i 's/[0-9]*;/x/g' a", ['sed·-i·s/[0-9]*;/x/g·a']],
  ["awk -F: '{print $1}' /etc/passwd", ['awk·-F:·{print $1}·/etc/passwd']],
  ['echo "é — 数据 😀"', ['echo·é — 数据 😀']],
  ['tar -xzf a.tgz -C out', ['tar·-xzf·a.tgz·-C·out']],
  ['command -v node', ['command·-v·node']],
  ['x=1', ['']],
])('%j is read', (text, expected) => {
  expect(wordsOf(text)).toEqual(expected);
});

test.each([
  ['env -i -- A=1 timeout -k 5 10 nice -n 5 npm test', 'npm·test'],
  ['sudo -u root A=1 rm x', 'rm·x'],
  ['/usr/bin/ENV rm x', 'rm·x'],
  ['nohup setsid -f stdbuf -oL time -p git status', 'git·status'],
  ["bash -euxc 'git status; rm x'", 'rm·x'],
  ['sh -e -c \'eval "rm x"\'', 'rm·x'],
  ['eval rm "x;" git', 'rm·x'],
  ['command -p exec ionice -c 3 rm x', 'rm·x'],
])('%j starts %s, among what it writes itself', (text, started) => {
  expect(wordsOf(text)).toContain(started);
  expect(commandsOf(text)[0]?.words[0]).toBe(text.split(' ')[0]);
});

test('what a command is given besides its words is told with it, also what groups and wrappers give it', () => {
  expect(commandsOf('A=1 B="x y" git status >out 2>&1')).toEqual([
    {
      words: ['git', 'status'],
      assignments: [
        { name: 'A', value: '1' },
        { name: 'B', value: 'x y' },
      ],
      redirects: [
        { operator: '>', target: 'out' },
        { operator: '2>&', target: '1' },
      ],
    },
  ]);
  const redirects = [{ operator: '>>', target: 'log' }];
  const assignments = [{ name: 'A', value: '1' }];
  expect(commandsOf('{ git status; } >>log')).toEqual([{ words: ['git', 'status'], assignments: [], redirects }]);
  expect(commandsOf("A=1 sh -c 'git status' >>log")[1]).toEqual({ words: ['git', 'status'], assignments, redirects });
  expect(commandsOf('A=1 env B=2 git')[1]?.assignments.map(({ name }) => name)).toEqual(['A', 'B']);
  expect(commandsOf('env A=1 git status >>log')[1]).toEqual({ words: ['git', 'status'], assignments, redirects });
});

test.each([
  'if a; then b; fi',
  'for x in a b; do c; done',
  'while a; do b; done',
  'case x in y) z;; esac',
  '[[ a == b ]]',
  '((1))',
  '( (a); (b) ) c',
  'function a { b; }',
  'a() { b; }',
  'coproc a',
  'select x in y; do z; done',
  '{ a }',
  '{ (a) >b }',
  'a |& b',
  '&>b',
  'eval -- a',
  'exec -- a',
  'a >2>&1',
  'a >&"1"',
  'a &\\\n>b c',
  'a >b>c',
  'time',
  'time -p && a',
  'a;;b',
  'a && && b',
  '; a',
  'a |',
  '( )',
  '{ }',
  '( a',
  'a )',
  '} ',
  'a | ! b',
  '! ! a',
  '! ',
  'a & & b',
  '&& a',
  'a $X',
  'a "$X"',
  'a ${X}',
  'a "${X:=y}"',
  'a "${X@P}"',
  'a $1',
  'a $?',
  'a $((1))',
  'a $[1]',
  'a "$(b)"',
  'a `b`',
  'a "`b`"',
  'a <(b)',
  'a >(b)',
  'a <<x\ny\nx',
  'a <<<x',
  "a $'x'",
  'a $"x"',
  'a *',
  'a x?',
  'a [xy]',
  'a b[',
  'a x{y,z}',
  'a {1..3}',
  "a {x','y}",
  'a ~',
  'a ~x/y',
  'a b=~',
  'a b:~/c',
  'a +(b)',
  'a 33>b',
  'a {x}>b',
  'a >&b',
  'a >&2-',
  'a &>b c',
  'a >',
  'a >;',
  'a > # b',
  'x=(a b)',
  'x+=1 a',
  'x[1]=2 a',
  'a "b',
  "a 'b",
  'a \\',
  'a b\\\nc',
  'a &\\\n& b',
  'a\u00A0b',
  'a b\u00A0c',
  'a \\é',
  'a\u3000b',
  'а b',
  'a\rb',
  'a\u000Bb',
  'a\u0000b',
  'a "\u001B[2J"',
  'a "\uD800"',
  '"a b"',
  "'' a",
  '!a',
  '-a',
  '%1',
  "'if' a",
  '"{" a',
  'a=${b}',
  'time -o f a',
  'time time -p -p a',
  'env -S "a b"',
  'env - a',
  'bash',
  'bash x.sh',
  'bash -s',
  'bash -c',
  'bash -c a b',
  'bash +c a',
  'bash --rcfile x -c a',
  "zsh -c 'a'",
])('%j is opaque', (text) => {
  const line = readCommandLine(text);
  expect(line.kind).toBe('opaque');
  expect(line.kind === 'opaque' && line.reason).toMatch(/^[A-Z“].*\.$/u);
});

test.each([
  ['a |& b', 'pipe'],
  ['a <<x', 'here-document'],
  ['a() { b; }', 'function'],
  ['a $(b)', 'starts a command'],
  ['a "$HOME/b"', 'known only when it runs'],
])('the reason why %j is opaque says: %s', (text, said) => {
  expect(readCommandLine(text)).toEqual({ kind: 'opaque', reason: expect.stringContaining(said) });
});

test.each(['bash-', '-', 'a {,', 'a $', 'a "${'])(
  'a reason is short, however long the word is that begins with %s',
  (start) => {
    const line = readCommandLine(`${start}${'x'.repeat(9_000)}}`);
    expect(line).toEqual({ kind: 'opaque', reason: expect.stringMatching(/^.{1,300}$/u) });
  },
);

test('a reason shows nothing of a line that a terminal would act on', () => {
  const line = readCommandLine('a "${\u202E}" ');
  expect(line).toEqual({ kind: 'opaque', reason: expect.not.stringContaining('\u202E') });
});

test('a line is at most 65,536 characters long, and nothing lies deeper than 8 levels', () => {
  expect(readCommandLine(`a ${'b'.repeat(65_534)}`).kind).toBe('commands');
  expect(readCommandLine(`a ${'b'.repeat(65_535)}`)).toEqual({
    kind: 'opaque',
    reason: 'It has more than 65536 characters.',
  });
  expect(readCommandLine(`${'env '.repeat(8)}a`).kind).toBe('commands');
  expect(readCommandLine(`${'env '.repeat(9)}a`).kind).toBe('opaque');
  expect(readCommandLine(`${'( '.repeat(8)}a${' )'.repeat(8)}`).kind).toBe('commands');
  expect(readCommandLine(`${'{ '.repeat(20_000)}a${'; }'.repeat(20_000)}`).kind).toBe('opaque');
});

test('the work is in proportion to the length, whatever the line', () => {
  const piece = fc.constantFrom(
    'env ',
    'eval ',
    'sh -c ',
    "'",
    '"',
    '\\',
    '\n',
    ' ',
    '( ',
    ' )',
    '{ ',
    '; }',
    '>x ',
    '; ',
    '&& ',
    'a ',
    '#',
    '| ',
    '\\\n',
    '{',
    '..',
    '$',
    '1',
    '&>x',
    "sed 's/a/b/' ",
    'git ',
    '-',
    '=',
  );
  const many = fc.tuple(fc.array(piece, { maxLength: 12 }), fc.integer({ min: 1, max: 200 }), fc.string());
  fc.assert(
    fc.property(many, ([pieces, times, end]) => {
      const text = pieces.join('').repeat(times) + end;
      const effort = new Effort(Number.POSITIVE_INFINITY);
      readWithin(text, effort);
      // Each level reads a line once more, and hands on at most as many words as it has characters.
      if (!text.includes('>')) expect(effort.steps).toBeLessThanOrEqual(20 * (text.length + 1));
      readCommandLine(text);
    }),
  );
});

test('a group that writes to many files cannot make the work grow', () => {
  const line = readCommandLine(`{ ${'a;'.repeat(10_000)} } ${'>f '.repeat(10_000)}`);
  expect(line).toEqual({ kind: 'opaque', reason: 'It is too long to be read for sure.' });
});
