import fc from 'fast-check';

/** A program that is there and does nothing; every second one of them fails. */
export const madeUpNames = ['al', 'be', 'ga2', 'de-x'] as const;

/** What is cut at blanks. */
function pieces(text: string): string[] {
  return text.split(' ');
}

/** How programs start others, and what else may stand before a command. */
const before = fc
  .constantFrom(
    ...'env|env -i|env A=1 -u B|env -u B A=1|nice|nice -n 5|nohup|timeout 9|timeout -k 1 --signal=KILL 9|setsid'.split(
      '|',
    ),
    ...'setsid -w|stdbuf -oL|time|time -p|time --|command|command -p|builtin eval|exec|eval|eval --|exec --|command --|nohup --|nice --|timeout -- 9|env --|!|A=1'.split(
      '|',
    ),
    'A= B="x y"',
  )
  .map((text) => `${text} `);

const plain = [...madeUpNames, ...pieces('x -y --z=1 ; & && || | ( ) {'), ' ', '\t', '\n', '{ ', ' }', '; }'];

const odd = [
  ...pieces(
    '\' " \\ $ ` $x ${x} $(al) $((1)) $\'x\' $"x" * ? [ ] [x] { } {} {x,y} {1..3} {1.. .. , ~ :~ =~ x~ ^ % @ @{1}',
  ),
  ...pieces('+ # ! = A= A+= A[1]= (x) () (( )) > < >> << <<< >| <> &> &>> >& <& 2>&1 2> 1 22> {v}> <( >( |& ;; ;& >o1'),
  ...pieces(
    'é ā … † 数 if then fi in function select [[ ]] time -p -- exec env eval - \\\n \r \u000B \u00A0 \u0001 \u007F',
  ),
  ' #',
  '! ',
  ' \\\n',
  'time ',
  'eval ',
  'sh -c ',
  'bash -c ',
  'if ',
  'then ',
  'function ',
  '[[ ',
  ' ]]',
  ' >o2 ',
  '\uD800',
];

/** What only the run knows, and what files and folders make of a word. */
const changing = pieces(
  '"$x" $x "${x}" "`al`" `al` "$(al)" $(al) "$((1))" * x? [x] {x,y} {1..2} ~ A=~ A=x:~ $\'x\' x[ "\\\\$x"',
);

const word: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom(...changing) },
      { weight: 6, arbitrary: fc.constantFrom(...pieces('x -y --z=1 p.q a,b 1 2 A=1 : % ^ @ +')) },
      {
        weight: 4,
        arbitrary: fc.constantFrom("'p q'", '"r s"', "''", '""', "'é'", '"数 ā…†"', '"\\" \\\\ \\$ \\x"', "'\\'"),
      },
      { weight: 3, arbitrary: fc.constantFrom('\\ ', ...pieces('\\; \\" \\\' \\\\ \\$ \\* \\{ \\# \\> \\& \\~ \\!')) },
      { weight: 2, arbitrary: fc.constantFrom(...pieces('# ! ~ { } {} @{1} x~1 "#" \'\n\' "a\\\nb" "x$"')) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('"$ x"', '"$/$.$,$:$;$|$)$"', ...pieces('$ ] [ {a ,b} .. \',\' "!" "{" "~" \'*')),
      },
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map(joined);

const redirect = fc.constantFrom(
  ...pieces('>o1 >>o1 2>&1 2>/dev/null </dev/null >|o1 <>o1 1>&2 2>&- &>o1 &>>o1 >&2 3>o1 &>/dev/null >\\o1 33>o1'),
  '> o2',
  '< /dev/null',
  '>"o 1"',
  ">'o2'",
);

const blank = fc.constantFrom(' ', ' ', ' ', '  ', '\t', ' \\\n', ' \\\n  ');

const separator = fc.constantFrom(
  ...pieces('; & && || | \n \n\n ;\n |\n |#\n &&\\\n'),
  '; ',
  ' ; ',
  ' & ',
  ' && ',
  ' || ',
  ' | ',
  ' |& ',
  ' # x\n',
  ' &&\n',
  ' && \\\n',
  ' & # "\n',
  ";# '\n",
  '\n # x\n',
);

const simple: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(before, { maxLength: 2 }),
    fc.oneof({ weight: 9, arbitrary: fc.constantFrom<string>(...madeUpNames) }, { weight: 1, arbitrary: word }),
    fc.array(fc.tuple(blank, fc.oneof({ weight: 5, arbitrary: word }, { weight: 1, arbitrary: redirect })), {
      maxLength: 4,
    }),
    fc.constantFrom('', '', '', ' ', '\t'),
  )
  .map(([wrappers, name, rest, end]) => joined(wrappers) + name + rest.map(joined).join('') + end);

const tail = fc.oneof(
  fc.constant(''),
  redirect,
  redirect.map((text) => ` ${text}`),
);

const shell = fc.constantFrom(
  'eval ',
  'sh -c ',
  'bash -c ',
  'dash -ec ',
  'bash -ux -c ',
  'sh -c -e ',
  'dash -ce ',
  'env sh -c ',
);

/** Commands in a row, in groups, and in lines for other shells. */
function list(depth: number): fc.Arbitrary<string> {
  const one: fc.Arbitrary<string> =
    depth === 0
      ? simple
      : fc.oneof(
          { weight: 6, arbitrary: simple },
          { weight: 1, arbitrary: fc.tuple(list(depth - 1), tail).map(([inner, end]) => `(${inner})${end}`) },
          { weight: 1, arbitrary: fc.tuple(list(depth - 1), tail).map(([inner, end]) => `{ ${inner}; }${end}`) },
          { weight: 1, arbitrary: fc.tuple(shell, list(depth - 1)).map(([name, inner]) => name + singleQuoted(inner)) },
        );
  const others = fc.array(fc.tuple(separator, one).map(joined), { maxLength: 3 });
  return fc.tuple(one, others.map(joined), fc.constantFrom('', '', '', ';', ' &', '\n', ' #x')).map(joined);
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function edited(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const edit = fc.record({ at: fc.nat(), cut: fc.nat(2), piece: fc.constantFrom('', ...odd, ...plain) });
  return fc.tuple(text, fc.array(edit, { minLength: 1, maxLength: 3 })).map(([start, edits]) =>
    edits.reduce((now, { at, cut, piece }) => {
      const from = at % (now.length + 1);
      return now.slice(0, from) + piece + now.slice(from + cut);
    }, start),
  );
}

function joined(parts: readonly string[]): string {
  return parts.join('');
}

/**
 * Lines of a shell, honest and odd ones. Wherever they are run, they can do nothing: all names are made up, or start
 * another made-up one; there is no slash but that of `/dev/null`; and nothing in them is a builtin that acts.
 */
export const shellLine: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: list(0) },
  { weight: 3, arbitrary: list(3) },
  { weight: 3, arbitrary: edited(list(2)) },
  { weight: 2, arbitrary: fc.array(fc.constantFrom(...odd, ...plain), { maxLength: 14 }).map(joined) },
);
